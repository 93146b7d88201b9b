import { sceneOf } from "./equation.js";
import { focusRow } from "../shared/axis-labels.js";
import { shapeText } from "../shared/format.js";
import { drawnOf } from "../walk/live.js";
import { isRounding, peakOf } from "../walk/picture-peak.js";
import { boxOf, brokenRows, elided, fitsBeside, namesWrap, sheetOf, signWidth } from "./equation-layout.js";
import { drawnBox, slotOf, unitOfAll, withSecondLine } from "./equation-layout.js";
import { el } from "../shared/dom/elements.js";
import { mountPickableCells } from "../lens/pickable-cells-view.js";
import { grown, rootScale } from "../shared/dom/root-scale.js";
import { motionOf } from "./flights.js";
import { playFlights, resumable } from "./flights-view.js";
import { isNamed, namesWidth, rowNames, ticksBelow } from "./axis-view.js";
import { drawCurve, SIDE } from "./curve-view.js";
import { drawPicture, repaint } from "./piece-view.js";
import { drawLinks, overlay } from "./overlay-view.js";
/** @typedef {import("../walk/frame.js").Frame} Frame */
/** @typedef {import("./items.js").Item} Item */
/** @typedef {import("./items.js").Piece} Piece */
/** @typedef {import("./items.js").Sum} Sum */
/** @typedef {import("./items.js").Scene} Scene */
/** @typedef {import("./equation-layout.js").Unit} Unit */
/** @typedef {import("./equation-layout.js").Room} Room */
/** @typedef {import("../lens/pickable-cells-view.js").Map} Sheet */
/** @typedef {import("./piece-view.js").Look} Look */
/** @typedef {import("./piece-view.js").Drawn & {max: number, sheet: Sheet}} Drawn */
/**
 * @typedef {{unit: Unit, room: Room, peaks: Map<string, number>, frame: Frame, sheets: Sheet[],
 *   stages: Map<Piece, HTMLElement>, drawn: Map<Piece, Drawn>}} Paint `drawn`: whatever can be moved, or painted anew
 */

/** Of a cell that is to be read from afar. */
const LARGE = /** @type {[number, number]} */ ([132, 72]);
const LABEL = 34;
const CAPTION = 32;
const LINE = 17;
const TICKS = 15;
/** The largest numbers in cells on a projector. */
const HALL_TYPE = 30;
/** Below this height a row of the equation does without captions. */
const TIGHT = 100;

/**
 * What there is for a picture, in pixels; `large` where its cells may be as large as they can.
 * @typedef {{width: () => number, height: () => number, large?: () => boolean}} Space
 */

/**
 * The step as an equation of tensors.
 * @param {HTMLElement} root @param {Space} space @param {import("../lens/pickable-cells-view.js").Acts} acts
 */
