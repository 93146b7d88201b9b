import { NOTHING } from "../walk/pick.js";
import { makeCloseupLoader } from "../walk/closeup-loader.js";
import { byId } from "../shared/dom/elements.js";
import { afterPaint } from "../shared/dom/after-paint.js";
import { makeDifferencesLoader } from "../differences/differences-loader.js";
import { mountEvidence } from "../evidence/evidence-view.js";
import { mountGraph } from "../graph/graph-view.js";
import { mountListings } from "../listing/listing-view.js";
import { mountPlantController } from "../plant/plant-controller.js";
import { mountDistance } from "./distance-controller.js";
import { mountAnnouncer } from "./announcer-view.js";
import { mountMotion } from "./motion-controller.js";
import { makeNumbers, placeOfOrigin } from "./numbers-controller.js";
import { mountPanes } from "./panes-view.js";
import { makePicture } from "./picture-controller.js";
import { makeRunning } from "./running-controller.js";
import { Scene } from "./scene.js";
import { mountScrubber } from "./scrubber-view.js";
import { mountSheets } from "./sheets-controller.js";
import { mountTransport } from "./transport-view.js";
import { makeWords } from "./words-controller.js";
/** @typedef {import("../walk/frame.js").Frame} Frame */
/** @typedef {import("../walk/store.js").State} State */
/** @typedef {import("../walk/walk.js").Walk} Walk */
/** @typedef {import("../walk/changes.js").Change} Change */
/**
 * What a reader wants of the walk, whichever view it was told: to go somewhere (`go`, `select`, `jump`, to which Back
 * returns), to `change` how it is shown, to `ask` for another walk, or one with one more change (`make`).
 * @typedef {{go: (index: number, jump?: boolean) => void, select: (name: string) => void,
 *   answer: (choice: number) => void, written: () => void,
 *   change: (change: Partial<State>) => void, jump: (change: Partial<State>) => void,
 *   exact: () => void, play: () => void, pace: (speed: number) => void, replay: () => void,
 *   descend: (rate: number, steps: number) => void, goOn: (rate: number) => void,
 *   walkStep: (taken: number, request: string) => void, train: (run: string) => string,
 *   ask: (question: Partial<State>) => void, make: (change: Change) => void,
 *   open: (act: import("./questions-controller.js").Act) => void, tried: (loss: number) => void,
 *   missing: () => void, tell: (words: string) => void}} Intents `missing`: code that a click needs did not arrive;
 *   `open` hands over what lies over the walk, or over the next one where that is on its way; `tried` hears of the loss
 *   that changes make which are only tried
 */
/** @typedef {Intents & {say: (words: string) => void}} Acts `say` is for those who hear the page */

/**
 * All views of one walk, each drawing the same frame.
 * @param {Walk} walk @param {import("../practice/writings.js").Writings} writings @param {Intents} intents
 */
export function mountViews(walk, writings, intents) {
  const scene = new Scene();
  const announcer = mountAnnouncer();
  const acts = { ...intents, say: announcer.say };
  const redraw = () => scene.frame && drawAll(scene.frame);
  const follow = follower(scene);
  const numbers = makeNumbers(walk, scene, acts, follow);
  const running = makeRunning(walk, scene, acts, { follow, attempt: numbers.attempt });
  const { lens, live, pointing, maps } = numbers;
  const far = (/** @type {number} */ step) => acts.go(step, true);
  const code = mountListings({ forward: byId("forward"), backward: byId("backward") }, walk, far);
  const picture = makePicture(walk, writings, scene, acts, { maps, hold: code.hold, draw: redraw });
  const words = makeWords(walk, scene, { ...acts, goOn: running.start }, redraw);
  const graph = mountGraph(byId("graph"), walk, (name) => lens.through(name) || acts.select(name));
  const distance = mountDistance(walk, scene, acts, lens);
  const plant = mountPlantController(walk, { ask: acts.ask, go: far });
  const differences = makeDifferencesLoader(walk, () => evidence.judge());
  const evidence = mountCharts(scene, acts, maps, differences);
  const sheets = mountSheets(walk, {
    ...{ go: far, make: acts.make, missing: acts.missing, change: acts.change, jump: acts.jump },
    now: () => scene.frame,
    anchor: words.button,
    look: lens.look,
    found: differences.found,
  });
  const motion = mountMotion((how, step) => {
    if (!scene.frame || scene.frame.asking) return;
    picture.stage.play(how);
    graph.pulse(walk.steps[step], how);
  });
  const way = mountWay(scene, acts);
  const closeups = makeCloseupLoader(walk, (index) => index === scene.frame?.step.index && redraw());
  /** @type {import("./scene.js").View[]} in the order in which they are drawn */
  scene.views = [
    ...[closeups, motion, sheets, running, ...words.views],
    ...[graph, distance, code, { update: plant.update, unmount: plant.unmount }, evidence],
    ...[mountScrubber(byId("scrubber"), walk, acts.go), way, mountPanes(), ...picture.views],
    { finish: (frame) => frame.writing && code.reveal(), unmount: () => {} }, // its field stands among the lines now
    { finish: announcer.update, unmount: announcer.unmount },
    { finish: differences.moved, unmount: differences.unmount },
    ...numbers.views,
  ];
  scene.alone = { distance: [graph, distance], playing: [way], speed: [way], run: [] };

  /** @param {Frame} frame @param {boolean} [moved] to another step @param {typeof afterPaint} [rest] when it comes */
  function drawAll(frame, moved = false, rest) {
    markStory(frame, picture.isStudying(frame));
    scene.draw(frame, () => moved && (byId("step").scrollTop = 0), rest);
  }

  /** Only the number that is looked into is another. @param {Frame} frame */
  function drawNumber(frame) {
    if (makeRoom(frame)) picture.stage.draw(frame);
    numbers.update(frame);
    scene.point(frame);
  }

  return {
    /** @param {Frame} frame @param {State} state @param {State} before */
    update(frame, state, before) {
      const first = scene.frame === null;
      scene.frame = frame;
      pointing.update(frame);
      if (!first && onlyCell(state, before)) return drawNumber(frame);
      const rest = !first && beginsRun(state, before) ? afterPaint : undefined;
      const moved = !first && state.step !== before.step;
      if (first || !scene.drawFew(frame, changed(state, before))) drawAll(frame, moved, rest);
      live.look(frame);
      running.look(frame);
      if (first) picture.listPieces();
      else if (!rest) motion.moved(state, before);
      closeups.look(frame.step, frame.node.name);
    },
    ...{ sheets, lens, plant, distance, running, example: words.example },
    ...{ hold: numbers.hold, attempt: numbers.attempt, take: numbers.take, study: picture.study, leave: picture.leave },
    replay: () => scene.frame && motion.replay(scene.frame.state),
    unmount: () => scene.unmount(),
  };
}

