/** @typedef {import("../shared/tensor.js").Tensor} Tensor */

/** @param {Tensor} tensor @returns {string} a line for each row of its sheet */
export function csvOf({ data, grid: { rows, cols }, wire }) {
  const text = (/** @type {number} */ value) => digits(value, wire.dtype);
  return `${range(rows)
    .map((row) =>
      range(cols)
        .map((col) => text(data[row * cols + col]))
        .join(","),
    )
    .join("\n")}\n`;
}

/** @param {Tensor} tensor @param {string} name @returns {string} a line of Python that makes it, to the last bit */
export function numpyOf({ data, shape, wire }, name) {
  const types = /** @type {Record<string, string>} */ ({ f4: "float32", f8: "float64", u1: "bool" });
  const named = (/** @type {string} */ text) => text.replace(/nan|inf/, "np.$&");
  let at = 0;
  /** @param {number} axis @returns {string} */
  function part(axis) {
    if (axis === shape.length) return named(digits(data[at++], wire.dtype));
    const between = axis === shape.length - 1 ? ", " : `,\n${" ".repeat(axis + 1)}`;
    return `[${range(shape[axis])
      .map(() => part(axis + 1))
      .join(between)}]`;
  }
  return `${name} = np.array(${part(0)}, dtype=np.${types[wire.dtype] ?? "int64"})\n`;
}

/** @param {number} value @param {string} dtype @returns {string} so that it is read back to the very bit */
function digits(value, dtype) {
  if (Number.isNaN(value)) return "nan";
  if (!Number.isFinite(value)) return value < 0 ? "-inf" : "inf";
  return Object.is(value, -0) ? "-0.0" : String(dtype === "f4" ? Number(value.toPrecision(9)) : value);
}

/** @param {number} count */
function range(count) {
  return Array.from({ length: count }, (_, i) => i);
}