export function mountEquation(root, { width, height, large = () => false }, acts) {
  const maps = mountPickableCells(root, acts);
  /** @type {{frame: Frame, scene: Scene, box: HTMLElement, drawn: Paint["drawn"], form: string}|null} */
  let shown = null;
  const motion = resumable(
    () => shown?.frame.step.index ?? -1,
    (how) => {
      const moves = shown && !shown.frame.pick && motionOf(shown.frame, shown.scene);
      if (!shown || !moves) return null;
      return playFlights(shown.box, shown.drawn, moves, { ...how, theme: shown.frame.state.theme });
    },
  );

  return {
    /**
     * Other numbers in the same picture: nothing is laid out anew.
     * @param {Frame} frame @returns {boolean} false where it is another picture
     */
    repaint(frame) {
      const scene = sceneBeside(frame);
      if (!shown || shown.form !== formOf(scene, frame) || scene.rows.flat().some(isCurve)) return false;
      motion.pause();
      const peaks = peaksOf(scene, frame);
      const earlier = piecesIn(shown.scene).map((piece) => shown?.drawn.get(piece));
      /** @type {Paint["drawn"]} */
      const drawn = new Map();
      piecesIn(scene).forEach((piece, i) => {
        const before = /** @type {Drawn} */ (earlier[i]);
        const max = peaks.get(piece.scale) ?? 0;
        repaint(before, piece, lookOf(piece, max, before.sheet, frame));
        drawn.set(piece, { ...before, max, sheet: { ...before.sheet, tensor: piece.tensor } });
      });
      shown = { ...shown, frame, scene, drawn };
      maps.set(
        [...drawn.values()].map(({ sheet }) => sheet),
        frame,
      );
      motion.resume();
      return true;
    },
    /** @param {Frame} frame */
    update(frame) {
      motion.pause();
      const scene = sceneBeside(frame);
      const box = el("div", { class: `scene on-${frame.step.direction}`, role: "group", "aria-label": scene.spoken });
      /** @type {Sheet[]} */
      const sheets = [];
      const { projector } = frame.state;
      const whole = roomFor(width(), height(), scene.rows, frame, large());
      const rows = projector ? scene.rows : brokenRows(scene.rows, whole);
      const given = roomFor(width(), height(), rows, frame, large());
      const wraps = rows.map((row) => !projector && !given.tight && namesWrap(row, unitOfAll(rows, given), given));
      const room = wraps.includes(true) && !rows.flat().some(longLabel) ? withSecondLine(given) : given;
      const peaks = peaksOf(scene, frame);
      const unit = unitOfAll(rows, room);
      /** @type {Map<Piece, HTMLElement>} */
      const stages = new Map();
      /** @type {Paint["drawn"]} */
      const drawn = new Map();
      for (const [at, row] of rows.entries()) {
        const paint = { unit, room, peaks, frame, sheets, stages, drawn };
        const kinds = {
          wraps: room.wraps,
          tight: room.tight,
          long: !room.tight && (wraps[at] || row.some(longLabel)),
          ticked: isNamed(frame),
          "goes-on": rows.length > scene.rows.length,
        };
        box.append(
          el(
            "div",
            {
              class: ["equation", ...Object.entries(kinds).flatMap(([name, is]) => (is ? [name] : []))].join(" "),
              style: `--tall:${tallest(row, paint)}px`,
            },
            rowNames(frame, row, unit, room),
            ...row.map((item) => drawItem(item, paint)),
          ),
        );
      }
      const focused = maps.focused();
      root.replaceChildren(box);
      const ends = (scene.links ?? []).map((piece) => stages.get(piece));
      if (ends[0] && ends[1] && !room.wraps) drawLinks(box, ends[0], ends[1]);
      maps.set(sheets, frame);
      // drawn anew under the hands of whoever moves about in it
      sheets.find(({ element }) => element.dataset.map === focused)?.element.focus({ preventScroll: true });
      shown = { frame, scene, box, drawn, form: formOf(scene, frame) };
      motion.resume();
    },
    play: motion.play,
    point: maps.point,
    answer: maps.answer,
    unmount() {
      motion.pause();
      maps.unmount();
      root.replaceChildren();
    },
  };
}

/** @param {Frame} frame @returns {Scene} on a projector that shows a number as well, its last row: what is added up */
function sceneBeside(frame) {
  const scene = sceneOf(frame);
  for (const piece of piecesIn(scene)) piece.tensor = drawnOf(frame, piece.tensor);
  return frame.pick && frame.state.projector ? { ...scene, rows: scene.rows.slice(-1) } : scene;
}

/** @param {Item} item @returns {boolean} whether a label needs a second line */
function longLabel(item) {
  return piecesOf(item).some((piece) => piece.label.length > LINE);
}

/**
 * @param {Item[]} row @param {Paint} paint
 * @returns {number} height of the tallest tensor, on whose middle the signs stand
 */
function tallest(row, paint) {
  const pieces = row.flatMap((item) => (item.type === "sum" && item.down ? [item.from] : piecesOf(item)));
  const curve = row.some((item) => item.type === "sign" && item.curve) && !paint.frame.state.projector;
  return Math.max(
    curve ? SIDE + 34 : 24,
    ...pieces.map((piece) => boxOf(sheetOf(piece), paint.unit, paint.room.thin).height),
  );
}

/**
 * @param {number} width @param {number} tall @param {Item[][]} rows @param {Frame} frame @param {boolean} large
 * @returns {Room}
 */
