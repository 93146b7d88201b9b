import { byId, cleanups } from "../views/dom.js";
import { mountCode } from "../views/code.js";
import { mountEvidence } from "../views/evidence.js";
import { mountGraph } from "../views/graph.js";
import { mountHeading } from "../views/heading.js";
import { mountNudge } from "../views/nudge.js";
import { mountPanes } from "../views/panes.js";
import { mountReason } from "../views/reason.js";
import { mountScrubber } from "../views/scrubber.js";
import { mountStage } from "../views/stage.js";
import { mountTable } from "../views/table.js";
import { mountTransport } from "../views/transport.js";
import { mountMoments } from "./moments.js";
import { mountNudging } from "./nudging.js";
/** @typedef {import("../model/frame.js").Frame} Frame */
/** @typedef {import("../model/store.js").State} State */
/** @typedef {import("../model/walk.js").Walk} Walk */
/** @typedef {{go: (index: number, jump?: boolean) => void, select: (name: string) => void,
 *   answer: (choice: number) => void, change: (change: Partial<State>) => void, exact: () => void, play: () => void}} Acts */

/** All views of one walk, each drawing the same frame. @param {Walk} walk @param {Acts} acts */
export function mountViews(walk, acts) {
  const undo = cleanups();
  /** @type {Frame|null} */
  let frame = null;
  const table = mountTable();
  const pick = (/** @type {number[]|null} */ cell) => acts.change({ cell });
  const graph = mountGraph(byId("graph"), walk, acts.select);
  const code = mountCode({ forward: byId("forward"), backward: byId("backward") }, walk, (step) => acts.go(step, true));
  const heading = mountHeading(byId("heading"));
  const stage = mountStage(byId("picture"), { answer: acts.answer, view: (view) => acts.change({ view }), row: (row) => acts.change({ cell: [row, targetOf(frame, row)] }) });
  const reason = mountReason(byId("reason"));
  const nudging = mountNudging(walk, () => evidence.judge());
  const nudge = mountNudge(nudging.found);
  const evidence = mountEvidence(byId("evidence"), {
    pick, exact: acts.exact, nudge: nudgeIt, again: nudging.again, differences: nudging.differences, open: (which) => frame && table.show(frame, which),
  });
  const scrubber = mountScrubber(byId("scrubber"), walk, acts.go);
  const transport = mountTransport({ back: () => acts.go((frame?.step.index ?? 0) - 1), next: () => acts.go((frame?.step.index ?? 0) + 1), play: acts.play });
  const panes = mountPanes();
  const moments = mountMoments();
  const all = [graph, code, heading, stage, reason, evidence, scrubber, transport, panes, moments, table, nudging, nudge];
  all.forEach((view) => undo.add(view.unmount));

  /** @param {Frame} next @param {boolean} moved */
  function drawAll(next, moved) {
    byId("step").classList.toggle("asking", next.asking);
    graph.update(next);
    code.update(next);
    heading.update(next);
    stage.update(next, moved);
    if (next.asking) reason.clear();
    else reason.update(next);
    evidence.update(next);
    scrubber.update(next);
    transport.update(next);
    panes.update(next);
    // reading positions makes the browser lay out the page: once, after everything has been written
    graph.reveal(next);
    code.reveal();
    moments.update(next);
    nudging.moved();
  }

  return {
    /** @param {Frame} next @param {State} state @param {State} before */
    update(next, state, before) {
      const first = frame === null;
      frame = next;
      if (!first && onlyCell(state, before)) return pointed(next);
      drawAll(next, !first && state.step !== before.step);
      if (!first && state.step !== before.step) byId("step").scrollTop = 0;
    },
    nudge: nudgeIt,
    unmount: undo.run,
  };

  /** @returns {boolean} whether there is a gradient that can be nudged */
  function nudgeIt() {
    if (!frame?.node.gradient || frame.asking) return false;
    nudge.show(frame);
    return true;
  }

  /** @param {Frame} next */
  function pointed(next) {
    evidence.point(next);
    if (next.tug && next.state.view !== "equation") stage.update(next, false);
  }
}

/** @param {State} state @param {State} before @returns {boolean} nothing but the chosen cell has changed */
function onlyCell(state, before) {
  const keys = /** @type {(keyof State)[]} */ (Object.keys(state));
  return state.cell !== before.cell && keys.every((key) => key === "cell" || state[key] === before[key]);
}

/** @param {Frame|null} frame @param {number} row */
function targetOf(frame, row) {
  return frame?.node.targets?.[row] ?? 0;
}
