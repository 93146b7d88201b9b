/**
 * The pieces of a program, for colours and for its names; it judges nothing, the server does.
 * @typedef {"comment"|"string"|"number"|"keyword"|"name"|"attribute"|"space"|"sign"} Kind
 * @typedef {{text: string, kind: Kind}} Piece
 */

const PIECES =
  /#.*|'(?:[^'\\]|\\.)*'?|"(?:[^"\\]|\\.)*"?|(?:\d[\d_]*\.?[\d_]*|\.\d[\d_]*)(?:[eE][+-]?\d+)?|[\p{L}_][\p{L}\p{N}_]*|\s+|\*\*|==|[<>!]=|./gu;
const KEYWORDS = new Set([
  "for",
  "in",
  "True",
  "False",
  "None",
  "and",
  "or",
  "not",
  "if",
  "else",
  "is",
  "lambda",
  "import",
  "from",
  "as",
  "def",
  "return",
  "while",
  "with",
  "class",
  "del",
  "pass",
]);

/** @param {string} line @returns {Piece[]} their texts joined are the line */
export function lex(line) {
  let after = "";
  return (line.match(PIECES) ?? []).map((text) => {
    const kind = kindOf(text, after);
    if (kind !== "space") after = text;
    return { text, kind };
  });
}

/** @param {string} text @param {string} after the piece before it @returns {Kind} */
function kindOf(text, after) {
  if (text.startsWith("#")) return "comment";
  if (/^['"]/.test(text)) return "string";
  if (/^\.?\d/.test(text)) return "number";
  if (/^\s/.test(text)) return "space";
  if (!/^[\p{L}_]/u.test(text)) return "sign";
  if (after === ".") return "attribute";
  return KEYWORDS.has(text) ? "keyword" : "name";
}
