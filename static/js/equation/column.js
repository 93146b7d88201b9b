/** @typedef {import("./items.js").Piece} Piece */

/**
 * A vector drawn as a column, beside the rows that its cells belong to.
 * @param {Piece} one @returns {Piece}
 */
export function asColumn(one) {
  const { tensor } = one;
  const turned = Object.create(tensor, {
    shape: { value: [tensor.size, 1] },
    grid: { value: { rows: tensor.size, cols: 1, block: 0 } },
    cellAt: { value: (/** @type {number} */ row) => [row] },
  });
  return { ...one, tensor: turned, turned: true };
}
