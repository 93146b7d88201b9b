import { constantRow, tensorRow } from "./draft.js";
import { nextSeed } from "./program-names.js";
/** @typedef {import("./draft.js").Draft} Draft */
/** @typedef {import("./draft.js").TensorRow} TensorRow */
/** @typedef {{name: string, number: boolean}} Added a row to come, of a tensor or of a number */
/** @typedef {Pick<Draft, "tensors"|"constants">} Tables */

/** @param {Tables} draft @param {number} id of a row @param {string} field @param {string} value @returns {Tables} */
export function withField({ tensors, constants }, id, field, value) {
  const edit = (/** @type {any} */ row) => (row.id === id ? { ...row, [field]: value } : row);
  return { tensors: tensors.map(edit), constants: constants.map(edit) };
}

/** @param {Tables} draft @param {(row: {id: number, name: string}) => boolean} dropped @returns {Tables} */
export function without({ tensors, constants }, dropped) {
  return { tensors: tensors.filter((row) => !dropped(row)), constants: constants.filter((row) => !dropped(row)) };
}

/**
 * @param {Tables} draft @param {Added[]} added
 * @param {(name: string) => Partial<TensorRow>} offered what its use tells of a tensor
 * @returns {Tables & {first: {id: number, field: string}|null}} every tensor with a seed of its own; `first` is the
 *   field that is to be filled in next
 */
export function withAdded({ tensors, constants }, added, offered) {
  const seed = nextSeed(tensors);
  const rows = added
    .filter(({ number }) => !number)
    .map(({ name }, i) => tensorRow({ ...offered(name), seed: String(seed + i) }));
  const values = added.filter(({ number }) => number).map(({ name }) => constantRow({ name }));
  const [row] = [...rows, ...values];
  const field = row && (row.name ? (rows.length ? "shape" : "value") : "name");
  return {
    tensors: [...tensors, ...rows],
    constants: [...constants, ...values],
    first: row ? { id: row.id, field } : null,
  };
}
