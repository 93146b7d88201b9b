import { shapeText } from "../shared/format.js";
/** @typedef {import("./drawn-graph.js").DrawnGraph} DrawnGraph */
/** @typedef {import("./drawn-graph.js").Arrow} Arrow */
/** @typedef {{left: number, top: number, width: number, height: number}} Rect */
/** A place along the row of lines and across it. @typedef {{along: number, across: number}} Point */
/** The middle of a box, and half of its size. @typedef {{middle: Point, half: Point}} Box */
/**
 * @typedef {Arrow & {path: string, head: string, tail: string}} Drawn the line of an arrow, and its point at either end
 * @typedef {{width: number, height: number, row: boolean, nodes: Map<string, Rect>, arrows: Drawn[]}} Layout
 */
/**
 * Room and letters: `letter` is as wide as a letter of a name, `high` as high as a node that stands in a row.
 * @typedef {{width: number, height: number, letter: number, high: number}} Room
 */

/** Between two lines, at least and at most; between the lines and what is given; between two given tensors. */
const GAP = { row: 30, wide: 54, column: 22, side: 46, given: 10 };
const PAD = 20;
/** A letter of a shape, beside one of a name; a number has room for so many. */
const SMALL = 0.85;
const DIGITS = 6;
const TIP = { long: 9, half: 4 };
/** How far an arrow that passes a line by bends out, for each line that it passes. */
const BEND = 18;

/** @param {DrawnGraph} graph @param {Room} room @returns {Layout} lines in a row where they fit, else a column */
export function layOut(graph, room) {
  const widths = graph.spine.reduce((sum, name) => sum + widthOf(graph.nodes.get(name), room.letter), 0);
  const free = (room.width - 2 - widths) / Math.max(1, graph.spine.length - 1);
  const row = free >= GAP.row ? laidOut(graph, room, Math.min(GAP.wide, free)) : null;
  return row && row.width <= room.width ? row : laidOut(graph, room, null);
}

/** @param {DrawnGraph} graph @param {Room} room @param {number|null} gap between lines in a row, none for a column */
function laidOut(graph, room, gap) {
  const row = gap !== null;
  const width = (/** @type {string} */ name) => widthOf(graph.nodes.get(name), room.letter);
  const pitch = Math.min(room.high + GAP.column, room.height / graph.spine.length);
  const high = row ? room.high : Math.min(room.high, Math.max(0.62 * pitch, pitch - GAP.column));
  const half = (/** @type {string} */ name) =>
    row ? { along: width(name) / 2, across: high / 2 } : { along: high / 2, across: width(name) / 2 };
  const boxes = spineOf(graph.spine, half, gap ?? pitch - high);
  const beside = (/** @type {string[]} */ names, /** @type {number} */ side) =>
    sideOf(graph, names, { side, half, boxes, bend: bendOf(graph, boxes) });
  for (const [name, box] of [...beside(graph.before, -1), ...beside(graph.after, 1)]) boxes.set(name, box);
  return drawn(graph, boxes, row);
}

/** @param {import("./drawn-graph.js").Node|undefined} node @param {number} letter */
function widthOf(node, letter) {
  const { label, shape } = node ?? { label: "", shape: [] };
  const below = shape.length ? shapeText(shape).length : DIGITS;
  return Math.max(label.length, SMALL * below) * letter + PAD;
}

/** @param {string[]} names @param {(name: string) => Point} half @param {number} gap @returns {Map<string, Box>} */
function spineOf(names, half, gap) {
  let end = -gap;
  return new Map(
    names.map((name) => {
      const size = half(name);
      const along = end + gap + size.along;
      end = along + size.along;
      return [name, { middle: { along, across: 0 }, half: size }];
    }),
  );
}

/** @param {DrawnGraph} graph @param {Map<string, Box>} boxes @returns {number} how far arrows past lines bend out */
function bendOf({ spine, arrows }, boxes) {
  const passed = arrows.map(({ from, to }) => (boxes.has(from) ? spine.indexOf(to) - spine.indexOf(from) - 1 : 0));
  return BEND * Math.min(4, Math.max(0, ...passed));
}

