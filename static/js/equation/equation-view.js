import { sceneOf } from "./equation.js";
import { drawnOf } from "../walk/live.js";
import { peakOf } from "../walk/picture-peak.js";
import { piecesOf } from "./items.js";
import { el } from "../shared/dom/elements.js";
import { mountPickableCells } from "../lens/pickable-cells-view.js";
import { motionOf } from "./flights.js";
import { playFlights, resumable } from "./flights-view.js";
import { isNamed, rowNames } from "./axis-view.js";
import { drawItem, lookOf, tallest } from "./item-view.js";
import { repaint } from "./piece-view.js";
import { slides, withWindow } from "./window.js";
import { drawLinks, overlay } from "./overlay-view.js";
import { longLabel, planOf } from "./room-view.js";
/** @typedef {import("../walk/frame.js").Frame} Frame */
/** @typedef {import("./items.js").Item} Item */
/** @typedef {import("./items.js").Piece} Piece */
/** @typedef {import("./items.js").Scene} Scene */
/** @typedef {import("./item-view.js").Drawn} Drawn */
/** @typedef {import("./item-view.js").Paint} Paint */
/** @typedef {import("./room-view.js").Space} Space */
/** @typedef {{frame: Frame, scene: Scene, box: HTMLElement, drawn: Paint["drawn"], form: string}} Shown */

/** The step as an equation of tensors. */
class Equation {
  /** @param {HTMLElement} root @param {Space} space @param {import("../lens/pickable-cells-view.js").Acts} acts */
  constructor(root, space, acts) {
    this.root = root;
    this.space = space;
    this.maps = mountPickableCells(root, acts);
    /** @type {Shown|null} */
    this.shown = null;
    this.motion = resumable(
      () => this.shown?.frame.step.index ?? -1,
      (how) => this.#start(how),
    );
    this.play = this.motion.play;
    this.answer = this.maps.answer;
    this.marks = this.maps.marks;
  }

  /** @type {ReturnType<typeof mountPickableCells>["point"]} */
  point = (frame, lights, hot) => {
    const { shown } = this;
    if (shown && shown.frame.step === frame.step && slides(shown.scene)) this.#slide(shown, frame);
    this.maps.point(frame, lights, hot);
  };

  /** A kernel goes where the cell is that is picked. @param {Shown} shown @param {Frame} frame */
  #slide(shown, frame) {
    const scene = withWindow(frame, shown.scene);
    for (const [piece, { sheet, max }] of shown.drawn) {
      const stage = sheet.element.parentElement;
      stage?.querySelector(".over")?.remove();
      stage?.append(overlay(piece, lookOf(piece, max, sheet, frame)) ?? "");
    }
    this.shown = { ...shown, frame, form: formOf(scene, frame) };
  }

  /** @type {Parameters<typeof resumable>[1]} */
  #start(how) {
    const { shown } = this;
    const moves = shown && !shown.frame.pick && motionOf(shown.frame, shown.scene);
    if (!shown || !moves) return null;
    return playFlights(shown.box, shown.drawn, moves, { ...how, theme: shown.frame.state.theme });
  }

  /**
   * Other numbers in the same picture: nothing is laid out anew.
   * @param {Frame} frame @returns {boolean} false where it is another picture
   */
  repaint = (frame) => {
    const { shown } = this;
    const scene = sceneBeside(frame);
    if (!shown || shown.form !== formOf(scene, frame) || scene.rows.flat().some(isCurve)) return false;
    this.motion.pause();
    const drawn = repainted(shown, scene, frame);
    this.shown = { ...shown, frame, scene, drawn };
    const sheets = [...drawn.values()].map(({ sheet }) => sheet);
    this.maps.set(sheets, frame);
    this.motion.resume();
    return true;
  };

  update = (/** @type {Frame} */ frame) => {
    this.motion.pause();
    const scene = sceneBeside(frame);
    const plan = planOf(scene.rows, frame, this.space);
    const { room, unit } = plan;
    /** @type {Paint} */
    const paint = { unit, room, peaks: peaksOf(scene, frame), frame, sheets: [], stages: new Map(), drawn: new Map() };
    const box = el("div", { class: `scene on-${frame.step.direction}`, role: "group", "aria-label": scene.spoken });
    box.append(
      ...plan.rows.map((row, at) => drawRow(row, plan.wraps[at], plan.rows.length > scene.rows.length, paint)),
    );
    const focused = this.maps.focused();
    this.root.replaceChildren(box);
    const [from, to] = (scene.links ?? []).map((piece) => paint.stages.get(piece));
    if (from && to && !room.wraps) drawLinks(box, from, to);
    this.maps.set(paint.sheets, frame);
    // drawn anew under the hands of whoever moves about in it
    const held = paint.sheets.find(({ element }) => element.dataset.map === focused);
    held?.element.focus({ preventScroll: true });
    this.shown = { frame, scene, box, drawn: paint.drawn, form: formOf(scene, frame) };
    this.motion.resume();
  };

  unmount = () => {
    this.motion.pause();
    this.maps.unmount();
    this.root.replaceChildren();
  };
}

