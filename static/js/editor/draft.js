/**
 * What the form holds, as typed: nothing is converted before it is sent, so nothing is lost on a mistake.
 * @typedef {"parameter"|"data"|"target"|"constant"} Role
 * @typedef {"randn"|"rand"|"zeros"|"ones"|"arange"|"randint"|"values"} Fill
 * @typedef {""|"decimals"|"whole"} Whole what values without a decimal point are; by their use in the program where
 *   nothing is chosen
 * @typedef {{id: number, name: string, role: Role, fill: Fill, shape: string, values: string, seed: string,
 *   scale: string, shift: string, low: string, high: string, axes: string, whole: Whole, guess: string,
 *   letters: string}} TensorRow of a guess its reason, and of each axis the letter that its length goes by
 * @typedef {{id: number, name: string, value: string, guess: string}} ConstantRow
 * @typedef {{source: string, tensors: TensorRow[], constants: ConstantRow[], loss: string,
 *   dtype: "float32"|"float64", origin?: Origin, asWritten?: string}} Draft `asWritten` are places of code as found
 *   that are not to be rewritten, such as `3:5 7:1`
 * @typedef {{lesson: string, seed: number|null, digest: string}} Origin the lesson that a program began as a copy of,
 *   which tells of what is still the same, and what its tensors were
 */

export const ROLES = /** @type {Role[]} */ (["parameter", "data", "target", "constant"]);
/** What a role means for the walk back. */
export const ROLE_WORDS = /** @type {Record<Role, string>} */ ({
  parameter: "What is learned: it gets a gradient.",
  data: "What goes in. Decimals get a gradient too: how the loss would move with each number. Whole numbers get none.",
  target: "What is aimed at: it gets no gradient.",
  constant: "What stays as it is, such as a mask or drawn noise: it gets no gradient.",
});
export const FILLS = /** @type {Fill[]} */ (["randn", "rand", "zeros", "ones", "arange", "randint", "values"]);
export const TEXTS = /** @type {const} */ ([
  "name",
  "shape",
  "values",
  "seed",
  "scale",
  "shift",
  "low",
  "high",
  "axes",
  "guess",
  "letters",
]);
export const WHOLES = /** @type {Whole[]} */ (["", "decimals", "whole"]);

let latest = 0;

/**
 * @param {Partial<TensorRow>} [given] @returns {TensorRow} with an identity of its own, which stays while it is edited
 */
export function tensorRow(given = {}) {
  latest += 1;
  const blank = Object.fromEntries(TEXTS.map((field) => [field, ""]));
  const row = { role: "parameter", fill: "randn", whole: "", ...blank, ...given, id: latest };
  return /** @type {TensorRow} */ (row);
}

/** @param {Partial<ConstantRow>} [given] @returns {ConstantRow} */
export function constantRow(given = {}) {
  latest += 1;
  return { name: "", value: "", guess: "", ...given, id: latest };
}

/** @param {string} [source] @returns {Draft} */
export function emptyDraft(source = "") {
  return { source, tensors: [], constants: [], loss: "", dtype: "float32" };
}

/** @param {Draft} draft @returns {string} equal for drafts that say the same, whoever made their rows */
export function contentOf(draft) {
  return JSON.stringify(draft, (key, value) => (key === "id" ? undefined : value));
}

/**
 * The form for a walk request whose numbers are texts, as `parseNumbersAsText` reads them.
 * @param {any} request @returns {Draft}
 */
export function draftOf(request) {
  const dims = request.dims ?? {};
  return {
    source: request.source.replace(/\n+$/, ""),
    tensors: Object.entries(request.tensors).map(([name, spec]) => rowOf(name, spec, dims[name] ?? [])),
    constants: Object.entries(request.constants ?? {}).map(([name, value]) => constantRow({ name, value })),
    loss: request.loss ?? "",
    dtype: request.dtype ?? "float32",
  };
}

/** @param {string} name @param {any} spec as a request has it @param {string[]} axes @returns {TensorRow} */
export function rowOf(name, spec, axes) {
  const shared = { name, role: spec.role, axes: axes.join(", ") };
  if (spec.values !== undefined) {
    const values = arrayText(spec.values);
    return tensorRow({ ...shared, fill: "values", values, whole: /[.eE]/.test(values) ? "" : "whole" });
  }
  const { init, shape, seed = "", scale = "", shift = "", low = "", high = "" } = spec;
  return tensorRow({
    ...shared,
    fill: init,
    shape: shape.length ? shape.join(", ") : "()",
    seed,
    scale,
    shift,
    low,
    high,
  });
}

/**
 * @param {any} values nested lists of number texts @param {number} [depth]
 * @returns {string} a row a line, as a person would write it
 */
function arrayText(values, depth = 0) {
  if (!Array.isArray(values)) return String(values);
  const inner = values.map((value) => arrayText(value, depth + 1));
  return `[${inner.join(Array.isArray(values[0]) ? `,\n${" ".repeat(depth + 1)}` : ", ")}]`;
}