/**
 * Given tensors on one side of the lines, each as near as may be to those that read it.
 * @param {DrawnGraph} graph @param {string[]} names
 * @param {{side: number, half: (name: string) => Point, boxes: Map<string, Box>, bend: number}} how
 * @returns {[string, Box][]}
 */
function sideOf({ arrows }, names, { side, half, boxes, bend }) {
  const wide = Math.max(...[...boxes.values()].map((box) => box.half.across));
  const away = wide + GAP.side + (side > 0 ? bend : 0);
  const wanted = names.map((name) => {
    const readers = arrows.flatMap(({ from, to }) => (from === name ? [boxes.get(to)?.middle.along ?? 0] : []));
    return { name, half: half(name), along: readers.reduce((a, b) => a + b, 0) / readers.length };
  });
  wanted.sort((a, b) => a.along - b.along);
  const places = apart(wanted.map(({ along, half: { along: size } }) => ({ along, size })));
  return wanted.map(({ name, half: size }, i) => [
    name,
    { middle: { along: places[i], across: side * (away + size.across) }, half: size },
  ]);
}

/**
 * @param {{along: number, size: number}[]} wanted in order @returns {number[]} places in which none covers the next,
 *   moved as little forwards as backwards
 */
function apart(wanted) {
  const least = (/** @type {number} */ i) => wanted[i - 1].size + GAP.given + wanted[i].size;
  const places = wanted.map(({ along }) => along);
  for (let i = 1; i < places.length; i += 1) places[i] = Math.max(places[i], places[i - 1] + least(i));
  const pushed = places.reduce((sum, place, i) => sum + place - wanted[i].along, 0) / (places.length || 1);
  for (let i = 0; i < places.length; i += 1) places[i] -= pushed;
  return places;
}

/** @param {DrawnGraph} graph @param {Map<string, Box>} boxes @param {boolean} row @returns {Layout} */
function drawn(graph, boxes, row) {
  const arrows = arrowsOf(graph, boxes);
  const all = [...boxes.values()];
  const least = (/** @type {keyof Point} */ of) => Math.min(...all.map(({ middle, half }) => middle[of] - half[of]));
  const most = (/** @type {keyof Point} */ of) => Math.max(...all.map(({ middle, half }) => middle[of] + half[of]));
  const bent = Math.max(most("across"), ...arrows.map(({ out }) => out));
  const [along, across] = [least("along") - 1, least("across") - 1];
  const size = [most("along") - along + 1, bent - across + 1];
  const at = (/** @type {Point} */ point) => {
    const moved = [point.along - along, point.across - across];
    return row ? moved : moved.reverse();
  };
  return {
    width: row ? size[0] : size[1],
    height: row ? size[1] : size[0],
    row,
    nodes: new Map([...boxes].map(([name, box]) => [name, rectOf(box, at)])),
    arrows: arrows.map(({ from, to, ends, bends }) => ({ from, to, ...pathOf(ends, bends, at) })),
  };
}

/** @param {Box} box @param {(point: Point) => number[]} at @returns {Rect} */
function rectOf({ middle, half }, at) {
  const [left, top] = at({ along: middle.along - half.along, across: middle.across - half.across });
  const [right, bottom] = at({ along: middle.along + half.along, across: middle.across + half.across });
  return { left, top, width: right - left, height: bottom - top };
}

/**
 * @param {DrawnGraph} graph @param {Map<string, Box>} boxes
 * @returns {{from: string, to: string, ends: [Point, Point], bends: [Point, Point], out: number}[]} where each arrow
 *   begins and ends, on the rims of its nodes, where it turns to, and how far out it reaches
 */