/**
 * @param {HTMLElement} root @param {Space} space @param {import("../lens/pickable-cells-view.js").Acts} acts
 */
export const mountEquation = (root, space, acts) => new Equation(root, space, acts);

/** @param {Item[]} row @param {boolean} wraps @param {boolean} goesOn of a row that was broken @param {Paint} paint */
function drawRow(row, wraps, goesOn, paint) {
  const { room, frame } = paint;
  const kinds = {
    wraps: room.wraps,
    tight: room.tight,
    long: !room.tight && (wraps || row.some(longLabel)),
    ticked: isNamed(frame),
    "goes-on": goesOn,
  };
  const names = Object.entries(kinds).flatMap(([name, is]) => (is ? [name] : []));
  return el(
    "div",
    { class: ["equation", ...names].join(" "), style: `--tall:${tallest(row, paint)}px` },
    rowNames(frame, row, paint.unit, room),
    ...row.map((item) => drawItem(item, paint)),
  );
}

/** @param {Shown} shown @param {Scene} scene @param {Frame} frame @returns {Paint["drawn"]} in its place */
function repainted(shown, scene, frame) {
  const peaks = peaksOf(scene, frame);
  const earlier = piecesIn(shown.scene).map((piece) => shown.drawn.get(piece));
  return new Map(
    piecesIn(scene).map((piece, i) => {
      const before = /** @type {Drawn} */ (earlier[i]);
      const max = peaks.get(piece.scale) ?? 0;
      repaint(before, piece, lookOf(piece, max, before.sheet, frame));
      return [piece, { ...before, max, sheet: { ...before.sheet, tensor: piece.tensor } }];
    }),
  );
}

/** @param {Frame} frame @returns {Scene} on a projector that shows a number as well, its last row: what is added up */
function sceneBeside(frame) {
  const scene = withWindow(frame, sceneOf(frame));
  for (const piece of piecesIn(scene)) piece.tensor = drawnOf(frame, piece.tensor);
  return frame.pick && frame.state.projector ? { ...scene, rows: scene.rows.slice(-1) } : scene;
}

/**
 * @param {Scene} scene @param {Frame} frame
 * @returns {Map<string, number>} one colour scale for all pieces that are added or compared
 */
function peaksOf(scene, { walk, state }) {
  const peaks = new Map();
  for (const piece of piecesIn(scene)) {
    peaks.set(
      piece.scale,
      Math.max(peaks.get(piece.scale) ?? 0, peakOf(walk, piece.subject, piece.tensor, state.enlarged)),
    );
  }
  return peaks;
}

/** @param {Scene} scene @returns {Piece[]} in the order in which they are drawn */
function piecesIn({ rows }) {
  return rows.flat().flatMap(piecesOf);
}

/** @param {Scene} scene @param {Frame} frame @returns {string} equal where only the numbers differ */
function formOf(scene, { state: { projector, theme }, delta, pick }) {
  return JSON.stringify([scene, projector, theme, delta, pick === null], (key, value) =>
    key === "tensor" && value?.data ? sortOf(value) : value,
  );
}

/** @param {Item} item @returns {boolean} */
function isCurve(item) {
  return item.type === "sign" && Boolean(item.curve);
}

/** @param {import("../shared/tensor.js").Tensor} tensor @returns {unknown} all but its numbers */
function sortOf({ whole, shape, block, codes, stats }) {
  return [whole, shape, block, codes, stats.broken];
}