function roomFor(width, tall, rows, frame, large) {
  const scale = rootScale();
  const room = roomOnLaptop(width / scale, tall / scale, rows, frame);
  return grown(large ? { ...room, cell: LARGE } : room);
}

/** @param {number} width @param {number} tall @param {Item[][]} rows @param {Frame} frame @returns {Room} */
function roomOnLaptop(width, tall, rows, frame) {
  const projector = frame.state.projector;
  const each = tall / rows.length - (rows.length > 1 ? 16 : 8);
  const sum = rows.some((row) => row.some((item) => item.type === "sum" && item.down));
  const tight = !projector && each - (sum ? 58 : 0) < TIGHT;
  const long = rows.some((row) => row.some(longLabel));
  const label = projector ? hallLabel(frame, long) : tight ? LINE + 3 : long ? LABEL + 14 : LABEL;
  const down = sum ? (projector ? 100 : tight ? 40 : 58) : 0;
  const least = tight || (frame.pick && each < TIGHT + 8) ? 24 : 40;
  const rounded = rows
    .flat()
    .flatMap(piecesOf)
    .some((one) => isRounding(frame.walk, one.subject, one.tensor));
  const caption = projector || tight ? 0 : CAPTION + (isNamed(frame) || rounded ? TICKS : 0);
  const height = each - label - caption - down;
  const narrow = width < 400 && !projector;
  const names = namesWidth(frame, rows[0] ?? [], narrow);
  const sign = projector ? 110 : 42;
  return {
    width: (narrow ? width * 1.8 : width - 4) - names,
    wraps: narrow,
    names,
    most: width - 4,
    height: narrow ? 128 : Math.max(least, height),
    sign,
    slot: projector ? 180 : 78,
    thin: projector ? 18 : 12,
    cell: projector ? [58, 30] : [72, 44],
    tight,
  };
}

/** @param {Frame} frame @returns {number} height of a number on its own */
function scalarHeight({ state }) {
  return (state.projector ? 64 : 34) * rootScale();
}

