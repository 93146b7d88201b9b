import { FILLS, ROLES, TEXTS, constantRow, contentOf, tensorRow } from "./draft.js";
/** @typedef {import("./draft.js").Draft} Draft */

const LARGEST = 2 ** 20;
const MARK = "#p=";

/** @param {Draft} draft @returns {Promise<string>} the whole form as the fragment of an address: it never leaves the browser */
export async function pack(draft) {
  const text = new Blob([contentOf(slim(draft))]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  const bytes = new Uint8Array(await new Response(text).arrayBuffer());
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return MARK + btoa(binary).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
}

/** @param {string} hash @returns {boolean} */
export function isPacked(hash) {
  return hash.startsWith(MARK);
}

/** @param {string} hash @returns {Promise<Draft|null>} null for a link that was cut or changed on its way */
export async function unpack(hash) {
  try {
    const binary = atob(hash.slice(MARK.length).replace(/-/g, "+").replace(/_/g, "/"));
    const bytes = Uint8Array.from(binary, (letter) => letter.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
    return restored(JSON.parse(await limited(stream)));
  } catch {
    return null;
  }
}

/** @param {ReadableStream<Uint8Array>} stream @returns {Promise<string>} @throws when a small link unpacks to something enormous */
async function limited(stream) {
  const reader = stream.getReader();
  const parts = [];
  let size = 0;
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    size += part.value.length;
    if (size > LARGEST) {
      await reader.cancel();
      throw new RangeError("too large");
    }
    parts.push(part.value);
  }
  return new Blob(/** @type {BlobPart[]} */ (parts)).text();
}

/** @param {Draft} draft @returns {any} without the fields that say nothing */
function slim(draft) {
  const tensors = draft.tensors.map((row) => Object.fromEntries(Object.entries(row).filter(([, value]) => value !== "")));
  return { ...draft, tensors };
}

/** @param {any} data anything at all @returns {Draft} @throws if it is no form */
export function restored(data) {
  const { source, tensors, constants } = data;
  if (typeof source !== "string" || !Array.isArray(tensors) || !Array.isArray(constants)) throw new TypeError("no draft");
  return {
    source,
    tensors: tensors.map((row) => tensorRow({ ...texts(row, TEXTS), role: oneOf(ROLES, row.role), fill: oneOf(FILLS, row.fill) })),
    constants: constants.map((row) => constantRow(texts(row, ["name", "value"]))),
    loss: String(data.loss ?? ""),
    dtype: data.dtype === "float64" ? "float64" : "float32",
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
