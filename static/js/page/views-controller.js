import { NOTHING, offered } from "../walk/pick.js";
import { makeCloseupLoader } from "../walk/closeup-loader.js";
import { byId, cleanups } from "../shared/dom/elements.js";
import { mountGlossary } from "../glossary/glossary-view.js";
import { mountNames } from "../names/names-view.js";
import { mountListings } from "../listing/listing-view.js";
import { mountEvidence } from "../evidence/evidence-view.js";
import { mountGraph } from "../graph/graph-view.js";
import { mountHeading } from "../explanation/heading-view.js";
import { mountMotion } from "./motion-controller.js";
import { mountPanes } from "./panes-view.js";
import { mountExplanation } from "../explanation/explanation-view.js";
import { mountScrubber } from "./scrubber-view.js";
import { mountStage, studying } from "./stage-view.js";
import { mountTransport } from "./transport-view.js";
import { afterPaint } from "../shared/dom/after-paint.js";
import { asApiError } from "../shared/api.js";
import { mountMoveController } from "../changes/move-controller.js";
import { mountPlantController } from "../plant/plant-controller.js";
import { mountSheets } from "./sheets-controller.js";
import { makeLiveLoader } from "../changes/live-loader.js";
import { mountLensController } from "../lens/lens-controller.js";
import { mountPointing } from "../lens/pointing-controller.js";
import { mountAnnouncer } from "./announcer-view.js";
import { makeDescentLoader } from "../ending/descent-loader.js";
import { makeEnding } from "../ending/ending-view.js";
import { makeDifferencesLoader } from "../differences/differences-loader.js";
import { mistake } from "../quiz/question-view.js";
import { makeAnswersLoader } from "../quiz/answers-loader.js";
import { mountWriting, writtenLine } from "../practice/writing-controller.js";
import { makeJacobianLoader } from "../jacobian/jacobian-loader.js";
import { makePiecesLoader } from "../pieces/pieces-loader.js";
import { isPiece, nextView, offersAt } from "../pieces/pieces.js";
/** @typedef {import("../walk/frame.js").Frame} Frame */
/** @typedef {import("../walk/store.js").State} State */
/** @typedef {import("../walk/walk.js").Walk} Walk */
/** @typedef {import("../lens/highlights.js").Lights} Lights */
/** @typedef {import("../lens/lens.js").Term} Term */
/** @typedef {{go: (index: number, jump?: boolean) => void, select: (name: string) => void,
 * answer: (choice: number) => void, written: () => void,
 *   change: (change: Partial<State>) => void, jump: (change: Partial<State>) => void,
 *   exact: () => void, play: () => void, pace: (speed: number) => void, replay: () => void,
 *   descend: (rate: number, steps: number) => void,
 *   ask: (question: Partial<State>) => void, make: (change: import("../walk/changes.js").Change) => void,
 *   open: (act: (sheets: import("./sheets-controller.js").Sheets) => void) => void, tried: (loss: number) => void,
 *   missing: () => void, tell: (words: string) => void}} Acts `missing`: code that a click needs did not arrive;
 *   `open` hands over what lies over the walk, or over the next one where that is on its way; `make` walks with one
 *   more change; `tried` hears of the loss that changes make which are only tried
 */

/**
 * All views of one walk, each drawing the same frame.
 * @param {Walk} walk @param {import("../practice/writings.js").Writings} writings @param {Acts} acts
 */
