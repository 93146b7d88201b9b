/** @param {readonly number[]} shape @returns {number} how many cells a tensor of the shape has */
export function numel(shape) {
  return shape.reduce((product, size) => product * size, 1);
}

/** @param {any} values nested lists, or a number @returns {number[]} the shape of the tensor that they write */
export function shapeOf(values) {
  return Array.isArray(values) ? [values.length, ...shapeOf(values[0])] : [];
}

/**
 * @param {number[]} shape
 * @returns {{rows: number, cols: number}} all axes but the last laid below each other, as the server cuts its windows
 */
export function sheetOfShape(shape) {
  return { rows: numel(shape.slice(0, -1)), cols: shape[shape.length - 1] ?? 1 };
}
