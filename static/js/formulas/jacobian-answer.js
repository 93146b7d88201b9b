import { formulaAt } from "./opened-cell.js";
import { scopeOf } from "./scope.js";
import { readingOf } from "./tape.js";
import { total } from "./terms.js";
import { NotExpressible } from "./tree.js";
import { ravel, Tensor, textOf } from "../shared/tensor.js";
/** @typedef {import("./scope.js").Scope} Scope */
/** @typedef {import("../walk/types.js").WalkDocument} WalkDocument */
/** @typedef {import("../walk/types.js").Whole} Whole */
/** @typedef {{name: string, cells: number[][]}} Side a tensor, and those of its cells that run along one side */

/**
 * The numbers of a block of a local Jacobian, as POST /api/jacobian answers.
 * @param {Side} rows of the tensor that is differentiated @param {Side} columns of that by which it is
 * @param {Whole|string} matrix its numbers, or the formula that says them @param {WalkDocument} whole
 * @returns {{jacobian: Whole, arriving: Whole, result: Whole}|null} null where the formula doesn't say them
 */
export function jacobianNumbers(rows, columns, matrix, whole) {
  const scope = scopeOf(whole);
  try {
    const local = typeof matrix === "string" ? slopesOf(matrix, rows, columns, scope) : [...new Tensor(matrix).data];
    const { data, wire } = scope.tensor(`d${scope.node(rows.name).variable}`);
    const arriving = flatIn(rows, scope).map((flat) => data[flat]);
    const result = columns.cells.map((_, col) =>
      total(arriving.map((one, row) => product(one, local[row * columns.cells.length + col]))),
    );
    const sizes = [rows.cells.length, columns.cells.length];
    return {
      jacobian: wireOf(local, sizes, wire.dtype),
      arriving: wireOf(arriving, sizes.slice(0, 1), wire.dtype),
      result: wireOf(result, sizes.slice(1), wire.dtype),
    };
  } catch (error) {
    if (error instanceof NotExpressible) return null;
    throw error;
  }
}

/** @param {string} formula @param {Side} rows @param {Side} columns @param {Scope} scope */
function slopesOf(formula, rows, columns, scope) {
  const [{ variable }, places] = [scope.node(columns.name), flatIn(columns, scope)];
  const rounded = scope.tensor(variable).wire.dtype === "f8" ? undefined : Math.fround;
  return rows.cells.flatMap((cell) => {
    const { right, places: letters } = formulaAt(formula, cell);
    const slopes = readingOf(right, letters, scope, rounded).slopes.get(variable);
    return places.map((flat) => slopes?.get(flat) ?? 0);
  });
}

/** @param {Side} side @param {Scope} scope @returns {number[]} its cells' places in their tensor */
function flatIn({ name, cells }, scope) {
  const { shape } = scope.node(name);
  return cells.map((cell) => ravel(shape, cell));
}

/** @param {number[]} numbers @param {number[]} shape @param {Whole["dtype"]} dtype @returns {Whole} */
function wireOf(numbers, shape, dtype) {
  const cells = dtype === "f8" ? new Float64Array(numbers) : new Float32Array(numbers);
  return { dtype, shape: shape.join(), bdata: textOf(new Uint8Array(cells.buffer)) };
}

/** @param {number} arriving @param {number} slope @returns {number} nothing where the slope is zero */
function product(arriving, slope) {
  return slope === 0 ? 0 : arriving * slope;
}
