import { lex } from "./lexer.js";
/** @typedef {import("./lexer.js").Piece} Piece */
/** @typedef {{needed: string[], made: Set<string>, used: Set<string>}} Names */

/** Names that mean something to every program. */
export const KNOWN = new Set(["torch", "F", "math", "nn", "range", "len", "float", "int"]);
const OPENING = new Set(["(", "[", "{"]);
const CLOSING = new Set([")", "]", "}"]);

/**
 * @param {string} source
 * @returns {Names} which names a program needs from outside, in the order it asks for them, and which it makes
 */
export function namesIn(source) {
  /** @type {Names} */
  const names = { needed: [], made: new Set(), used: new Set() };
  for (const statement of statementsOf(source)) readStatement(statement, names);
  return names;
}

/** A bracket that is never closed ends where the next assignment begins. */
const ANEW = /^[A-Za-z_]\w*\s*=(?!=)/;

/** @param {string} source @returns {Piece[][]} lines, those inside brackets joined; comments and spaces left out */
function statementsOf(source) {
  /** @type {Piece[][]} */
  const statements = [];
  let depth = 0;
  for (const line of source.split("\n")) {
    const pieces = lex(line).filter(({ kind }) => kind !== "comment" && kind !== "space");
    if (ANEW.test(line)) depth = 0;
    if (depth > 0) statements[statements.length - 1].push(...pieces);
    else statements.push(pieces);
    for (const { text } of pieces) depth += Number(OPENING.has(text)) - Number(CLOSING.has(text));
    depth = Math.max(0, depth);
  }
  return statements;
}

/** @param {Piece[]} pieces @param {Names} names */
function readStatement(pieces, names) {
  if (pieces[0]?.text === "import" || pieces[0]?.text === "from") return;
  const at = assignmentAt(pieces);
  const loop = pieces[0]?.text === "for" ? pieces.findIndex(({ text }) => text === "in") : -1;
  const split = Math.max(at, loop);
  const inCall = callNames(pieces);
  pieces.forEach((piece, i) => {
    if (i <= split || piece.kind !== "name" || KNOWN.has(piece.text) || inCall.has(i)) return;
    names.used.add(piece.text);
    if (!names.made.has(piece.text) && !names.needed.includes(piece.text)) names.needed.push(piece.text);
  });
  for (const piece of pieces.slice(0, Math.max(0, split))) if (piece.kind === "name") names.made.add(piece.text);
}

/** @param {Piece[]} pieces @returns {number} where the right-hand side begins, -1 if nothing is assigned */
function assignmentAt(pieces) {
  let depth = 0;
  for (let i = 0; i < pieces.length; i += 1) {
    if (pieces[i].text === "=" && depth === 0) return i;
    depth += Number(OPENING.has(pieces[i].text)) - Number(CLOSING.has(pieces[i].text));
  }
  return -1;
}

/**
 * @param {Piece[]} pieces @returns {Set<number>} the places of keywords of calls and of functions called by a bare name
 */
function callNames(pieces) {
  const places = new Set();
  let depth = 0;
  pieces.forEach((piece, i) => {
    const next = pieces[i + 1]?.text;
    if (piece.kind === "name" && ((depth > 0 && next === "=") || next === "(")) places.add(i);
    depth += Number(OPENING.has(piece.text)) - Number(CLOSING.has(piece.text));
  });
  return places;
}

/** Calls that read whole numbers: from which argument on. @type {Record<string, number>} */
const READERS = {
  one_hot: 0,
  embedding: 0,
  cross_entropy: 1,
  nll_loss: 1,
  gather: 1,
  index_select: 1,
  take_along_dim: 1,
  scatter: 1,
  scatter_add: 1,
  index_add: 1,
  bincount: 0,
  repeat_interleave: 1,
};

/**
 * @param {string} source
 * @returns {Set<string>} names that stand where only whole numbers can: inside an index, or as classes and places of a
 *   call
 */
export function indicesIn(source) {
  /** @type {Set<string>} */
  const found = new Set();
  for (const statement of statementsOf(source)) readIndices(statement, found);
  return found;
}

/** @param {Piece[]} pieces @param {Set<string>} found */
function readIndices(pieces, found) {
  /**
   * Of each open bracket: from which argument on whole numbers are read, and how many commas there were.
   * @type {{from: number, commas: number}[]}
   */
  const open = [];
  pieces.forEach(({ text, kind }, i) => {
    const before = pieces[i - 1];
    if (CLOSING.has(text)) open.pop();
    if (text === "," && open.length) open[open.length - 1].commas += 1;
    if (kind === "name" && open.some(({ from, commas }) => commas >= from)) found.add(text);
    if (OPENING.has(text)) open.push({ from: readsFrom(text, before), commas: 0 });
  });
}

/** @param {string} bracket @param {Piece|undefined} before @returns {number} */
function readsFrom(bracket, before) {
  if (bracket === "[")
    return before && (before.kind === "name" || before.kind === "attribute" || CLOSING.has(before.text)) ? 0 : Infinity;
  return bracket === "(" && before ? (READERS[before.text] ?? Infinity) : Infinity;
}

/** @param {string} name @returns {boolean} whether a name reads like a size rather than a tensor */
export function looksLikeNumber(name) {
  return /^(?:n|k|eps|lr|alpha|beta|gamma|temperature|dropout)$|^(?:n|num|len)_|_(?:size|dim|len|eps)$/.test(name);
}

/** @param {string} name @returns {Partial<import("./draft.js").TensorRow>} what a tensor of that name usually is */
export function usualTensor(name) {
  if (/^(?:[yY][a-z]?|targets?|labels?|idx|ix)\d*$/.test(name))
    return { name, role: "target", fill: "randint", low: "0" };
  if (/^(?:[xX][a-z]?|inputs?|data|emb)\d*$/.test(name)) return { name, role: "data", fill: "randn" };
  return { name, role: "parameter", fill: "randn" };
}

/**
 * @param {string} name @param {import("../walk/found-types.js").Need|undefined} need what its use tells
 * @returns {Partial<import("./draft.js").TensorRow>} the row that is offered for it
 */
export function offeredTensor(name, need) {
  const usual = usualTensor(name);
  if (!need) return usual;
  const shape = need.shape ? sizesText(need.shape) : "";
  if (need.kind === "decimals") return { ...usual, shape, fill: "randn", low: "" };
  const role = usual.role === "data" ? "data" : "target";
  return { name, role, shape, fill: "randint", low: "0", high: need.below === null ? "" : String(need.below) };
}

/** @param {number[]} shape @returns {string} as it is typed into a row */
export function sizesText(shape) {
  return shape.length ? shape.join(", ") : "()";
}

/**
 * @param {{seed: string}[]} rows
 * @returns {number} the first seed above all others: no two tensors draw the same numbers
 */
export function nextSeed(rows) {
  return 1 + Math.max(0, ...rows.map(({ seed }) => Number(seed) || 0));
}
