/** @typedef {{tag: string, attributes: [string, string][], children: (Part|string)[]}} Part */

const TAGS = new Set("math mrow mi mn mo mtext mspace mfrac msup msub msubsup munder mover msqrt mroot".split(" "));
const ATTRIBUTES = new Set(["display", "mathvariant", "stretchy", "width"]);
const PIECE = /<(\/?)(\w+)((?:\s+\w+=(?:"[^"<]*"|'[^'<]*'))*)\s*(\/?)>|[^<]+/y;
const ATTRIBUTE = /(\w+)=["']([^"'<]*)["']/g;
const NAMED = /** @type {Record<string, string>} */ ({ amp: "&", lt: "<", gt: ">", quot: '"' });

/**
 * A formula of the server as a tree. The page makes its elements itself, so that nothing but a formula can come of it.
 * @param {string} source MathML @returns {Part|null} null for anything that is not a formula and nothing else
 */
export function formulaOf(source) {
  const whole = /** @type {Part} */ ({ tag: "", attributes: [], children: [] });
  const open = [whole];
  PIECE.lastIndex = 0;
  while (PIECE.lastIndex < source.length) {
    const piece = PIECE.exec(source);
    if (!piece || !put(piece, open)) return null;
  }
  const [formula] = whole.children;
  const alone =
    open.length === 1 && whole.children.length === 1 && typeof formula === "object" && formula.tag === "math";
  return alone ? formula : null;
}

/**
 * @param {RegExpExecArray} piece @param {Part[]} open the parts it stands in, the innermost last
 * @returns {boolean} whether it may stand there
 */
function put([text, closes, tag, given, empty], open) {
  const inner = open[open.length - 1];
  if (!tag) return Boolean(inner.children.push(decoded(text)));
  if (closes) return open.pop()?.tag === tag && !given && !empty;
  const attributes = [...given.matchAll(ATTRIBUTE)].map(
    ([, name, value]) => /** @type {[string, string]} */ ([name, decoded(value)]),
  );
  if (!TAGS.has(tag) || attributes.some(([name]) => !ATTRIBUTES.has(name))) return false;
  const part = { tag, attributes, children: [] };
  inner.children.push(part);
  if (!empty) open.push(part);
  return true;
}

/** @param {string} text @returns {string} with the characters that entities stand for */
function decoded(text) {
  return text.replace(/&(?:#(\d+)|#x([\da-f]+)|(\w+));/gi, (whole, decimal, hex, name) => {
    if (name) return NAMED[name] ?? whole;
    return String.fromCodePoint(Math.min(decimal ? Number(decimal) : parseInt(hex, 16), 0x10ffff));
  });
}

const BREAKS = new Set([..."=+−⊙·@"]);

/**
 * A formula cut before its outermost signs, where a line may end: what is too long for one line goes on in the next.
 * @param {Part} formula @returns {Part[]} formulas, all but the first of which begin with a sign
 */
export function piecesOf(formula) {
  const [row] = formula.children;
  if (typeof row !== "object" || row.tag !== "mrow" || formula.children.length > 1) return [formula];
  /** @type {Part["children"][]} */
  const pieces = [[]];
  let depth = 0;
  for (const child of row.children) {
    const sign = typeof child === "object" && child.tag === "mo" ? child.children.join("") : "";
    depth += Number(sign === "(") - Number(sign === ")");
    const begins = depth === 0 && BREAKS.has(sign) && pieces[pieces.length - 1].length > 0;
    if (begins) pieces.push([infix(/** @type {Part} */ (child))]);
    else pieces[pieces.length - 1].push(child);
  }
  return pieces.map((children) => ({
    tag: "math",
    attributes: [["displaystyle", "true"]],
    children: [{ tag: "mrow", attributes: [], children }],
  }));
}

/** @param {Part} sign @returns {Part} with the space of a sign that stands between two things */
function infix(sign) {
  return { ...sign, attributes: [...sign.attributes, ["form", "infix"]] };
}
