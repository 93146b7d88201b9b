import { constantRow, rowOf, tensorRow } from "./draft.js";
import { nextSeed } from "./program-names.js";
import { shapeIn } from "./request.js";
/** @typedef {import("../walk/found-types.js").Need} Need */
/** @typedef {import("./draft.js").Draft} Draft */
/** @typedef {import("./draft.js").TensorRow} TensorRow */
/** @typedef {{name: string, number: boolean}} Added a row to come, of a tensor or of a number */
/** @typedef {Pick<Draft, "tensors"|"constants">} Tables */

const UNKNOWN = "?"; // of a length that goes by no letter

/**
 * @param {Tables} draft @param {number} id of a row @param {string} field @param {string} value
 * @returns {Tables} what is changed by hand is no guess any more
 */
export function withField({ tensors, constants }, id, field, value) {
  const own = { guess: "", ...(field === "shape" || field === "fill" ? { letters: "" } : {}) };
  const edit = (/** @type {any} */ row) => (row.id === id ? { ...row, ...own, [field]: value } : row);
  return { tensors: tensors.map(edit), constants: constants.map(edit) };
}

/**
 * @param {Tables} draft @param {(row: {id: number, name: string, guess: string}) => boolean} dropped @returns {Tables}
 */
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

/** @param {Tables} tables @param {Need[]} needs @returns {Tables} with a row for each of them that has none */
export function withGuesses({ tensors, constants }, needs) {
  const defined = new Set([...tensors, ...constants].map(({ name }) => name));
  const wanted = needs.filter(({ name, row }) => row && !defined.has(name));
  const seed = nextSeed(tensors);
  const rows = wanted.filter(({ kind }) => kind !== "number").map((need, i) => guessedRow(need, seed + i));
  const numbers = wanted.filter(({ kind }) => kind === "number").map(guessedNumber);
  return { tensors: [...tensors, ...rows], constants: [...constants, ...numbers] };
}

/** @param {Need} need @param {number} seed @returns {TensorRow} */
function guessedRow({ name, row, because, letters }, seed) {
  const spec = /** @type {any} */ (row);
  const drawn = spec.values === undefined;
  const made = rowOf(name, drawn ? { ...textOf(spec), shape: spec.shape } : spec, []);
  const own = {
    whole: /** @type {const} */ (""),
    guess: because,
    letters: letters.map((letter) => letter ?? UNKNOWN).join(", "),
  };
  return tensorRow({ ...made, ...own, ...(drawn ? { seed: String(seed) } : {}) });
}

/** @param {Need} need */
function guessedNumber({ name, row, because }) {
  return constantRow({ name, value: String(/** @type {any} */ (row).values), guess: because });
}

/** @param {Record<string, unknown>} spec @returns {Record<string, string>} its numbers as they would be typed */
function textOf(spec) {
  return Object.fromEntries(Object.entries(spec).map(([key, value]) => [key, String(value)]));
}

/** @param {TensorRow[]} tensors @returns {Map<string, number>} the sizes that guesses share, by their letters */
export function sizesOf(tensors) {
  /** @type {Map<string, number>} */
  const sizes = new Map();
  for (const { letters, shape, guess } of tensors)
    if (guess)
      lettersIn(letters).forEach(
        (letter, axis) => letter !== UNKNOWN && sizes.set(letter, shapeIn(shape)?.[axis] ?? 0),
      );
  return sizes;
}

/** @param {string} letters */
function lettersIn(letters) {
  return letters ? letters.split(", ") : [];
}

/**
 * Another size for a letter, in all guesses at once. What follows from it in a way that no letter tells is left out,
 * to be guessed anew.
 * @param {Tables} tables @param {string} letter @param {string} size @returns {Tables}
 */
export function withSize({ tensors, constants }, letter, size) {
  const rows = tensors.flatMap((row) => {
    const letters = lettersIn(row.letters);
    if (!row.guess) return [row];
    if (row.fill === "values" || row.fill === "randint" || letters.includes(UNKNOWN)) return [];
    const sizes = shapeIn(row.shape) ?? [];
    const shape = sizes.map((old, axis) => (letters[axis] === letter ? size : String(old))).join(", ");
    return [{ ...row, shape: sizes.length ? shape : row.shape }];
  });
  return { tensors: rows, constants };
}