export function mountViews(walk, writings, acts) {
  const undo = cleanups();
  /** @type {Frame|null} */
  let frame = null;
  /** @type {[Lights|null, Term|null]} what an open number lights up, and its term that is pointed at */
  let shining = [null, null];
  const announcer = mountAnnouncer();
  const lens = mountLensController(walk, {
    change: acts.change,
    jump: acts.jump,
    say: announcer.say,
    shine,
    tell: acts.tell,
    whole,
    hand: take,
  });
  const hand = mountMoveController(walk, { ask: acts.ask, change: acts.change, try: attempt, close: put });
  const live = makeLiveLoader(walk, {
    moved(loss, changes) {
      hand.arrived(loss, changes);
      acts.tried(loss);
      heading.tried(loss);
      if (frame) follow(frame);
    },
    failed(error) {
      if (frame?.state.hand) return hand.failed(error);
      acts.tell(asApiError(error, "Reload it.").problem.message);
    },
  });
  const plant = mountPlantController(walk, { ask: acts.ask, go: (step) => acts.go(step, true) });
  const pointing = mountPointing((pointed) => {
    stage.answer(pointed);
    evidence.answer(pointed);
    graph.point(pointed?.answer.named ?? []);
    code.point(pointed?.answer.named ?? []);
  });
  const graph = mountGraph(byId("graph"), walk, (name) => lens.through(name) || acts.select(name));
  const code = mountListings({ forward: byId("forward"), backward: byId("backward") }, walk, (step) =>
    acts.go(step, true),
  );
  const names = mountNames(walk, { now: () => frame, go: (step) => acts.go(step, true), say: announcer.say });
  const glossary = mountGlossary(byId("story"));
  const heading = mountHeading(byId("heading"), walk, () => acts.open((sheets) => sheets.menu()));
  const answers = makeAnswersLoader(walk, () => frame && !frame.asking && reason.update(frame));
  const writing = mountWriting(walk, writings, {
    done: acts.written,
    walkOn: (step, code) => acts.ask({ plant: { step, code }, writeIt: false }),
    say: announcer.say,
    hold: code.hold,
  });
  const pieces = makePiecesLoader(walk, () => {
    if (!frame) return;
    if (isPiece(frame.state.view)) drawAll(frame);
    else if (offersAt(pieces.offers, frame).length) stage.offer(frame);
  });
  const stage = mountStage(byId("picture"), {
    pieces,
    answer: acts.answer,
    writing: {
      show: (root) => root.firstChild !== writing.panel && root.replaceChildren(writing.panel),
      written: (now) => writtenLine(now, writings),
    },
    jacobians: makeJacobianLoader(walk),
    view: (view) => acts.change({ view }),
    cell: (cell) => acts.change({ cell, tensor: null, path: null }),
    row: (row) => acts.change({ ...NOTHING, cell: [row, targetOf(frame, row)] }),
    maps: { ...lens, pointing },
  });
  const descentLoader = makeDescentLoader(walk, () => frame && !frame.asking && drawAll(frame));
  const reason = mountExplanation(
    byId("reason"),
    makeEnding(walk, { go: (index) => acts.go(index, true), descend: acts.descend, sizes: showSizes }, descentLoader),
    (now) => mistake(now, answers),
  );
  const differencesLoader = makeDifferencesLoader(walk, () => evidence.judge());
  const sheets = mountSheets(walk, {
    now: () => frame,
    anchor: heading.button,
    look: lens.look,
    found: differencesLoader.found,
    go: (index) => acts.go(index, true),
    make: acts.make,
    missing: acts.missing,
  });
  const evidence = mountEvidence(byId("evidence"), {
    maps: { ...lens, pointing },
    exact: acts.exact,
    nudge: () => acts.open((sheets) => sheets.nudge()),
    again: differencesLoader.again,
    differences: differencesLoader.differences,
    open: whole,
    show,
    enlarge: (enlarged) => acts.change({ enlarged }),
  });
  const scrubber = mountScrubber(byId("scrubber"), walk, acts.go);
  const transport = mountTransport({
    back: () => acts.go((frame?.step.index ?? 0) - 1),
    next: () => acts.go((frame?.step.index ?? 0) + 1),
    play: acts.play,
    pace: acts.pace,
    replay: acts.replay,
  });
  const panes = mountPanes();
  const motion = mountMotion((how, step) => {
    if (!frame || frame.asking) return;
    stage.play(how);
    graph.pulse(walk.steps[step], how);
  });
  const closeups = makeCloseupLoader(walk, (index) => {
    if (frame && index === frame.step.index) drawAll(frame);
  });
  const all = [
    closeups,
    pieces,
    answers,
    writing,
    graph,
    code,
    names,
    glossary,
    heading,
    stage,
    reason,
    evidence,
    scrubber,
    transport,
    panes,
    motion,
    announcer,
    sheets,
    differencesLoader,
    descentLoader,
    lens,
    hand,
    plant,
    live,
    pointing,
  ];
  all.forEach((view) => undo.add(view.unmount));

  /** @param {Frame} next @param {boolean} [moved] to another step, which is read from its top */
  function drawAll(next, moved = false) {
    byId("step").classList.toggle("asking", next.asking);
    byId("story").classList.toggle("delta", next.delta);
    byId("story").classList.toggle("studying", studying(next, pieces));
    room(next);
    graph.update(next);
    code.update(next);
    heading.update(next);
    plant.update(next);
    if (next.asking) reason.clear();
    else reason.update(next);
    evidence.update(masked(next));
    scrubber.update(next);
    transport.update(next);
    panes.update(next);
    stage.begin(next);
    // reading positions makes the browser lay out the page: once, after everything around the picture has been written
    graph.reveal();
    code.reveal();
    if (moved) byId("step").scrollTop = 0;
    stage.finish(next); // takes the height that these leave
    writing.update(next); // where its words stand has been drawn
    if (next.writing) code.reveal(); // its field stands among the lines now
    announcer.update(next);
    differencesLoader.moved();
    lens.update(next);
    hand.update(next);
    point(next);
  }

  /** What is in sight once numbers move, again and again. @param {Frame} next */
  function follow(next) {
    const now = { ...next, delta: next.state.delta && !next.asking };
    byId("story").classList.toggle("delta", now.delta);
    graph.update(now);
    evidence.follow(masked(now));
    stage.follow(now);
    lens.move(now);
    point(now);
    afterPaint(() => {
      performance.mark("gradwalk:moved");
      document.dispatchEvent(new CustomEvent("gradwalk:moved"));
    });
  }

  /** @param {import("../walk/changes.js").Change[]} changes that are only tried @param {string|null} [name] */
  function attempt(changes, name = null) {
    if (frame) live.move({ frame, changes, name });
  }

  /** @param {number} rate */
  function showSizes(rate) {
    acts.open((sheets) => sheets.sizes(rate));
  }

  /** The number that is looked into goes into the hand, or out of it. */
  function take() {
    if (!frame || frame.state.hand) return put();
    acts.change({ hand: { curve: null, before: frame.state.changes, way: { value: null, pointer: null } } });
    hand.focus();
  }

  function put() {
    acts.change({ hand: null });
    lens.open();
  }

  /**
   * A number that is looked into takes the place of the prose, and some of the picture's.
   * @param {Frame} next @returns {boolean} whether that has changed
   */
  function room({ pick }) {
    const story = byId("story");
    if (story.classList.contains("looking") === (pick !== null)) return false;
    byId("reason").hidden = story.classList.toggle("looking");
    return true;
  }

  /** @param {string} which @param {number[]} [cell] */
  function whole(which, cell) {
    acts.open((sheets) => sheets.table(which, cell));
  }

  /**
   * @param {import("../walk/types.js").Origin} origin a number to go to: of an input, which no step makes, from here
   */
  function show({ tensor, which, cell, step }) {
    const place = { ...NOTHING, cell, of: which, node: null, view: null };
    acts.jump(step === null ? { ...place, tensor: tensor === frame?.node.name ? null : tensor } : { ...place, step });
  }

  /** @param {Lights|null} lights @param {Term|null} hot */
  function shine(lights, hot) {
    if (!lights && !shining[0]) return;
    shining = [lights, hot];
    code.light(lights);
    graph.light(lights);
    if (frame) point(frame);
  }

  /** @param {Frame} next marks and lights in every picture of a tensor */
  function point(next) {
    stage.point(next, ...shining);
    evidence.point(next, ...shining);
  }

  return {
    /** @param {Frame} next @param {State} state @param {State} before */
    update(next, state, before) {
      const first = frame === null;
      frame = next;
      pointing.update(next);
      if (!first && onlyCell(state, before)) return pointed(next);
      drawAll(next, !first && state.step !== before.step);
      live.look(next);
      if (first) afterPaint(pieces.list);
      else motion.moved(state, before);
      closeups.look(next.step, next.node.name);
    },
    sheets,
    attempt,
    replay: () => frame && motion.replay(frame.state),
    study,
    /** @returns {boolean} whether a piece was left */
    leave() {
      if (!frame || !studying(frame, pieces)) return false;
      acts.change({ view: null });
      byId("step").focus({ preventScroll: true });
      return true;
    },
    lens,
    plant,
    take() {
      const first = frame && offered(frame);
      if (first) lens.look(first.subject, first.cell);
      const open = frame?.pick != null || lens.open();
      if (open && frame?.pick) take();
      return open;
    },
    unmount: undo.run,
  };

  /** The next piece of this step, or its picture again. @returns {boolean} whether there is any */
  function study() {
    const here = frame ? offersAt(pieces.offers, frame) : [];
    if (!frame || here.length === 0) return false;
    const view = nextView(here, frame.state.view);
    if (view && document.activeElement instanceof HTMLElement) document.activeElement.blur(); // the piece takes it
    acts.change({ view });
    return true;
  }

  /** @param {Frame} next */
  function pointed(next) {
    if (room(next)) stage.update(next);
    lens.update(next);
    hand.update(next);
    point(next);
  }
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
  const keys = /** @type {(keyof State)[]} */ (Object.keys(state));
  const chosen = state.cell !== before.cell || state.reach !== before.reach;
  return chosen && keys.every((key) => key in NOTHING || state[key] === before[key]);
}

/** @param {Frame|null} frame @param {number} row */
function targetOf(frame, row) {
  return frame?.node.targets?.[row] ?? 0;
}