function arrowsOf(graph, boxes) {
  const sided = graph.arrows.flatMap((arrow) => {
    const [from, to] = [boxes.get(arrow.from), boxes.get(arrow.to)];
    return from && to ? [{ ...arrow, a: from, b: to, side: sideFor(graph, arrow) }] : [];
  });
  return sided.map((arrow) => {
    const { from, to, a, b, side } = arrow;
    if (side === 0) return { from, to, ...straight(a, b) };
    const port = (/** @type {"from"|"to"} */ end) => {
      const box = end === "to" ? b : a;
      const others = sided.filter((one) => touches(one, arrow[end], side));
      others.sort((one, other) => farEnd(one, arrow[end]) - farEnd(other, arrow[end]));
      const place = (others.indexOf(arrow) + 1) / (others.length + 1);
      return { along: box.middle.along + (2 * place - 1) * box.half.along, across: 0 };
    };
    const [begin, end] = [port("from"), port("to")];
    const inLine = a.middle.across === 0;
    begin.across = a.middle.across + (inLine ? side : -side) * a.half.across;
    end.across = b.middle.across + side * b.half.across;
    const passed = inLine ? graph.spine.indexOf(to) - graph.spine.indexOf(from) - 1 : 0;
    const out = Math.max(begin.across, end.across) + BEND * Math.min(4, passed) + 4;
    const turn = inLine ? [out * 1.2, out * 1.2] : [(begin.across + end.across) / 2, (begin.across + end.across) / 2];
    const bends = /** @type {[Point, Point]} */ ([
      { along: begin.along, across: turn[0] },
      { along: end.along, across: turn[1] },
    ]);
    return { from, to, ends: /** @type {[Point, Point]} */ ([begin, end]), bends, out: inLine ? out : 0 };
  });
}

/** @param {DrawnGraph} graph @param {Arrow} arrow @returns {number} −1 before the lines, 1 after them, 0 along them */
function sideFor({ spine, before }, { from, to }) {
  if (before.includes(from)) return -1;
  return spine.indexOf(to) - spine.indexOf(from) === 1 && spine.includes(from) ? 0 : 1;
}

/** @param {Arrow & {side: number}} one @param {string} name @param {number} side */
function touches(one, name, side) {
  return one.side === side && (one.from === name || one.to === name);
}

/** @param {Arrow & {a: Box, b: Box}} one @param {string} name @returns {number} where its other end lies */
function farEnd({ from, a, b }, name) {
  return (from === name ? b : a).middle.along;
}

/** From a line to the next. @param {Box} a @param {Box} b */
function straight(a, b) {
  const begin = { along: a.middle.along + a.half.along, across: 0 };
  const end = { along: b.middle.along - b.half.along, across: 0 };
  const ends = /** @type {[Point, Point]} */ ([begin, end]);
  return { ends, bends: ends, out: 0 };
}

/**
 * @param {[Point, Point]} ends @param {[Point, Point]} bends @param {(point: Point) => number[]} at
 * @returns {{path: string, head: string, tail: string}}
 */
function pathOf(ends, bends, at) {
  const [begin, end] = ends.map(at);
  const [out, into] = bends.map(at);
  const straightOn = bends[0] === ends[0];
  const text = (/** @type {number[]} */ point) => point.map((one) => one.toFixed(1)).join(" ");
  const path = `M${text(begin)}${straightOn ? "L" : `C${text(out)} ${text(into)} `}${text(end)}`;
  return { path, head: tipOf(end, straightOn ? begin : into), tail: tipOf(begin, straightOn ? end : out) };
}

/** @param {number[]} end that it touches @param {number[]} before where the line comes from */
function tipOf([x, y], [fromX, fromY]) {
  const long = Math.hypot(x - fromX, y - fromY) || 1;
  const [dx, dy] = [(x - fromX) / long, (y - fromY) / long];
  const [footX, footY] = [x - dx * TIP.long, y - dy * TIP.long];
  const corner = (/** @type {number} */ to) =>
    `${(footX - dy * TIP.half * to).toFixed(1)} ${(footY + dx * TIP.half * to).toFixed(1)}`;
  return `M${x.toFixed(1)} ${y.toFixed(1)}L${corner(1)}L${corner(-1)}Z`;
}