/** @param {Frame} frame @param {boolean} long @returns {number} height of a name and, going back, its part */
function hallLabel({ step, pick }, long) {
  return (step.direction === "backward" && !pick ? 84 : 48) + (long ? 32 : 0);
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

/**
 * @param {Piece} piece @param {number} max @param {{width: number, height: number}} size @param {Frame} frame
 * @returns {Look}
 */
function lookOf(piece, max, { width, height }, { walk, state }) {
  const rounding = isRounding(walk, piece.subject, piece.tensor);
  const type = state.projector ? HALL_TYPE * rootScale() : undefined;
  const focus = focusRow(walk.document.in_focus, piece.dims, piece.tensor);
  return { max, width, height, theme: state.theme, rounding, type, focus };
}

/** @param {Item} item @returns {Piece[]} */
function piecesOf(item) {
  if (item.type === "sign") return [];
  return item.type === "sum" ? [item.from, item.result] : [item];
}

/** @param {Item} item @param {Paint} paint @returns {HTMLElement} */
function drawItem(item, paint) {
  if (item.type === "sign") return drawSign(item, paint);
  if (item.type === "tensor") return drawPiece(item, paint);
  return item.down ? drawSumDown(item, paint) : drawSumAcross(item, paint);
}

/** @param {import("./equation.js").Sign|Sum} item @param {Paint} paint */
function drawSign(item, paint) {
  const [text, words] = item.type === "sum" ? [item.mark, item.words] : [item.text, item.words];
  const style = `width:${signWidth(item, paint.room.sign)}px`;
  if (item.type === "sign" && item.curve && !paint.frame.state.projector)
    return el("div", { class: "sign with-curve", style }, el("span"), drawCurve(item.curve, words));
  return el(
    "div",
    { class: item.type === "sum" ? "sign sum" : "sign", style },
    el("span"),
    el("div", { class: "mark" }, el("span", {}, text), words ? el("span", { class: "words" }, words) : null),
  );
}

/** @param {Sum} sum @param {Paint} paint */
function drawSumAcross(sum, paint) {
  const box = el("div", { class: "equation-part", style: "display:contents" });
  box.append(drawPiece(sum.from, paint, "sum-from"), drawSign(sum, paint), drawPiece(sum.result, paint, "sum-to"));
  return box;
}

/** @param {Sum} sum @param {Paint} paint */
function drawSumDown(sum, paint) {
  const from = drawPiece(sum.from, paint, "sum-from");
  const result = drawPiece(sum.result, paint, "sum-to");
  const [label, stage, ...rest] = [...result.children];
  const caption = rest.pop();
  const down = el("div", { class: "down" }, sum.mark, el("span", { class: "words" }, `${sum.words} ↓`));
  result.className += " beside";
  result.replaceChildren(stage, ...rest, el("div", { class: "below" }, label, caption));
  return el("div", { class: "sum-down" }, from, down, result);
}

/** @param {Piece} piece @param {Paint} paint @param {string} [name] */
function drawPiece(piece, paint, name = "") {
  const max = paint.peaks.get(piece.scale) ?? 0;
  const scalar = piece.tensor.size === 1 && !piece.stretch;
  const slot = Math.floor(slotOf(piece, paint.room) * paint.unit.squeeze);
  const size = drawnBox(piece, paint.unit, paint.room.thin, slot);
  const label = labelOf(piece, Math.max(size.width, slot) / rootScale(), paint);
  const axis = scalar || (!name && sheetOf(piece).rows === 1 && size.height < 40) ? " on-axis" : "";
  const look = lookOf(piece, max, size, paint.frame);
  const { picture, caption } = drawPicture(piece, look);
  const stage = el(
    "div",
    { class: "stage", style: `min-width:${size.width}px` },
    mapOf(piece, picture, size, paint),
    overlay(piece, look),
  );
  paint.stages.set(piece, stage);
  paint.drawn.set(piece, { picture, caption, max, sheet: /** @type {Sheet} */ (paint.sheets.at(-1)) });
  return el(
    "div",
    {
      class: `piece ${name}${piece.result ? " is-result" : ""}${piece.struck ? " is-struck" : ""}${axis}`,
      style: `--own:${scalar ? scalarHeight(paint.frame) : size.height}px;width:${Math.max(size.width, slot)}px`,
    },
    label,
    stage,
    piece.result ? ticksBelow(paint.frame, piece, size.width) : null,
    caption,
  );
}

/** @param {Piece} piece @param {number} width @param {Paint} paint @returns {HTMLElement} its name and its part here */
function labelOf({ label, role }, width, { room: { tight }, frame }) {
  const name = el(
    "b",
    { title: label },
    frame.state.projector ? label : elided(label, tight ? width - 6 : width, tight ? 1 : 2),
  );
  const what = tight && !fitsBeside(label, role, width) ? "" : role;
  return el("div", { class: "label" }, name, el("span", {}, what || "\u00a0"));
}

/**
 * @param {Piece} piece @param {HTMLElement} picture @param {{width: number, height: number}} size @param {Paint} paint
 * @returns {HTMLElement} whose cells can be picked
 */
function mapOf(piece, picture, size, { sheets, frame }) {
  const { subject } = piece;
  const shape = shapeText(subject ? frame.walk.node(subject.tensor).shape : piece.shape);
  const change = frame.delta ? "change of " : "";
  const label = subject
    ? `${change}${nameOf(piece, subject)}, ${shape}; arrow keys pick a cell, Enter looks inside`
    : `${piece.label}, ${shape}; arrow keys read a cell`;
  const element = el(
    "div",
    {
      class: "map",
      role: "group",
      tabindex: 0,
      "data-map": subject
        ? `${subject.of} ${subject.tensor} ${subject.path ?? sheets.length}`
        : `${piece.label} ${sheets.length}`,
      "aria-label": label,
    },
    picture,
  );
  const kind = ["so far", "this path"].find((words) => words === piece.role || words === piece.label);
  const { tensor, stretch, label: name, dims } = piece;
  sheets.push({ element, tensor, subject, stretch, name, dims, kind, ...size });
  return element;
}

/** @param {Piece} piece @param {import("../walk/pick.js").Subject} subject */
function nameOf({ role }, { of, tensor }) {
  return `${role && role !== of ? `${role}, ` : ""}${of} of ${tensor}`;
}
