import { highlightsOf } from "./highlights.js";
import { byId, cleanups } from "../shared/dom/elements.js";
import { makeAsking } from "./asking-controller.js";
import { makeFollowing } from "./following-controller.js";
import { mountLens } from "./lens-view.js";
import { makePicking } from "./picking-controller.js";
import { mountWayOut } from "./way-out-view.js";
/** @typedef {import("../walk/frame.js").Frame} Frame */
/** @typedef {import("./lens.js").Answer} Answer */
/** @typedef {import("./highlights.js").Lights} Lights */
/** @typedef {import("../walk/pick.js").Pick} Pick */
/** @typedef {import("../walk/store.js").State} State */
/** @typedef {import("../walk/walk.js").Walk} Walk */
/**
 * `change` stays at this place of the history, `jump` makes a new one.
 * @typedef {{change: (change: Partial<State>) => void, jump: (change: Partial<State>) => void,
 *   shine: (lights: Lights|null, hot: import("./lens.js").Term|null) => void, say: (words: string) => void,
 *   hand?: () => void, tell: (words: string) => void, whole?: (which: string, cell: number[]) => void}} Acts `tell`
 *   says what cannot be done, `whole` shows every cell of a tensor
 */
/**
 * What is looked into: the `answer` is what is shown, of the number that was `told`. `opened`: it was opened or
 * followed to, rather than moved to. `from`: where one comes back from, for the focus. `eager`: so many first terms are
 * to be followed, each as soon as it is known.
 * @typedef {{frame: Frame|null, answer: Answer|null, told: string, opened: boolean, eager: number, from: Pick|null}}
 *   Looking
 */

/**
 * Looking into one number: asks what it is made of, follows its terms from step to step, and finds the way back.
 * @param {Walk} walk @param {Acts} acts @param {HTMLElement} [root] where it opens
 */
export function mountLensController(walk, acts, root = byId("lens")) {
  const undo = cleanups();
  /** @type {Looking} */
  const looking = { frame: null, answer: null, told: "", opened: true, eager: 0, from: null };
  const following = makeFollowing(looking, (next) => {
    root.focus({ preventScroll: true });
    acts.jump(next);
  });
  const picking = makePicking(looking, walk, acts, () => lens.focus());
  const { whole } = acts;
  const lens = mountLens(root, {
    ...{ follow: following.follow, back: following.backTo, leads: following.leads, close: picking.close },
    hot: (term) => looking.answer && acts.shine(highlightsOf(looking.answer), term),
    retry: () => looking.frame && asking.ask(looking.frame, true),
    hand: acts.hand,
    whole: whole && (() => looking.frame?.pick && whole(sideOf(looking.frame.pick), looking.frame.pick.index)),
  });
  const asking = makeAsking(looking, walk, acts, lens, following.follow);
  const wayOut = mountWayOut(root);
  // who types ahead of the answers gets there as well
  undo.on(root, "keydown", (event) => {
    if (event.key === "Enter" && event.target === root)
      looking.eager = root.getAttribute("aria-busy") === "true" ? looking.eager + 1 : 0;
  });
  for (const part of [lens, asking, wayOut]) undo.add(part.unmount);

  /** Nothing is looked into. */
  function hide() {
    asking.drop();
    const { focused } = lens;
    Object.assign(looking, { told: "", opened: true, eager: 0 });
    lens.hide();
    asking.forget();
    if (focused) wayOut.leave();
  }

  return {
    ...picking,
    ...following,
    /** @param {Frame} frame while numbers move: what the open one is made of waits until they rest */
    move: (frame) => {
      looking.frame = frame;
      if (frame.pick) lens.follow(frame, frame.pick);
    },
    /** @param {Frame} frame */
    update(frame) {
      looking.frame = frame;
      if (frame.pick) asking.ask(frame);
      else hide();
    },
    unmount: undo.run,
  };
}

/** @param {Pick} pick @returns {string} as the view of every cell says it */
function sideOf({ which }) {
  return which === "value" ? "value" : "manual";
}
