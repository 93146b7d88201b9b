/** @typedef {import("./tensor.js").Tensor} Tensor */
/** @typedef {import("../walk/types.js").WalkDocument} WalkDocument */
/**
 * What the whole numbers of a tensor stand for: the names of the places that they pick, where somebody gave any.
 * @typedef {{word: string, names: string[]|null}} Codes
 */

const TINTS = 7;

/**
 * @param {WalkDocument} document
 * @param {(wire: import("../walk/types.js").Wire) => Tensor} tensorOf marks the tensors whose whole numbers are names
 *   rather than amounts
 */
export function markCodes({ nodes, labels }, tensorOf) {
  for (const node of nodes) markCode(node, labels, tensorOf);
}

/**
 * @param {Pick<import("../walk/types.js").SentNode, "value"|"values_name">} node
 * @param {Record<string, string[]>} labels @param {(wire: import("../walk/types.js").Wire) => Tensor} tensorOf
 */
export function markCode({ value, values_name: word }, labels, tensorOf) {
  if (value.dtype !== "i4" || "pooled" in value) return;
  tensorOf(value).codes = { word: word ?? "", names: (word && labels[word]) || null };
}

/** @param {Tensor} tensor @param {number} value @returns {string} what stands in the cell */
export function codeAt({ codes }, value) {
  return codes?.names?.[value] ?? String(value);
}

/**
 * @param {number} value
 * @returns {number} how dark a cell is without room for its name: neighbours differ, and larger is not darker
 */
export function codeTint(value) {
  const place = (((value * 3) % TINTS) + TINTS) % TINTS;
  return place / TINTS / 2.4;
}

const GLYPH = 0.62;
const FILL = 0.9;
/** Of a laptop's letters, in pixels; in a hall the smallest are this share of the largest. */
const FONT = { least: 8, most: 14, hall: 0.73 };

/** @param {Tensor} tensor @returns {number} of the longest name that is written in it */
function longestOf(tensor) {
  return Math.max(1, ...Array.from(tensor.data, (value) => codeAt(tensor, value).length));
}

/** @param {Tensor} tensor @returns {number} the width, in pixels, with which its names can be written; 0 of amounts */
export function codesWidth(tensor) {
  return tensor.codes ? tensor.grid.cols * longestOf(tensor) * 7 : 0;
}

/**
 * How whole numbers are written into a sheet: into every row, or where rows are narrow, into some, and always into the
 * one in focus.
 * @param {Tensor} tensor @param {{rows: number, cols: number}} sheet
 * @param {{width: number, height: number, type?: number, focus?: number|null}} look
 * @returns {{size: number, lines: {row: number, y: number}[]}} type in pixels, and where its lines stand; none without
 *   room for them
 */
export function codeLines(tensor, { rows, cols }, { width, height, type, focus = null }) {
  const row = height / rows;
  const most = Math.min(type ?? FONT.most, Math.floor(width / cols / longestOf(tensor) / GLYPH));
  const least = Math.max(FONT.least, Math.min(most, (type ?? 0) * FONT.hall));
  const every = Math.max(1, Math.ceil(least / FILL / row));
  const size = Math.min(most, Math.floor(row * every * FILL));
  if (size < FONT.least || every * 2 >= rows + 2) return { size, lines: [] };
  const first = (focus ?? Math.floor((every - 1) / 2)) % every;
  const [top, foot] = [size / 2, height - size / 2];
  const lines = Array.from({ length: Math.ceil((rows - first) / every) }, (_, i) => {
    const at = first + i * every;
    const y = (at + 0.5) * row;
    const within = Math.max(top, Math.min(foot, y));
    return { row: at, y: within, off: at === focus ? 0 : Math.abs(y - within) };
  });
  return { size, lines: lines.filter(({ off }) => off <= size * 0.3).map(({ row, y }) => ({ row, y })) };
}

/** @param {Tensor} tensor @returns {string} what takes the place of a colour scale */
export function codesText({ codes, data }) {
  if (codes?.names) return `${codes.names.length}\u00a0${codes.word.replace(/s$/, "se")}s`;
  const all = Array.from(data);
  return all.length
    ? `whole numbers, ${all.reduce((a, b) => Math.min(a, b))} to ${all.reduce((a, b) => Math.max(a, b))}`
    : "whole numbers";
}
