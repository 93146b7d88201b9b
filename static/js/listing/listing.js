/** @typedef {import("../walk/walk.js").Walk} Walk */
/** @typedef {{text: string, kind: "name"|"gradient"|"constant"|"comment"|"plain", node: string|null}} Token */
/**
 * @typedef {{number: number, text: string, tokens: Token[], head: number, step: number|null,
 *   first: number, node: string|null, shape: number[]|null, opens: boolean, planted: string}} Row `first`: the number
 *   of the row that its statement begins in; `opens`: there are small steps inside; `planted`: what a line is that
 *   takes the place of the right one
 */

const PIECES = /#.*$|[A-Za-z_]\w*|\s+|[^\sA-Za-z_#]+/g;

/**
 * @param {string} line @param {Map<string, string>} variables Python name → node name
 * @param {Record<string, unknown>} [constants] plain numbers by name
 * @returns {Token[]} names of nodes, of their gradients and of plain numbers told apart from the rest
 */
export function tokens(line, variables, constants = {}) {
  let previous = "";
  return (line.match(PIECES) ?? []).map((text) => {
    const token = tokenOf(text, previous, variables, constants);
    previous = text;
    return token;
  });
}

/**
 * @param {string} text @param {string} previous @param {Map<string, string>} variables
 * @param {Record<string, unknown>} constants @returns {Token}
 */
function tokenOf(text, previous, variables, constants) {
  if (text.startsWith("#")) return { text, kind: "comment", node: null };
  if (previous.endsWith(".")) return { text, kind: "plain", node: null };
  const own = variables.get(text);
  if (own !== undefined) return { text, kind: "name", node: own };
  if (Object.hasOwn(constants, text)) return { text, kind: "constant", node: null };
  const base = text.startsWith("d") ? variables.get(text.slice(1)) : undefined;
  return base === undefined ? { text, kind: "plain", node: null } : { text, kind: "gradient", node: base };
}

/** After what a long line may go on in the next: a comma, an opening bracket, a sign between two things. */
const STOPS = /,|[([{](?![)\]}])|(?<=[\w)\]}.] ?)(?:[-+*/]?=(?!=)(?= |$)|==|!=|<=|>=|\*\*|\/\/|[-+*/@%<>&|](?!=))/g;
const EXPONENT = /(?:^|[^\w.])[\d.]+e$/i;
/** What is longer than this may also end after a dot. */
const LONG = 20;

/**
 * A line in parts that stay together, each with the space behind it, so that no name is ever cut.
 * @param {Token[]} line @returns {{tokens: Token[], space: string}[]}
 */
export function unbroken(line) {
  const text = line.map((token) => token.text).join("");
  const code = line.filter(({ kind }) => kind !== "comment").reduce((length, token) => length + token.text.length, 0);
  const ends = endsIn(text.slice(0, code));
  /** @type {{tokens: Token[], space: string}[]} */
  const parts = [];
  for (let from = 0; from < text.length;) {
    const to = ends.find((end) => end > from) ?? (from < code ? code : text.length);
    const tokens = between(line, from, to);
    const space = /\s*$/.exec(tokens.map((token) => token.text).join(""))?.[0] ?? "";
    parts.push({ tokens: between(line, from, to - space.length), space });
    from = to;
  }
  return parts;
}

/** @param {string} code @returns {number[]} where the parts of a line end, spaces included */
function endsIn(code) {
  const indent = /^\s*/.exec(code)?.[0].length ?? 0;
  const stops = [...code.matchAll(STOPS)].flatMap((stop) => {
    const end = stop.index + stop[0].length;
    if (stop.index < indent || EXPONENT.test(code.slice(0, stop.index))) return [];
    return [end + (/^\s*/.exec(code.slice(end))?.[0].length ?? 0)];
  });
  const ends = indent ? [indent, ...stops] : stops;
  const all = [...ends, code.length];
  const dots = all.flatMap((end, i) => dotsIn(code, i ? all[i - 1] : indent, end));
  return [...ends, ...dots].sort((a, b) => a - b);
}

/**
 * @param {string} code @param {number} from @param {number} to
 * @returns {number[]} the ends after dots of a long part
 */
function dotsIn(code, from, to) {
  if (to - from <= LONG) return [];
  return [...code.slice(from, to).matchAll(/\.(?=[a-z_])/gi)].map((dot) => from + dot.index + 1);
}

/** @param {Token[]} line @param {number} from @param {number} to @returns {Token[]} what of the tokens lies there */
function between(line, from, to) {
  let at = 0;
  return line.flatMap((token) => {
    const [start, end] = [Math.max(from, at) - at, Math.min(to, at + token.text.length) - at];
    at += token.text.length;
    return start < end ? [{ ...token, text: token.text.slice(start, end) }] : [];
  });
}

/** @param {Token[]} line @returns {number} how many tokens stand before the right-hand side */
function headLength(line) {
  const at = line.findIndex((token) => /^(?:[-+*/]?=)(?!=)/.test(token.text) || /[\])]\s*=$/.test(token.text));
  return at < 0 ? 0 : at + 1;
}

/** @param {string} text @returns {number} how many more brackets it opens than it closes */
function deeper(text) {
  return text.replace(/[^([]/g, "").length - text.replace(/[^)\]]/g, "").length;
}

/** @param {Walk} walk @returns {Map<string, string>} Python name → node name */
function variablesOf(walk) {
  return new Map([...walk.nodes.values()].map((node) => [node.variable, node.name]));
}

/**
 * @param {Walk} walk @returns {{forward: Row[], backward: Row[]}} the two listings with the step each line belongs to
 */
export function listings(walk) {
  const variables = variablesOf(walk);
  const forward = rowsOf(walk.document.forward_source, variables, walk.document.constants);
  const backward = rowsOf(walk.document.backward_source, variables, walk.document.constants);
  for (const step of walk.steps) {
    const backwards = step.direction === "backward";
    const rows = backwards ? backward : forward;
    const last = backwards ? step.line + step.lines - 1 : step.line;
    for (let at = step.line - 1; at < rows.length && rows[at].first <= last; at += 1) {
      const begins = rows[at].first === rows[at].number;
      Object.assign(rows[at], {
        step: step.index,
        node: step.node,
        shape: begins ? walk.node(step.node).shape : null,
        opens: begins && !backwards && step.opens === true,
        planted: backwards && rows[at].number === last ? plantedAt(walk, step.index) : "",
      });
    }
  }
  return { forward, backward };
}

/**
 * @param {Walk} walk @param {number} step
 * @returns {string} what stands in the place of its line; empty for the line itself
 */
function plantedAt({ document: { planted } }, step) {
  if (step !== planted?.step) return "";
  return planted.label ? "wrong on purpose" : "yours";
}

/**
 * @param {string} source @param {Map<string, string>} variables @param {Record<string, unknown>} constants
 * @returns {Row[]}
 */
function rowsOf(source, variables, constants) {
  let [depth, first] = [0, 1];
  return source
    .replace(/\s+$/, "")
    .split("\n")
    .map((text, i) => {
      const line = tokens(text, variables, constants);
      if (depth === 0) first = i + 1;
      for (const { kind, text: part } of line) if (kind === "plain") depth += deeper(part);
      return {
        number: i + 1,
        text,
        tokens: line,
        first,
        head: first === i + 1 ? headLength(line) : 0, // not of `keepdim=True,` inside brackets
        step: null,
        node: null,
        shape: null,
        opens: false,
        planted: "",
      };
    });
}
