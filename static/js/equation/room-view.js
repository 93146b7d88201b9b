import { brokenRows, namesWrap, unitOfAll, withSecondLine } from "./equation-layout.js";
import { piecesOf } from "./items.js";
import { isRounding } from "../walk/picture-peak.js";
import { grown, rootScale } from "../shared/dom/root-scale.js";
import { isNamed, namesWidth } from "./axis-view.js";
/** @typedef {import("../walk/frame.js").Frame} Frame */
/** @typedef {import("./items.js").Item} Item */
/** @typedef {import("./equation-layout.js").Unit} Unit */
/** @typedef {import("./equation-layout.js").Room} Room */
/**
 * What there is for a picture, in pixels; `large` where its cells may be as large as they can.
 * @typedef {{width: () => number, height: () => number, large?: () => boolean}} Space
 */

/** Of a cell that is to be read from afar. */
const LARGE = /** @type {[number, number]} */ ([132, 72]);
const LABEL = 34;
const CAPTION = 32;
const LINE = 17;
const TICKS = 15;
/** Below this height a row of the equation does without captions. */
const TIGHT = 100;

/**
 * How the rows of an equation are laid out; `wraps` says of each whether a name in it needs a second line.
 * @param {Item[][]} whole @param {Frame} frame @param {Space} space
 * @returns {{rows: Item[][], room: Room, unit: Unit, wraps: boolean[]}}
 */
export function planOf(whole, frame, { width, height, large = () => false }) {
  const { projector } = frame.state;
  const roomOf = (/** @type {Item[][]} */ rows) => roomFor(width(), height(), rows, frame, large());
  const rows = projector ? whole : brokenRows(whole, roomOf(whole));
  const given = roomOf(rows);
  const wraps = rows.map((row) => !projector && !given.tight && namesWrap(row, unitOfAll(rows, given), given));
  const room = wraps.includes(true) && !rows.flat().some(longLabel) ? withSecondLine(given) : given;
  return { rows, room, unit: unitOfAll(rows, room), wraps };
}

/** @param {Item} item @returns {boolean} whether a label needs a second line */
export function longLabel(item) {
  return piecesOf(item).some((piece) => piece.label.length > LINE);
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

/** @param {Frame} frame @param {boolean} long @returns {number} height of a name and, going back, its part */
function hallLabel({ step, pick }, long) {
  return (step.direction === "backward" && !pick ? 84 : 48) + (long ? 32 : 0);
}