/** @param {Frame} frame @param {boolean} studying */
function markStory(frame, studying) {
  byId("step").classList.toggle("asking", frame.asking);
  byId("story").classList.toggle("delta", frame.delta);
  byId("story").classList.toggle("studying", studying);
  makeRoom(frame);
}

/** What is in sight once numbers move, again and again. @param {Scene} scene */
function follower(scene) {
  return (/** @type {Frame} */ frame) => {
    const delta = frame.state.delta && !frame.asking;
    byId("story").classList.toggle("delta", delta);
    scene.follow({ ...frame, delta });
    afterPaint(() => {
      performance.mark("gradwalk:moved");
      document.dispatchEvent(new CustomEvent("gradwalk:moved"));
    });
  };
}

/** A number that is looked into takes the place of the prose, and some of the picture's. @param {Frame} frame */
function makeRoom({ pick }) {
  const story = byId("story");
  if (story.classList.contains("looking") === (pick !== null)) return false;
  byId("reason").hidden = story.classList.toggle("looking");
  return true;
}

/**
 * The charts and what is judged by them.
 * @param {Scene} scene @param {Acts} acts @param {import("../lens/pickable-cells-view.js").Acts} maps
 * @param {ReturnType<typeof makeDifferencesLoader>} differences
 */
function mountCharts(scene, acts, maps, { again, differences }) {
  const evidence = mountEvidence(byId("evidence"), {
    ...{ maps, again, differences, exact: acts.exact },
    nudge: () => acts.open((sheets) => sheets.nudge()),
    open: (which) => acts.open((sheets) => sheets.table(which)),
    show: (origin) => acts.jump(placeOfOrigin(origin, scene.frame?.node.name)),
    enlarge: (enlarged) => acts.change({ enlarged }),
  });
  return {
    ...{ point: evidence.point, answer: evidence.answer, marks: evidence.marks },
    ...{ judge: evidence.judge, unmount: evidence.unmount },
    update: (/** @type {Frame} */ frame) => evidence.update(masked(frame)),
    follow: (/** @type {Frame} */ frame) => void evidence.follow(masked(frame)),
  };
}

/** @param {Scene} scene @param {Acts} acts */
function mountWay(scene, acts) {
  const by = (/** @type {number} */ steps) => acts.go((scene.frame?.step.index ?? 0) + steps);
  return mountTransport({ ...acts, back: () => by(-1), next: () => by(1) });
}

/**
 * @param {Frame} frame
 * @returns {Frame} without what came to a gradient before, while the question is whether anything did
 */
function masked(frame) {
  return frame.hidesPaths ? { ...frame, known: frame.walk.forwardCount - 1 } : frame;
}

/** @param {State} state @param {State} before @returns {boolean} nothing but the chosen cells has changed */
function onlyCell(state, before) {
  const chosen = state.cell !== before.cell || state.reach !== before.reach;
  return chosen && changed(state, before).every((key) => key in NOTHING);
}

/**
 * @param {State} state @param {State} before
 * @returns {boolean} far from where the walk was: what is around the picture, and the picture, have a frame each
 */
function beginsRun(state, before) {
  return before.run === null && state.run !== null;
}

/** @param {State} state @param {State} before */
function changed(state, before) {
  return /** @type {(keyof State)[]} */ (Object.keys(state)).filter((key) => state[key] !== before[key]);
}
