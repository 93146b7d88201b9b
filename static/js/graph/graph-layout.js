import { LEAST, SMALLEST, measured, sizesFor } from "./graph-sizes.js";
import { railPath } from "./rail-paths.js";
/** @typedef {import("./graph-rows.js").Rows} Rows */
/** @typedef {import("./graph-sizes.js").Labels} Labels */
/** @typedef {import("./graph-sizes.js").Sizes} Sizes */
/** @typedef {import("./graph-sizes.js").Room} Room */
/** @typedef {import("./graph-sizes.js").Plan} Plan */
/** @typedef {{left: number, top: number, width: number, height: number}} Rect */
/** @typedef {{x: number, y: number, column: number}} Place the middle of a thumbnail */
/**
 * A given tensor beside a line that reads it.
 * @typedef {{name: string, to: string, again: boolean, rect: Rect, path: string}} Pill
 */
/** @typedef {{name: string, rect: Rect}} Band the rows of a group, or those of them that a column holds */
/**
 * @typedef {{width: number, height: number, headings: boolean, sizes: Sizes, nodes: Map<string, Rect>, pills: Pill[],
 *   rails: {from: string, to: string, path: string}[], bands: Band[]}} Layout
 */

/** Heights of a row: pleasant, close, and the least in which a name stands clear of the next. */
const PITCH = { pleasant: 21, close: 18, least: 13 };
/** The narrowest column. */
const COLUMN = 84;
/** Room above and below several columns, and between two, for what runs from one to the next. */
const GUTTER = 10;
/** Above the first row and below the last. */
const EDGE = 8;
/** Between two groups. */
const PAUSE = 5;

/**
 * Rows set into a pane, whole: as high as there is room, then closer together, then in several columns. A name that
 * still has no room is shortened.
 * @param {Rows} graph @param {Labels} labels @param {Room} room @returns {Layout}
 */
export function layOut(graph, labels, room) {
  const plan = planFor(graph, labels, room);
  const sizes = sizesFor(graph, labels, room, plan);
  const stack = stackOf(graph, room, plan, sizes.pitch);
  return {
    height: stack.height,
    headings: plan.headings,
    ...placed(graph, { ...stack, width: room.width, plan, sizes }),
  };
}

/** @param {Rows} graph @param {Labels} labels @param {Room} room @returns {Plan} the first that is good enough */
function planFor(graph, labels, room) {
  const most = Math.max(1, Math.min(graph.rows.length, Math.floor(room.width / COLUMN)));
  const several = Array.from({ length: most - 1 }, (_, i) => i + 2);
  const [pleasant, close, least] = [PITCH.pleasant, PITCH.close, PITCH.least];
  const tried = [
    { columns: 1, headings: true, pitch: pleasant, cut: true },
    { columns: 1, headings: false, pitch: pleasant, cut: true },
    ...several.map((columns) => ({ columns, headings: false, pitch: pleasant, cut: false })),
    { columns: 1, headings: false, pitch: close, cut: true },
    { columns: 1, headings: false, pitch: least, cut: true },
    ...several.map((columns) => ({ columns, headings: false, pitch: least, cut: true })),
  ];
  const plans = tried.map((one) => ({ ...one, room: pitchOf(graph, room, one) }));
  const good = plans.find(
    (one) =>
      one.room >= one.pitch &&
      (one.cut || measured(graph, labels, SMALLEST, one.room, LEAST).all <= room.width / one.columns),
  );
  const { columns, headings, room: pitch } = good ?? { ...plans[plans.length - 1], room: PITCH.least };
  return { columns, headings, pitch: Math.min(pitch, 2.6 * room.type) };
}

/** @param {Rows} graph @param {Room} room @param {{columns: number, headings: boolean}} plan how high a row can be */
function pitchOf(graph, room, plan) {
  const spare = room.height - stackOf(graph, room, plan, 0).height;
  return spare / Math.ceil(graph.rows.length / plan.columns);
}

/**
 * @param {Rows} graph @param {Room} room @param {{columns: number, headings: boolean}} plan @param {number} pitch
 * @returns {{height: number, tops: {column: number, y: number}[], bands: {name: string, column: number, top: number,
 *   bottom: number}[], heading: number}} rows and groups from top to bottom, column by column
 */
