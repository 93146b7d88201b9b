/** @typedef {import("./graph-rows.js").Rows} Rows */
/** @typedef {{text: string, badge: boolean}} Label */
/** @typedef {Map<string, Label>} Labels by the tensor's name */
/** @typedef {{width: number, height: number, type: number}} Room `type`: the largest font size there */
/** @typedef {{columns: number, headings: boolean, pitch: number}} Plan `pitch`: from one row to the next */
/**
 * Sizes in pixels: `font` and `small` of the type of names and pills, `pitch` from row to row, `lane` between lanes,
 * `rim` beside a row, `gap` between its parts and `between` its pills; `names`, `pills` and `all` are widths of the
 * longest name, of the longest pills of a row and of a row, `letters` of as many pills with a letter each; `edge` is by
 * how much edges are wider than usual.
 * @typedef {{font: number, small: number, pitch: number, thumb: number, lane: number, rim: number, gap: number,
 *   between: number, names: number, pills: number, letters: number, all: number, edge: number, saving: Saving,
 *   pill: (input: Input) => number}} Sizes
 */
/** @typedef {{name: string, again: boolean}} Input */
/**
 * Less room between the parts; pills without their thumbnails; pills without their badges.
 * @typedef {{close?: boolean, bare?: boolean, plain?: boolean}} Saving
 */

/** No name is written smaller. */
export const SMALLEST = 10;
/** A letter's width, where its height is 1. */
const GLYPH = 0.605;
/** How much of a row's height its type takes. */
const TYPE = 0.42;
/** Room left and right of a row, and what is left of it where there is too little. */
const RIM = { usual: 10, close: 3 };
/** Inside a pill, left and right of its name. */
const PADDING = { usual: 6, plain: 3 };
/** All lanes together are no wider. */
const LANES = 90;
/** From one pill to the next, and the least that is left of one. */
const APART = { usual: 4, plain: 1 };
const LETTER = 7;
/** Pills that are shortened keep this much of a row's width. */
const SHARE = 0.3;

/** @type {Saving[]} Where there is too little room, from what is missed least. */
const SAVINGS = [{}, { close: true }, { close: true, bare: true }, { close: true, bare: true, plain: true }];
/** All that can be saved. */
export const LEAST = SAVINGS[SAVINGS.length - 1];

/**
 * The largest type in which everything has room; where even the smallest has none, names are shortened.
 * @param {Rows} graph @param {Labels} labels @param {Room} room @param {Plan} plan @returns {Sizes}
 */
export function sizesFor(graph, labels, room, { columns, pitch }) {
  const width = room.width / columns;
  for (let font = Math.max(SMALLEST, Math.min(room.type, TYPE * pitch)); font > SMALLEST; font -= 0.5) {
    const sizes = measured(graph, labels, font, pitch);
    if (sizes.all <= width) return sizes;
  }
  const smaller = SAVINGS.map((saving) => measured(graph, labels, SMALLEST, pitch, saving));
  return smaller.find((sizes) => sizes.all <= width) ?? cut(smaller[smaller.length - 1], width);
}

/** @param {Sizes} sizes @param {number} width @returns {Sizes} names and pills share what there is */
function cut(sizes, width) {
  const room = Math.max(0, width - (sizes.all - sizes.names - sizes.pills));
  const pills = Math.min(sizes.pills, Math.max(SHARE * room, sizes.letters, room - sizes.names));
  return { ...sizes, pills, names: Math.min(sizes.names, room - pills), all: width };
}

/**
 * @param {Rows} graph @param {Labels} labels @param {number} font @param {number} pitch @param {Saving} [saving]
 * @returns {Sizes} as wide as the longest names ask for
 */
export function measured({ rows, lanes }, labels, font, pitch, saving = {}) {
  const small = Math.max(SMALLEST, 0.92 * font);
  const badge = (/** @type {Label|undefined} */ label) => (label?.badge ? badgeSize(font) + 4 : 0);
  const words = (/** @type {Label|undefined} */ label) => label?.text.length ?? 0;
  const name = (/** @type {string} */ key) =>
    Math.ceil(words(labels.get(key)) * GLYPH * font) + badge(labels.get(key)) + 2;
  const pill = (/** @type {Input} */ { name, again }) => {
    const label = labels.get(name);
    const besides = again ? 0 : (saving.plain ? 0 : badge(label)) + (saving.bare ? 0 : 0.9 * font + 3);
    return Math.ceil(words(label) * GLYPH * small) + besides + 2 * (saving.plain ? PADDING.plain : PADDING.usual);
  };
  const thumb = Math.min(pitch - 3, 1.7 * font);
  const [gap, lane] = saving.close ? [4, thumb + 2] : [Math.max(6, 0.6 * font), Math.max(thumb + 4, 1.9 * font)];
  const rim = saving.close ? RIM.close : RIM.usual;
  const apart = Math.min(lane, LANES / lanes);
  const names = Math.max(0, ...rows.map((row) => name(row.name)));
  const between = saving.plain ? APART.plain : APART.usual;
  const widest = (/** @type {(input: Input) => number} */ width) =>
    Math.max(0, ...rows.map(({ inputs }) => inputs.reduce((sum, one) => sum + width(one) + between, -between)));
  const pills = widest(pill);
  const all = 2 * rim + names + gap + thumb + (lanes - 1) * apart + (pills && 2 * gap + pills);
  return {
    font,
    small,
    rim,
    pitch,
    thumb,
    lane: apart,
    gap,
    names,
    pills,
    all,
    edge: thumb / 18,
    saving,
    between,
    letters: widest(() => LETTER),
    pill,
  };
}

/** @param {number} font @returns {number} */
function badgeSize(font) {
  return Math.max(12, 1.1 * font);
}
