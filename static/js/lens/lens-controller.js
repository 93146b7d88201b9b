import { ApiError } from "../shared/api.js";
import { keyOf, makeCellLoader } from "./cell-loader.js";
import { lensWords } from "./lens.js";
import { highlightsOf } from "./highlights.js";
import { boxOf, closedWords, extended, loudest, markIn, opening, picked, shut } from "../walk/pick.js";
import { factored, followed, hopsText, returned } from "../walk/trail.js";
import { byId, cleanups } from "../shared/dom/elements.js";
import { mountLens } from "./lens-view.js";
import { afterPaint } from "../shared/dom/after-paint.js";
/** @typedef {import("../walk/frame.js").Frame} Frame */
/** @typedef {import("./lens.js").Answer} Answer */
/** @typedef {import("./lens.js").Term} Term */
/** @typedef {import("./highlights.js").Lights} Lights */
/** @typedef {import("../walk/pick.js").Pick} Pick */
/** @typedef {import("../walk/pick.js").Subject} Subject */
/** @typedef {import("../walk/store.js").State} State */
/** @typedef {import("../shared/tensor.js").Tensor} Tensor */
/** @typedef {import("../walk/walk.js").Walk} Walk */
/**
 * `change` stays at this place of the history, `jump` makes a new one.
 * @typedef {{change: (change: Partial<State>) => void, jump: (change: Partial<State>) => void,
 *   shine: (lights: Lights|null, hot: Term|null) => void, say: (words: string) => void, hand?: () => void,
 *   tell: (words: string) => void, whole?: (which: string, cell: number[]) => void}} Acts `tell` says what cannot be
 *   done, `whole` shows every cell of a tensor
 */

/**
 * Looking into one number: asks what it is made of, follows its terms from step to step, and finds the way back.
 * @param {Walk} walk @param {Acts} acts @param {HTMLElement} [root] where it opens
 */
