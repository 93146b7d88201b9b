import { asApiError } from "../shared/api.js";
import { byId, cleanups } from "../shared/dom/elements.js";
import { lazyView } from "../shared/dom/lazy-view.js";
import { NOTHING, heldIn, offered } from "../walk/pick.js";
import { makeLiveLoader } from "../changes/live-loader.js";
import { mountMoveController } from "../changes/move-controller.js";
import { mountLensController } from "../lens/lens-controller.js";
import { mountPointing } from "../lens/pointing-controller.js";
/** @typedef {import("../walk/changes.js").Change} Change */
/** @typedef {import("../walk/frame.js").Frame} Frame */
/** @typedef {import("./views-controller.js").Acts} Acts */

/**
 * One number of the walk: looked into, taken in the hand, pointed at. What it lights up and what it makes of the others
 * is drawn by the scene.
 * @param {import("../walk/walk.js").Walk} walk @param {import("./scene.js").Scene} scene @param {Acts} acts
 * @param {(frame: Frame) => void} follow numbers have moved
 */
export function makeNumbers(walk, scene, acts, follow) {
  const lens = mountLensController(walk, {
    ...{ change: acts.change, jump: acts.jump, tell: acts.tell, hand: take },
    say: acts.say,
    shine: (lights, hot) => scene.shine(lights, hot),
    whole: (which, cell) => acts.open((sheets) => sheets.table(which, cell)),
  });
  const hand = mountMoveController(walk, { ask: acts.ask, change: acts.change, try: attempt, close: put });
  const live = makeLiveLoader(walk, {
    moved(loss, changes, sent) {
      hand.arrived(loss, changes, sent);
      acts.tried(loss);
      scene.tried(loss);
      if (scene.frame) follow(scene.frame);
    },
    failed(error) {
      if (scene.frame?.state.hand) return hand.failed(error);
      acts.tell(asApiError(error, "Reload it.").problem.message);
    },
  });
  const pointing = mountPointing((pointed) => scene.answer(pointed));
  const wobble = makeHolding(walk, scene, acts.missing);

  /** @param {Change[]} changes that are only tried @param {string|null} [name] */
  function attempt(changes, name = null) {
    if (scene.frame) live.move({ frame: scene.frame, changes, name });
  }

  /** The number that is looked into goes into the hand, or out of it. */
  function take() {
    const { frame } = scene;
    if (!frame || frame.state.hand) return put();
    acts.change({ hand: { curve: null, before: frame.state.changes, way: { value: null, pointer: null } } });
    hand.focus();
  }

  function put() {
    acts.change({ hand: null });
    lens.open();
  }

  /** @returns {boolean} whether there was a number to be taken up, the one that is picked or the loudest one here */
  function takeOne() {
    const first = scene.frame && offered(scene.frame);
    if (first) lens.look(first.subject, first.cell);
    const open = scene.frame?.pick != null || lens.open();
    if (open && scene.frame?.pick) take();
    return open;
  }

  const update = (/** @type {Frame} */ frame) => {
    lens.update(frame);
    hand.update(frame);
  };
  const views = [
    { finish: update, follow: lens.move, unmount: lens.unmount },
    { unmount: hand.unmount },
    live,
    { unmount: pointing.unmount },
    { unmount: wobble.unmount },
  ];
  return {
    lens,
    live,
    pointing,
    maps: { pick: lens.pick, enter: lens.enter, extend: lens.extend, follow: lens.follow, pointing, ...wobble.presses },
    hold: wobble.hold,
    attempt,
    take: takeOne,
    update,
    views,
  };
}

/**
 * @param {import("../walk/types.js").Origin} origin a number to go to: of an input, which no step makes, from here
 * @param {string|undefined} here the node that is shown
 * @returns {Partial<import("../walk/store.js").State>}
 */
export function placeOfOrigin({ tensor, which, cell, step }, here) {
  const place = { ...NOTHING, cell, of: which, node: null, view: null };
  return step === null ? { ...place, tensor: tensor === here ? null : tensor } : { ...place, step };
}

/**
 * A number that is held wobbles.
 * @param {import("../walk/walk.js").Walk} walk @param {import("./scene.js").Scene} scene
 * @param {() => void} missing the code for it did not arrive
 */
function makeHolding(walk, scene, missing) {
  const undo = cleanups();
  const view = lazyView(async () => {
    const { mountWobbleController } = await import("../wobble/wobble-controller.js");
    return mountWobbleController(byId("wobble"), walk, () => scene.marks());
  }, missing);
  /** Whether it is held still: it may be let go before the code is there. */
  let wanted = false;
  undo.on(document, "keyup", () => (wanted = false));
  undo.part(view);

  /** @param {{tensor: string, index: number[]}} nudged */
  function hold(nudged) {
    wanted = true;
    view.use((wobble) => {
      wobble.hold(nudged);
      if (!wanted) wobble.letGo();
    });
  }

  function letGo() {
    wanted = false;
    view.use((wobble) => wobble.letGo());
  }

  return {
    presses: { hold: (/** @type {string} */ tensor, /** @type {number[]} */ index) => hold({ tensor, index }), letGo },
    /** @returns {boolean} whether there was a number to be held: the one that is picked, or the loudest one here */
    hold: () => {
      const there = scene.frame && heldIn(scene.frame);
      if (there) hold(there);
      return there !== null;
    },
    unmount: undo.run,
  };
}
