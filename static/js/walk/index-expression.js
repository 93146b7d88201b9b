/**
 * The values of index letters, and of cells of tensors by their names.
 * @typedef {{letters: Map<string, number>, cell: (name: string, index: number[]) => number|null}} Scope
 */
/**
 * An expression of an index or of a condition: its letters, and its value once they are known; null where that can't
 * be told. `letter` is set where it is one letter and nothing else, `equal` are the two sides of an equation.
 * @typedef {{letters: Set<string>, value: (scope: Scope) => number|null, letter: string|null,
 *   equal: [Expression, Expression]|null}} Expression
 */

const TOKENS = /\s*(\d+|[^\W\d]\w*|\/\/|==|!=|<=|>=|[-+*%<>()[\],])/uy;
const BINARY = /** @type {Record<string, (left: number, right: number) => number>} */ ({
  "+": (a, b) => a + b,
  "-": (a, b) => a - b,
  "*": (a, b) => a * b,
  "//": (a, b) => Math.floor(a / b),
  "%": (a, b) => ((a % b) + b) % b,
  "==": (a, b) => Number(a === b),
  "!=": (a, b) => Number(a !== b),
  "<": (a, b) => Number(a < b),
  "<=": (a, b) => Number(a <= b),
  ">": (a, b) => Number(a > b),
  ">=": (a, b) => Number(a >= b),
  and: (a, b) => Number(a !== 0 && b !== 0),
});
/** By how tightly they bind, loosest first. */
const LEVELS = [["and"], ["==", "!=", "<", "<=", ">", ">="], ["+", "-"], ["*", "//", "%"]];

/**
 * @param {string} text such as `Xb[i, j]`, `j // 10` or `not (i == 3)` @param {(name: string) => boolean} isLetter
 * @returns {Expression}
 */
export function parseIndex(text, isLetter) {
  const tokens = tokensOf(text);
  let at = 0;
  const next = () => tokens[at++] ?? "";
  /** @param {string} token @returns {boolean} whether it comes next, and is taken */
  const takes = (token) => tokens[at] === token && at++ >= 0;

  /** @param {number} level @returns {Expression} */
  function operation(level) {
    if (level === LEVELS.length) return unary();
    let left = level === 1 && takes("not") ? negated(operation(level)) : operation(level + 1);
    while (LEVELS[level].includes(tokens[at])) left = binary(next(), left, operation(level + 1));
    return left;
  }

  /** @returns {Expression} */
  function unary() {
    if (takes("-")) return binary("-", constant(0), unary());
    if (takes("(")) {
      const inner = operation(0);
      takes(")");
      return inner;
    }
    const word = next();
    if (/^\d/.test(word)) return constant(Number(word));
    if (!/^[^\W\d]/u.test(word)) throw new Error(`an index expression that is none: ${text}`);
    if (isLetter(word) && tokens[at] !== "[") return letterOf(word);
    return cellOf(word, takes("[") ? list() : []);
  }

  /** @returns {Expression[]} up to the bracket */
  function list() {
    const parts = [];
    while (!takes("]")) {
      parts.push(operation(0));
      takes(",");
    }
    return parts;
  }

  const whole = operation(0);
  if (at < tokens.length) throw new Error(`an index expression that is none: ${text}`);
  return whole;
}

/** @param {string} text @returns {string[]} */
function tokensOf(text) {
  const tokens = [];
  TOKENS.lastIndex = 0;
  for (let found = TOKENS.exec(text); found; found = TOKENS.exec(text)) tokens.push(found[1]);
  return tokens;
}

/** @param {number} value @returns {Expression} */
function constant(value) {
  return { letters: new Set(), value: () => value, letter: null, equal: null };
}

/** @param {string} letter @returns {Expression} */
function letterOf(letter) {
  return { letters: new Set([letter]), value: ({ letters }) => letters.get(letter) ?? null, letter, equal: null };
}

/** @param {string} name of a tensor of the walk @param {Expression[]} index @returns {Expression} */
function cellOf(name, index) {
  return {
    letters: new Set(index.flatMap((part) => [...part.letters])),
    value(scope) {
      const at = index.map((part) => part.value(scope));
      return at.includes(null) ? null : scope.cell(name, /** @type {number[]} */ (at));
    },
    letter: null,
    equal: null,
  };
}

/** @param {string} sign @param {Expression} left @param {Expression} right @returns {Expression} */
function binary(sign, left, right) {
  const act = BINARY[sign];
  return {
    letters: new Set([...left.letters, ...right.letters]),
    value(scope) {
      const [a, b] = [left.value(scope), right.value(scope)];
      return a === null || b === null ? null : act(a, b);
    },
    letter: null,
    equal: sign === "==" ? [left, right] : null,
  };
}

/** @param {Expression} inner @returns {Expression} */
function negated(inner) {
  return {
    letters: inner.letters,
    value(scope) {
      const value = inner.value(scope);
      return value === null ? null : Number(value === 0);
    },
    letter: null,
    equal: null,
  };
}