export function mountLensController(walk, acts, root = byId("lens")) {
  const undo = cleanups();
  /** @type {Frame|null} */
  let frame = null;
  /** @type {Answer|null} what is shown */
  let answer = null;
  let told = "";
  /** Whether the number was opened or followed to, rather than moved to. */
  let opened = true;
  /** How many first terms are to be followed, each as soon as it is known. */
  let eager = 0;
  /** @type {Pick|null} from which one comes back, for the focus */
  let from = null;
  /** @type {HTMLElement|null} where the focus came from */
  let origin = null;

  const cells = makeCellLoader(walk, {
    answered(key, made) {
      if (frame?.pick && keyOf(frame.pick) === key) arrive(frame, frame.pick, made);
    },
    failed(key, error) {
      if (!frame?.pick || keyOf(frame.pick) !== key) return;
      if (!(error instanceof ApiError)) throw error;
      lens.fail(error.problem);
    },
  });
  const lens = mountLens(root, {
    follow,
    back,
    close,
    leads: (term) => frame !== null && followed(frame, term) !== null,
    hot: (term) => answer && acts.shine(highlightsOf(answer), term),
    retry: () => frame && ask(frame, true),
    hand: acts.hand,
    whole: acts.whole && (() => frame?.pick && acts.whole?.(sideOf(frame.pick), frame.pick.index)),
  });
  undo.on(root, "focusin", ({ relatedTarget }) => {
    if (relatedTarget instanceof HTMLElement && !root.contains(relatedTarget)) origin = relatedTarget;
  });

  // who types ahead of the answers gets there as well
  undo.on(root, "keydown", (event) => {
    if (event.key === "Enter" && event.target === root)
      eager = root.getAttribute("aria-busy") === "true" ? eager + 1 : 0;
  });

  /** @param {Frame} next @param {Pick} pick @param {Answer} made */
  function arrive(next, pick, made) {
    const focused = lens.focused;
    const fresh = keyOf(pick) !== told;
    answer = made;
    lens.show(next, pick, made, fresh && opened);
    acts.shine(highlightsOf(made), null);
    if (!fresh) return;
    if (focused) lens.focus(from);
    told = keyOf(pick);
    opened = false;
    from = null;
    acts.say(lensWords(walk, made, pick) + hopsText(walk, next.state.trail));
    afterPaint(painted);
    const [first] = eager ? made.terms : [];
    eager = first ? eager - 1 : 0;
    if (first) follow(first);
  }

  function painted() {
    performance.mark("gradwalk:lens");
    document.dispatchEvent(new CustomEvent("gradwalk:lens"));
  }

  /** @param {Frame} next @param {boolean} [again] */
  function ask(next, again = false) {
    if (!next.pick) return;
    const known = cells.known(next.pick);
    if (known && !again) return arrive(next, next.pick, known);
    // what another tensor's number lit up means nothing here
    if (answer && (answer.tensor !== next.pick.tensor || answer.which !== next.pick.which)) {
      answer = null;
      acts.shine(null, null);
    }
    lens.wait(next, next.pick);
    cells.ask(next.pick);
  }

  /** @param {Term} term @param {boolean} [factor] to the cell that it is multiplied by */
  function follow(term, factor = false) {
    const next = frame && (factor ? factored : followed)(frame, term);
    if (next) go(next);
  }

  /** @param {number} position in the trail */
  function back(position) {
    const next = frame && returned(frame.state, position);
    if (!next || !frame) return;
    from = frame.state.trail.length - position === 1 ? frame.pick : null;
    go(next);
  }

  /** @param {Partial<State>} next */
  function go(next) {
    opened = true;
    root.focus({ preventScroll: true });
    acts.jump(next);
  }

  /** @param {Subject} subject @param {number[]} cell */
  function pick(subject, cell) {
    if (!frame) return;
    const first = frame.state.cell === null;
    opened = frame.pick === null;
    acts.change(picked(frame, subject, cell));
    if (first) explain();
  }

  /** @param {Subject} subject @param {number[]} cell up to which cells are chosen, from the one that is picked on */
  function extend(subject, cell) {
    if (!frame) return;
    acts.change(extended(frame, subject, cell));
    const { state } = frame;
    if (!state.cell || !state.reach) return;
    const index = boxOf(state.cell, state.reach).map(([from, end]) => `${from} to ${end - 1}`);
    acts.say(`${walk.node(subject.tensor).variable}: ${index.join(" by ")} chosen.`);
  }

  /** @returns {boolean} whether it had to be said why nothing opens */
  function explain() {
    const words = frame ? closedWords(frame) : "";
    if (words) acts.tell(words);
    return words !== "";
  }

  /** @param {Subject} subject @param {Tensor} tensor */
  function enter(subject, tensor) {
    if (!frame) return;
    const here = frame.pick && frame.state.of === subject.of ? markIn(frame, subject) : null;
    if (!here) pick(subject, markIn(frame, subject) ?? loudest(tensor));
    if (frame.pick) lens.focus();
    else explain();
  }

  /** @param {Subject} subject @param {number[]} cell */
  function look(subject, cell) {
    pick(subject, cell);
    if (frame?.pick) lens.focus();
  }

  /**
   * Into the number that is open, else the loudest of this node.
   * @returns {boolean} whether there is one, or it has been said why not
   */
  function open() {
    const first = frame && !frame.pick ? opening(frame) : null;
    if (first) pick(first.subject, first.cell);
    if (!frame?.pick) return explain();
    lens.focus();
    return true;
  }

  /** @returns {boolean} whether there was a number to close */
  function close() {
    if (!frame?.pick) return false;
    acts.change(shut(frame));
    return true;
  }

  function leave() {
    const key = origin?.dataset.map;
    const same = key ? document.querySelector(`[data-map="${CSS.escape(key)}"]`) : null;
    const place = [
      origin,
      same,
      ...document.querySelectorAll('.plot[data-which="manual"], .plot[data-which="value"]'),
      document.getElementById("step"),
    ].find((element) => element instanceof HTMLElement && element.isConnected && element.checkVisibility());
    /** @type {HTMLElement|undefined} */ (place)?.focus({ preventScroll: true });
  }

  return {
    pick,
    extend,
    enter,
    look,
    follow,
    open,
    close,
    /** @returns {boolean} whether one had followed numbers here, and is where one came from again */
    home() {
      if (!frame?.state.trail.length) return false;
      back(0);
      return true;
    },
    /** @returns {boolean} whether there was a number to go back to */
    back() {
      const length = frame?.state.trail.length ?? 0;
      if (length) back(length - 1);
      return length > 0;
    },
    /**
     * @param {string} name
     * @returns {boolean} whether the open number has a term through this node, which is followed then
     */
    through(name) {
      const term = answer?.terms.find((one) => one.through === name);
      if (!term || !frame || !followed(frame, term)) return false;
      follow(term);
      return true;
    },
    /** @param {Frame} next while numbers move: what the open one is made of waits until they rest */
    move(next) {
      frame = next;
      if (next.pick) lens.follow(next, next.pick);
    },
    /** @param {Frame} next */
    update(next) {
      frame = next;
      if (next.pick) return ask(next);
      cells.drop();
      const { focused } = lens;
      answer = null;
      told = "";
      opened = true;
      eager = 0;
      lens.hide();
      acts.shine(null, null);
      if (focused) leave();
    },
    unmount() {
      undo.run();
      cells.unmount();
      lens.unmount();
    },
  };
}

/** @param {Pick} pick @returns {string} as the view of every cell says it */
function sideOf({ which }) {
  return which === "value" ? "value" : "manual";
}
