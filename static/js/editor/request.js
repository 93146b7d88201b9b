import { Verbatim, toJson } from "./verbatim-json.js";
import { indicesIn } from "./program-names.js";
import { PasteError, parseValues } from "./pasted-numbers.js";
/** @typedef {import("./draft.js").Draft} Draft */
/** @typedef {import("./draft.js").TensorRow} TensorRow */
/** @typedef {import("./draft.js").ConstantRow} ConstantRow */
/** @typedef {import("./pasted-numbers.js").Values} Values */
/** @typedef {{id: number, field: string, message: string}} Mistake in one field of the form */

const NAME = /^[A-Za-z][A-Za-z0-9_]{0,63}$/;
const NUMBER = /^[+-]?(?:\d[\d_]*\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;
const MOST_AXES = 8;

/**
 * @param {string} text `32, 27`, `(32, 27)`, `32×27`; `()` for a single number
 * @returns {number[]|null} null if it is no shape
 */
export function shapeIn(text) {
  const inner = text
    .trim()
    .replace(/^(?:torch\.Size)?[([]+\s*|\s*[)\]]+$/g, "")
    .replace(/,\s*$/, "");
  if (inner === "") return text.trim() === "" ? null : [];
  const sizes = inner.split(/\s*[,×x]\s*|\s+/);
  return sizes.every((size) => /^\d{1,9}$/.test(size)) ? sizes.map(Number) : null;
}

/** @type {WeakMap<TensorRow, Values|string>} a row is replaced when it is edited, so what was read of it holds */
const readings = new WeakMap();

/** @param {TensorRow} row @returns {Values|string} the values, or what is wrong with them */
export function valuesOf(row) {
  const known = readings.get(row) ?? reading(row);
  readings.set(row, known);
  return known;
}

/** @param {TensorRow} row @returns {Values|string} */
function reading(row) {
  try {
    return parseValues(row.values);
  } catch (error) {
    if (error instanceof PasteError) return error.message;
    throw error;
  }
}

/** @param {TensorRow} row @returns {number[]|null} */
export function shapeOfRow(row) {
  if (row.fill !== "values") return shapeIn(row.shape);
  const values = valuesOf(row);
  return typeof values === "string" ? null : values.shape;
}

/** @param {Draft} draft @returns {Mistake[]} what the form itself can see; the program is the server's to judge */
export function mistakesIn(draft) {
  const names = [...draft.tensors, ...draft.constants];
  const twice = names.filter((row, i) => row.name && names.findIndex((other) => other.name === row.name) < i);
  return [
    ...names.flatMap((row) => nameMistake(row)),
    ...twice.map(({ id, name }) => ({ id, field: "name", message: `\`${name}\` is there already.` })),
    ...draft.tensors.flatMap(tensorMistakes),
    ...draft.constants.flatMap(constantMistakes),
  ];
}

/** @param {{id: number, name: string}} row @returns {Mistake[]} */
function nameMistake({ id, name }) {
  if (name === "") return [{ id, field: "name", message: "A name is missing." }];
  return NAME.test(name)
    ? []
    : [{ id, field: "name", message: "A name has letters, digits and underscores, and begins with a letter." }];
}

/** @param {TensorRow} row @returns {Mistake[]} */
function tensorMistakes(row) {
  const { id, fill } = row;
  const shape = shapeOfRow(row);
  /** @type {Mistake[]} */
  const found = [];
  /** @param {string} field @param {string} message */
  const say = (field, message) => found.push({ id, field, message });
  if (fill === "values") {
    const values = valuesOf(row);
    if (typeof values === "string") say("values", values);
  } else {
    if (!shape)
      say(
        "shape",
        row.shape.trim() === ""
          ? "A shape is missing, such as `3, 4`; `()` is a single number."
          : "A shape is whole numbers: `3, 4`.",
      );
    else if (shape.length > MOST_AXES) say("shape", `At most ${MOST_AXES} axes.`);
    if (row.seed && !/^\d{1,15}$/.test(row.seed.trim())) say("seed", "A seed is a whole number.");
    if (fill !== "randint")
      for (const field of /** @type {const} */ (["scale", "shift"]))
        if (row[field].trim() && !NUMBER.test(row[field].trim())) say(field, "This must be a number.");
    if (fill === "randint") found.push(...boundMistakes(row));
  }
  const axes = axesOf(row);
  if (shape && axes && axes.length !== shape.length) {
    const names = `${axes.length} ${axes.length === 1 ? "name" : "names"}`;
    say("axes", `${names} for ${shape.length} ${shape.length === 1 ? "axis" : "axes"}.`);
  }
  return found;
}

/** @param {TensorRow} row @returns {Mistake[]} */
function boundMistakes({ id, low, high }) {
  const whole = /^-?\d{1,15}$/;
  if (low.trim() && !whole.test(low.trim())) return [{ id, field: "low", message: "The smallest is a whole number." }];
  if (!whole.test(high.trim())) return [{ id, field: "high", message: "Say below which whole number to draw." }];
  return Number(high) > Number(low || 0)
    ? []
    : [{ id, field: "high", message: "This must be more than the smallest." }];
}

/** @param {ConstantRow} row @returns {Mistake[]} */
function constantMistakes({ id, value }) {
  return NUMBER.test(value.trim())
    ? []
    : [{ id, field: "value", message: value.trim() ? "This must be a number." : "A value is missing." }];
}

/** @param {TensorRow} row @returns {string[]|null} */
function axesOf({ axes }) {
  return axes.trim() ? axes.split(",").map((name) => name.trim()) : null;
}

/** @param {Draft} draft without mistakes @param {boolean} [exact] @returns {string} the body of a walk request */
export function bodyOf(draft, exact = false) {
  return toJson({ ...requestOf(draft), exact });
}

/** @param {Draft} draft @returns {Record<string, any>} */
function requestOf(draft) {
  const dims = draft.tensors.flatMap((row) => (axesOf(row) ? [[row.name, axesOf(row)]] : []));
  const indices = indicesIn(draft.source);
  return {
    source: draft.source,
    tensors: Object.fromEntries(draft.tensors.map((row) => [row.name, specOf(row, indices)])),
    constants: draft.constants.length
      ? Object.fromEntries(draft.constants.map(({ name, value }) => [name, number(value)]))
      : undefined,
    loss: draft.loss.trim() || undefined,
    dims: dims.length ? Object.fromEntries(dims) : undefined,
    dtype: draft.dtype,
    copy_of: draft.origin?.lesson,
    as_written: placesIn(draft.asWritten),
  };
}

/** @param {string|undefined} text such as `3:5 7:1` @returns {number[][]|undefined} lines and columns */
function placesIn(text) {
  const places = [...(text ?? "").matchAll(/(\d{1,6}):(\d{1,6})/g)].map(([, line, column]) => [+line, +column]);
  return places.length ? places : undefined;
}

/**
 * @param {Draft} draft of which the tables are not finished
 * @returns {string} the body of a check of what can be told already
 */
export function outlineOf(draft) {
  const wrong = new Set(mistakesIn(draft).map(({ id }) => id));
  const [tensors, constants] = [draft.tensors, draft.constants].map((rows) => rows.filter(({ id }) => !wrong.has(id)));
  const names = [...draft.tensors, ...draft.constants].filter(({ id }) => wrong.has(id)).map(({ name }) => name);
  const unfinished = names.filter((name) => NAME.test(name));
  const done = /** @type {Draft} */ ({ ...draft, tensors, constants });
  // a row without a name is unfinished too, and no program can use this one
  return toJson({ ...requestOf(done), unfinished: unfinished.length ? unfinished : ["_"] });
}

/**
 * Whole numbers that a program computes with are decimals to PyTorch; only those that pick places, or name classes, are
 * not.
 * @param {TensorRow} row @param {Set<string>} indices names that the program picks places with
 * @returns {boolean} whether its values are sent as decimals
 */
export function asDecimals(row, indices) {
  const values = row.fill === "values" ? valuesOf(row) : "";
  if (typeof values === "string" || !values.whole) return false;
  return row.whole === "" ? row.role !== "target" && !indices.has(row.name) : row.whole === "decimals";
}

/** @param {TensorRow} row @param {Set<string>} indices */
function specOf(row, indices) {
  const { role, fill } = row;
  if (fill === "values") {
    const { json } = /** @type {Values} */ (valuesOf(row));
    return { role, values: new Verbatim(asDecimals(row, indices) ? json.replace(/\d+/g, "$&.0") : json) };
  }
  const drawn = fill === "randint" || fill === "randn" || fill === "rand";
  return {
    role,
    shape: shapeIn(row.shape),
    init: fill,
    seed: drawn ? whole(row.seed) : undefined,
    ...(fill === "randint"
      ? { low: whole(row.low), high: whole(row.high) }
      : { scale: number(row.scale), shift: number(row.shift) }),
  };
}

/** @param {string} text @returns {Verbatim|undefined} */
function number(text) {
  return text.trim() ? new Verbatim(parseValues(text).json) : undefined;
}

/** @param {string} text @returns {number|undefined} */
function whole(text) {
  return text.trim() ? Number(text) : undefined;
}
