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

/** @param {Tensor} tensor @returns {string} what takes the place of a colour scale */
export function codesText({ codes, data }) {
  if (codes?.names) return `${codes.names.length} ${codes.word.replace(/s$/, "se")}s`;
  const all = Array.from(data);
  return all.length
    ? `whole numbers, ${all.reduce((a, b) => Math.min(a, b))} to ${all.reduce((a, b) => Math.max(a, b))}`
    : "whole numbers";
}
