import { packText, unpackText } from "../shared/packed.js";
import { FILLS, ROLES, TEXTS, WHOLES, constantRow, contentOf, tensorRow } from "./draft.js";
/** @typedef {import("./draft.js").Draft} Draft */
/** @typedef {import("./draft.js").Origin} Origin */
/**
 * @typedef {{load: (origin: {lesson: string, seed: number|null}) => Promise<{draft: Draft}>, differs: () => void}}
 *   Lessons where a copy's tensors come from, and what to do where they are no longer the same
 */

const MARK = "#p=";

/**
 * @param {Draft} draft
 * @returns {Promise<string>} the form as the fragment of an address, which never leaves the browser; of a lesson's own
 *   tensors only where they are from
 */
export async function pack(draft) {
  return MARK + (await packText(contentOf(isOfLesson(draft) ? { ...draft, tensors: undefined } : slim(draft))));
}

/** @param {string} hash @returns {boolean} */
export function isPacked(hash) {
  return hash.startsWith(MARK);
}

/** @param {Draft} draft @returns {boolean} whether its tensors are still those of the lesson that it is a copy of */
function isOfLesson({ origin, tensors }) {
  return origin !== undefined && digestOf(tensors) === origin.digest;
}

/**
 * @param {import("./draft.js").TensorRow[]} tensors
 * @returns {string} another one for other tensors, whoever made their rows
 */
export function digestOf(tensors) {
  const text = JSON.stringify(
    tensors.map((row) =>
      Object.entries(row)
        .filter(([key, value]) => key !== "id" && value !== "")
        .sort(),
    ),
  );
  let [a, b] = [1, 1];
  for (let i = 0; i < text.length; i += 1) {
    a = (a * 65599 + text.charCodeAt(i)) % 4294967291;
    b = (b * 131071 + text.charCodeAt(i)) % 4294967279;
  }
  return [a, b].map((half) => half.toString(16).padStart(8, "0")).join("");
}

/**
 * @param {string} hash @param {Lessons} lessons
 * @returns {Promise<Draft|null>} null for a link that was cut or changed on its way
 */
export async function unpack(hash, lessons) {
  const data = await contentIn(hash);
  const origin = originIn(data);
  if (!origin || data.tensors !== undefined) return draftIn(data);
  const { draft } = await lessons.load(origin);
  if (draft.origin?.digest !== origin.digest) lessons.differs();
  return draftIn({ ...data, tensors: draft.tensors, origin: draft.origin });
}

/** @param {any} data @returns {Draft|null} */
function draftIn(data) {
  try {
    return restored(data);
  } catch {
    return null;
  }
}

/** @param {any} data @returns {Origin|undefined} */
function originIn(data) {
  const { lesson, seed, digest } = data?.origin ?? {};
  return typeof lesson === "string" && typeof digest === "string"
    ? { lesson, seed: Number.isSafeInteger(seed) ? seed : null, digest }
    : undefined;
}

/** @param {string} hash @returns {Promise<any>} what was packed, null where that can't be read */
async function contentIn(hash) {
  try {
    return JSON.parse(await unpackText(hash.slice(MARK.length)));
  } catch {
    return null;
  }
}

/** @param {Draft} draft @returns {any} without the fields that say nothing */
function slim(draft) {
  const tensors = draft.tensors.map((row) =>
    Object.fromEntries(Object.entries(row).filter(([, value]) => value !== "")),
  );
  return { ...draft, tensors };
}

/** @param {any} data anything at all @returns {Draft} @throws if it is no form */
export function restored(data) {
  const { source, tensors, constants } = data;
  if (typeof source !== "string" || !Array.isArray(tensors) || !Array.isArray(constants))
    throw new TypeError("no draft");
  return {
    source,
    tensors: tensors.map((row) =>
      tensorRow({
        ...texts(row, TEXTS),
        role: oneOf(ROLES, row.role),
        fill: oneOf(FILLS, row.fill),
        whole: oneOf(WHOLES, row.whole),
      }),
    ),
    constants: constants.map((row) => constantRow(texts(row, ["name", "value", "guess"]))),
    loss: String(data.loss ?? ""),
    dtype: data.dtype === "float64" ? "float64" : "float32",
    ...(originIn(data) ? { origin: originIn(data) } : {}),
    ...(typeof data.asWritten === "string" && data.asWritten ? { asWritten: data.asWritten } : {}),
  };
}

/** @param {any} row @param {readonly string[]} names */
function texts(row, names) {
  return Object.fromEntries(names.map((name) => [name, typeof row[name] === "string" ? row[name] : ""]));
}

/** @template T @param {T[]} choices @param {any} value @returns {T} */
function oneOf(choices, value) {
  return choices.includes(value) ? value : choices[0];
}
