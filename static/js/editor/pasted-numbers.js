/**
 * Numbers as people have them: nested lists, a NumPy or PyTorch print-out, or CSV.
 * @typedef {{shape: number[], whole: boolean, mask: boolean, json: string, least: number, most: number, note: string}}
 *   Values
 * @typedef {any[]|string} Nested lists of number texts
 */

/** Why a text is not an array of numbers, as a sentence with the line where it goes wrong. */
export class PasteError extends Error {}

const NUMBER = /^[+-]?(?:\d[\d_]*\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;
const TRUTH = /^(?:true|false)$/i;
const INFINITE = /^([+-]?)inf(?:inity)?$/i;
const BEFORE = /^(?:Parameter containing:\s*)?(?:[A-Za-z_]\w*\s*=\s*)?(?:[\w.]*\s*\(\s*)*$/;
const AFTER = /^\s*(?:,\s*(?:\w+\s*=[^[\]]*|requires_grad[^[\]]*)?)?\s*\)*\s*(?:\.\w+\([^[\]]*\))*[;,\s]*$/;
const SCALAR = /^(?:[\w.]+\s*=\s*)?[\w.]*(?:tensor|array|float\w*|int\w*)\s*\(\s*([^\s,()]+)\s*(?:,[^[\]]*)?\)$/i;
const DEEPEST = 8;

/** @param {string} text @returns {Values} @throws {PasteError} */
export function parseValues(text) {
  const trimmed = text.trim();
  if (!trimmed) throw new PasteError("Type numbers, or paste a list, a print-out or CSV.");
  if (/(?:^|[[\s,])\.\.\.(?:[\s,\]]|$)/.test(trimmed))
    throw new PasteError("The print-out is shortened with `...`: print it whole, for example with `.tolist()`.");
  const scalar = SCALAR.exec(trimmed);
  if (scalar)
    return summary(
      numberText(scalar[1], () => 1),
      [],
      "",
    );
  return trimmed.includes("[") ? parseLists(trimmed) : parseTable(trimmed);
}

/** @param {string} text @returns {Values} */
function parseLists(text) {
  const start = text.indexOf("[");
  if (!BEFORE.test(text.slice(0, start)))
    throw new PasteError(
      `Before the first bracket stands \`${short(text.slice(0, start))}\`; only numbers in brackets are read.`,
    );
  const { nested, end } = readBrackets(text, start);
  if (!AFTER.test(text.slice(end)))
    throw new PasteError(`${at(text, end)}after the last bracket stands \`${short(text.slice(end))}\`.`);
  return summary(nested, shapeOf(nested, text), "");
}

/** @param {string} text @param {number} start @returns {{nested: Nested, end: number}} */
function readBrackets(text, start) {
  /** @type {any[][]} */
  const open = [];
  for (const match of text.slice(start).matchAll(/[[\]]|[^\s,[\]]+/g)) {
    const place = start + match.index;
    if (match[0] === "[") {
      if (open.length === DEEPEST) throw new PasteError(`${at(text, place)}a tensor has at most ${DEEPEST} axes.`);
      const list = /** @type {any[]} */ ([]);
      open[open.length - 1]?.push(list);
      open.push(list);
    } else if (match[0] === "]") {
      const list = /** @type {any[]} */ (open.pop());
      if (!open.length) return { nested: list, end: place + 1 };
    } else open[open.length - 1].push(numberText(match[0], () => lineOf(text, place)));
  }
  throw new PasteError(
    (open.length === 1 ? "A closing bracket `]` is" : `${open.length} closing brackets \`]\` are`) +
      " missing at the end.",
  );
}

/** @param {Nested} nested @param {string} text @returns {number[]} @throws {PasteError} if rows differ in length */
function shapeOf(nested, text) {
  const shape = [];
  /** @type {Nested[]} */
  let level = [nested];
  while (Array.isArray(level[0])) {
    const lists = /** @type {any[][]} */ (level);
    const size = lists[0].length;
    const odd = lists.findIndex((list) => !Array.isArray(list) || list.length !== size);
    if (odd >= 0) throw new PasteError(raggedText(lists[odd], odd, size));
    shape.push(size);
    level = lists.flat();
  }
  if (level.some(Array.isArray))
    throw new PasteError("Numbers and lists stand side by side: every row needs the same depth.");
  return shape;
}

/** @param {Nested} odd @param {number} index @param {number} size */
function raggedText(odd, index, size) {
  if (!Array.isArray(odd)) return "Numbers and lists stand side by side: every row needs the same depth.";
  const found = `Row ${index + 1} has ${odd.length} ${odd.length === 1 ? "entry" : "entries"}`;
  return `${found}, row 1 has ${size}: all rows must be equally long.`;
}

/** @param {string} text @returns {Values} CSV, or numbers between spaces */
function parseTable(text) {
  const between = /[;\t]/.test(text) ? /[;\t]/ : text.includes(",") ? /,/ : /\s+/;
  const comma = between.source !== "\\s+";
  const decimal = comma && between.source !== ",";
  const lines = text
    .split(/\r?\n/)
    .map((line, i) => ({
      number: i + 1,
      cells: cellsOf(line, between).map((cell) => (decimal ? pointed(cell) : cell)),
    }))
    .filter(({ cells }) => cells.length);
  const heading = lines.length > 1 && lines[0].cells.every((cell) => !readable(cell)) && lines[1].cells.every(readable);
  const rows = (heading ? lines.slice(1) : lines).map(({ number, cells }) =>
    cells.map((cell) => numberText(cell, () => number)),
  );
  const odd = rows.findIndex((row) => row.length !== rows[0].length);
  if (odd >= 0) throw new PasteError(raggedText(rows[odd], odd, rows[0].length));
  const note = [heading && "heading skipped", decimal && /\d,\d/.test(text) && "decimal comma"]
    .filter(Boolean)
    .join(", ");
  if (rows.length > 1 && rows[0].length > 1) return summary(rows, [rows.length, rows[0].length], note);
  const flat = rows.flat();
  return flat.length === 1 && !comma ? summary(flat[0], [], note) : summary(flat, [flat.length], note);
}

/**
 * @param {string} cell
 * @returns {string} where semicolons or tabs part the cells a comma is that of a decimal: `1,5` is 1.5
 */
function pointed(cell) {
  return /^[+-]?\d*,\d+(?:[eE][+-]?\d+)?$/.test(cell) ? cell.replace(",", ".") : cell;
}

/** @param {string} line @param {RegExp} between @returns {string[]} */
function cellsOf(line, between) {
  if (!line.trim()) return [];
  const cells = line
    .trim()
    .split(between)
    .map((cell) => cell.trim().replace(/^"(.*)"$/, "$1"));
  // a comma at the end of a line closes it, as spreadsheets and people write it
  return cells[cells.length - 1] === "" ? cells.slice(0, -1) : cells;
}

/** @param {string} word */
function readable(word) {
  return NUMBER.test(word) || TRUTH.test(word) || INFINITE.test(word);
}

/**
 * @param {string} word @param {() => number} line counted only for a message
 * @returns {string} the number or truth value as JSON writes it, an infinity as a request does
 */
function numberText(word, line) {
  if (TRUTH.test(word)) return word.toLowerCase();
  const infinite = INFINITE.exec(word);
  if (infinite) return `"${infinite[1] === "-" ? "-" : ""}Infinity"`;
  if (/^[+-]?(?:nan|none|null)$/i.test(word))
    throw new PasteError(`Line ${line()}: \`${word}\` is no number that a tensor can be given.`);
  if (!NUMBER.test(word))
    throw new PasteError(
      word === "" ? `Line ${line()}: a cell is empty.` : `Line ${line()}: \`${short(word)}\` is not a number.`,
    );
  const text = word
    .replace(/_/g, "")
    .replace(/^\+/, "")
    .replace(/^(-?)\./, "$10.")
    .replace(/\.(?=$|[eE])/, ".0")
    .replace(/^(-?)0+(?=\d)/, "$1");
  if (!Number.isFinite(Number(text))) throw new PasteError(`Line ${line()}: \`${short(word)}\` is too large.`);
  return text;
}

/** @param {Nested} nested @param {number[]} shape @param {string} note @returns {Values} */
function summary(nested, shape, note) {
  const cells = /** @type {string[]} */ (Array.isArray(nested) ? nested.flat(Infinity) : [nested]);
  const mask = cells.length > 0 && cells.every((cell) => TRUTH.test(cell));
  if (!mask && cells.some((cell) => TRUTH.test(cell)))
    throw new PasteError("Numbers and truth values stand side by side: write 1 and 0, or True and False throughout.");
  let [least, most] = [Infinity, -Infinity];
  for (const cell of cells) {
    const number = mask ? Number(cell === "true") : Number(cell.replaceAll('"', ""));
    least = Math.min(least, number);
    most = Math.max(most, number);
  }
  const whole = cells.length > 0 && cells.every((cell) => /^-?\d+$/.test(cell));
  return { shape, whole, mask, json: jsonOf(nested), least, most, note };
}

/** @param {Nested} nested @returns {string} */
function jsonOf(nested) {
  return Array.isArray(nested) ? `[${nested.map(jsonOf).join(",")}]` : nested;
}

/** @param {string} text @param {number} place */
function lineOf(text, place) {
  return text.slice(0, place).split("\n").length;
}

/** @param {string} text @param {number} place */
function at(text, place) {
  return `Line ${lineOf(text, place)}: `;
}

/** @param {string} text */
function short(text) {
  const word = text.trim().replace(/\s+/g, " ");
  return word.length > 24 ? `${word.slice(0, 23)}…` : word;
}
