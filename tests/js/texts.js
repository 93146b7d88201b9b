import { readFileSync, readdirSync } from "node:fs";
import { join, relative } from "node:path";

const ROOT = new URL("../../", import.meta.url).pathname;
/** What stands for a part that is only known when the page runs: one word. */
export const PART = "□";
/** @typedef {{file: string, line: number, text: string, context: string}} Text */

/** @returns {Text[]} every string of static/js and every text of templates that a person may read as prose */
export function texts() {
  const scripts = filesIn("static/js", ".js").flatMap((file) =>
    literalsIn(read(file)).map((one) => ({ ...one, file })),
  );
  const pages = filesIn("templates", ".html").flatMap((file) => textsIn(read(file)).map((one) => ({ ...one, file })));
  return [...scripts, ...pages].filter(({ text }) => isProse(text));
}

/** @param {string} folder @param {string} end @returns {string[]} */
export function filesIn(folder, end) {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(end))
    .map((name) => relative(ROOT, join(ROOT, folder, name)))
    .sort();
}

/** @param {string} file */
function read(file) {
  return readFileSync(join(ROOT, file), "utf8");
}

/** @param {string} text @returns {boolean} words, rather than a selector, a name or a style */
export function isProse(text) {
  if (/[{};]|=>|[\w-]+:[\w(]|\b\w+=|^[#.[]|\[[\w-]+[=\]]|px\b/.test(text))
    return /[a-z]{2,} [a-z]+ [a-z]+ [a-z]+/.test(text) && !/[{}]|px\b|\[[\w-]+=/.test(text);
  return /[A-Za-z’']{2,} [a-z□(“`]+/.test(text) && !/^[a-z-]+( [a-z]+-[a-z-]+)+$/.test(text);
}

const REGEX_BEFORE = /(^|[(,=:[!&|?{};>+]|\breturn)\s*$/;

/**
 * @param {string} source
 * @returns {{text: string, line: number, context: string}[]} its string and template literals; comments and regular
 *   expressions are skipped
 */
export function literalsIn(source) {
  /** @type {{text: string, line: number, context: string}[]} */
  const found = [];
  /** @param {number} at @param {string} text */
  const keep = (at, text) =>
    found.push({ text, line: source.slice(0, at).split("\n").length, context: contextOf(source, at) });
  /** @param {number} at of the first character @param {string} end @returns {number} behind the code that ends there */
  const code = (at, end) => {
    for (let i = at; i < source.length; i += 1) {
      const [one, two] = [source[i], source.slice(i, i + 2)];
      if (one === end) return i + 1;
      if (two === "//") i = endOf("\n", i);
      else if (two === "/*") i = endOf("*/", i) + 1;
      else if (one === "/" && REGEX_BEFORE.test(source.slice(at, i))) i = regex(i);
      else if (one === "{") i = code(i + 1, "}") - 1;
      else if (one === '"' || one === "'") i = plain(i, one);
      else if (one === "`") i = template(i);
    }
    return source.length;
  };
  const endOf = (/** @type {string} */ end, /** @type {number} */ at) =>
    (source.indexOf(end, at) + source.length + 1) % (source.length + 1);
  const regex = (/** @type {number} */ at) => {
    let set = false;
    let i = at + 1;
    for (; set || source[i] !== "/"; i += 1) {
      if (source[i] === "\\") i += 1;
      else if (source[i] === "[") set = true;
      else if (source[i] === "]") set = false;
    }
    return i;
  };
  const plain = (/** @type {number} */ at, /** @type {string} */ quote) => {
    let i = at + 1;
    while (source[i] !== quote) i += source[i] === "\\" ? 2 : 1;
    keep(at, source.slice(at + 1, i).replace(/\\(.)/g, "$1"));
    return i;
  };
  const template = (/** @type {number} */ at) => {
    let text = "";
    let i = at + 1;
    while (source[i] !== "`") {
      if (source.startsWith("${", i)) {
        i = code(i + 2, "}");
        text += PART;
      } else {
        if (source[i] === "\\") i += 1;
        text += source[i];
        i += 1;
      }
    }
    keep(at, text);
    return i;
  };
  code(0, "");
  return found;
}

const GOES_ON = /(?:[([,=?:&|+]|=>|[(,=:[] ?\{)$/;
const GOES_BACK = /^\s*(?:[?:.&|+)\]}])/;

/**
 * @param {string} source @param {number} at @returns {string} the statement before this place, from its first line on
 */
function contextOf(source, at) {
  const lines = source.slice(0, at).split("\n");
  let first = lines.length - 1;
  while (first > 0 && (GOES_ON.test(lines[first - 1].trimEnd()) || GOES_BACK.test(lines[first]))) first -= 1;
  return lines.slice(first).join("\n");
}

const INLINE = /<\/?(?:b|i|em|strong|span|code|kbd|a|svg|use|label)\b[^>]*>/g;

/**
 * @param {string} page
 * @returns {{text: string, line: number, context: string}[]} the texts of a Jinja template, its labels and titles too
 */
export function textsIn(page) {
  const plain = page.replace(/\{[%#][^]*?[%#]\}/g, (tag) => tag.replace(/[^\n]/g, " ")).replace(/\{\{[^]*?\}\}/g, PART);
  /** @type {{text: string, line: number, context: string}[]} */
  const found = [];
  for (const { 1: text, index } of plain.matchAll(/\b(?:aria-label|title|placeholder|content)="([^"]+)"/g))
    found.push({ text, line: lineAt(plain, index), context: "" });
  const bare = plain.replace(/<(script|style)\b[^]*?<\/\1>/g, "").replace(INLINE, "");
  for (const piece of bare.split(/<[^>]+>/))
    if (piece.trim()) found.push({ text: piece.trim().replace(/\s+/g, " "), line: 0, context: "" });
  return found;
}

/** @param {string} text @param {number} at */
function lineAt(text, at) {
  return text.slice(0, at).split("\n").length;
}