function stackOf({ rows }, room, { columns, headings }, pitch) {
  const each = Math.ceil(rows.length / columns);
  const heading = headings ? Math.max(SMALLEST, 0.77 * room.type) * 1.4 : 0;
  const above = EDGE + (columns > 1 ? GUTTER : 0);
  /** @type {{name: string, column: number, top: number, bottom: number}[]} */
  const bands = [];
  let [y, height] = [above, 0];
  const tops = rows.map((row, i) => {
    const column = Math.floor(i / each);
    const first = i % each === 0;
    if (first) y = above;
    if (first || row.group !== rows[i - 1].group) {
      if (!first) y += PAUSE;
      if (row.group) bands.push({ name: row.group, column, top: y, bottom: y });
      if (row.group) y += heading;
    }
    y += pitch;
    if (row.group) bands[bands.length - 1].bottom = y;
    height = Math.max(height, y + above);
    return { column, y: y - pitch / 2 };
  });
  return { height, tops, bands, heading };
}

/**
 * @param {Rows} graph
 * @param {ReturnType<typeof stackOf> & {width: number, plan: Plan, sizes: Sizes}} to
 * @returns {Omit<Layout, "height"|"headings">}
 */
function placed(graph, { width, height, plan, sizes, tops, bands }) {
  const column = width / plan.columns;
  const left = (/** @type {number} */ of) => of * column + (column - sizes.all) / 2 + sizes.rim;
  const station = (/** @type {number} */ of, /** @type {number} */ lane) =>
    left(of) + sizes.names + sizes.gap + sizes.thumb / 2 + lane * sizes.lane;
  const places = tops.map((top, i) => ({ ...top, x: station(top.column, graph.rows[i].lane) }));
  const across = { places, station, right: (/** @type {number} */ of) => (of + 1) * column, height };
  return {
    width,
    sizes,
    nodes: new Map(graph.rows.map((row, i) => [row.name, rectOf(places[i], left(places[i].column), sizes)])),
    pills: graph.rows.flatMap((row, i) =>
      pillsOf(row, places[i], station(places[i].column, graph.lanes - 1) + sizes.thumb / 2 + 2 * sizes.gap, sizes),
    ),
    rails: graph.rails.map((rail) => ({
      from: graph.rows[rail.from].name,
      to: graph.rows[rail.to].name,
      path: railPath(rail, across),
    })),
    bands: bands.map((band) => ({
      name: band.name,
      rect: {
        left: left(band.column) - sizes.rim + 3,
        top: band.top,
        width: Math.min(column, sizes.all) - 6,
        height: band.bottom - band.top,
      },
    })),
  };
}

/** @param {Place} place @param {number} left @param {Sizes} sizes @returns {Rect} name, badge and thumbnail */
function rectOf({ x, y }, left, { pitch, thumb, font, rim }) {
  const height = Math.min(pitch - 1, 2 * font);
  return {
    left: left - Math.min(4, rim),
    top: y - height / 2,
    width: x + thumb / 2 + 3 - left + Math.min(4, rim),
    height,
  };
}

/**
 * @param {import("./graph-rows.js").Row} row @param {Place} place @param {number} left @param {Sizes} sizes
 * @returns {Pill[]} from left to right, each with its line to the thumbnail
 */
function pillsOf({ name, inputs }, { x, y }, left, sizes) {
  const widths = shortened(
    inputs.map((input) => sizes.pill(input)),
    sizes.pills - sizes.between * (inputs.length - 1),
  );
  const height = Math.min(sizes.pitch - 2, 1.75 * sizes.font);
  const apart = Math.min(sizes.font / 2, height / (inputs.length + 1));
  let at = left;
  return inputs.map((input, i) => {
    const rect = { left: at, top: y - height / 2, width: widths[i], height };
    at += widths[i] + sizes.between;
    const level = y + (i - (inputs.length - 1) / 2) * apart;
    return { ...input, to: name, rect, path: `M${x.toFixed(1)} ${level.toFixed(1)}H${(rect.left + 5).toFixed(1)}` };
  });
}

/** @param {number[]} widths @param {number} room @returns {number[]} the widest give way first, all to the same */
function shortened(widths, room) {
  let least = 0;
  let spare = room;
  const sorted = [...widths].sort((a, b) => a - b);
  for (const [i, width] of sorted.entries()) {
    least = spare / (sorted.length - i);
    if (width > least) return widths.map((one) => Math.min(one, least));
    spare -= width;
  }
  return widths;
}
