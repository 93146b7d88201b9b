import { binary, minus, NotExpressible, numeral } from "./tree.js";
/** @typedef {import("./tree.js").Fold} Fold */
/** @typedef {import("./tree.js").Letter} Letter */
/** @typedef {import("./tree.js").Operator} Operator */
/** @typedef {import("./tree.js").Tree} Tree */
/** @typedef {{name: string, letters: (string|null)[], right: Tree}} Equation the letter of each axis of its cell */

const LETTERS = "[a-zA-Z](?:<\\d+)?(?:,[a-zA-Z](?:<\\d+)?)*";
const FOLDED = new RegExp(`^(Σ|Π|max|min|argmax|argmin)_(${LETTERS})$`);
const TOKEN = new RegExp(
  `\\s*([ΣΠ]_${LETTERS}|arg(?:max|min)_${LETTERS}(?=\\()|(?:max|min)_${LETTERS}(?=\\()|` +
    "(?:\\d[\\d_]*\\.?\\d*|\\.\\d+)(?:e[+-]?\\d+)?|[\\p{L}_][\\p{L}\\p{N}_]*(?:\\.\\p{L}+)?|\\*\\*|//|[<>=!]=|\\S)",
  "gu",
);
const COMPARISONS = ["==", "!=", "<", "<=", ">", ">="];

/** @param {string} formula "dw[i,j] = Σ_k …" @returns {Equation} @throws {NotExpressible} */
export function equationIn(formula) {
  const [, name, index, right] = /^([^\s[]+)(?:\[([^\]]*)\])? \+?= (.*)$/s.exec(formula) ?? [];
  if (!name) throw new NotExpressible(formula);
  const letters = index ? index.split(",").map((place) => (/^\d/.test(place) ? null : place)) : [];
  return { name, letters, right: treeIn(right) };
}

/** @param {string} text of the right-hand side @returns {Tree} @throws {NotExpressible} */
export function treeIn(text) {
  const spelled = text.replaceAll("²", "**2").replaceAll("³", "**3");
  const reader = new Reader([...spelled.matchAll(TOKEN)].map((found) => found[1]));
  return reader.whole();
}

/** Reads tokens from left to right; what binds least is asked for first. */
class Reader {
  /** @param {string[]} tokens */
  constructor(tokens) {
    this.tokens = tokens;
    this.at = 0;
  }

  get next() {
    return this.tokens[this.at] ?? "";
  }

  /** @param {string[]} wanted @returns {string} the next token if it is one of these, else nothing */
  take(...wanted) {
    if (!wanted.includes(this.next)) return "";
    this.at += 1;
    return this.tokens[this.at - 1];
  }

  /** @param {string} wanted */
  need(wanted) {
    if (!this.take(wanted)) throw new NotExpressible(this.tokens.join(" "));
  }

  whole() {
    const found = this.choice();
    if (this.next) throw new NotExpressible(this.tokens.join(" "));
    return found;
  }

  /** @returns {Tree} */
  choice() {
    const then = this.either();
    if (!this.take("if")) return then;
    const test = this.either();
    this.need("else");
    return { kind: "choice", then, test, otherwise: this.choice() };
  }

  /** @returns {Tree} */
  either() {
    const parts = [this.negation()];
    let op = "";
    for (let word = this.take("and", "or"); word; word = this.take("and", "or")) {
      if (op && word !== op) throw new NotExpressible(word);
      op = word;
      parts.push(this.negation());
    }
    return op ? { kind: "both", op: /** @type {"and"|"or"} */ (op), parts } : parts[0];
  }

  /** @returns {Tree} */
  negation() {
    return this.take("not") ? { kind: "not", inner: this.comparison() } : this.comparison();
  }

  /** @returns {Tree} */
  comparison() {
    const left = this.sum();
    const op = this.take(...COMPARISONS);
    return op ? { kind: "compare", op, left, right: this.sum() } : left;
  }

  sum() {
    let left = this.product();
    for (let op = this.take("+", "-"); op; op = this.take("+", "-"))
      left = binary(/** @type {Operator} */ (op), left, this.product());
    return left;
  }

  /** @returns {Tree} a sign at its beginning stands before the whole product */
  product() {
    if (this.take("-")) return minus(this.product());
    let left = this.factor();
    for (let op = this.take("·", "/", "//", "%"); op; op = this.take("·", "/", "//", "%"))
      left = binary(/** @type {Operator} */ (op), left, this.factor());
    return left;
  }

  /** @returns {Tree} a Σ reaches to the end of its product */
  factor() {
    if (this.take("-")) return minus(this.factor());
    const [, sign, letters] = FOLDED.exec(this.next) ?? [];
    if (sign !== "Σ" && sign !== "Π") return this.power();
    this.at += 1;
    return { kind: "fold", fold: sign, letters: lettersIn(letters), body: this.product() };
  }

  /** @returns {Tree} */
  power() {
    const base = this.atom();
    return this.take("**") ? binary("**", base, this.factor()) : base;
  }

  /** @returns {Tree} */
  atom() {
    if (this.take("(")) {
      const inner = this.choice();
      this.need(")");
      return inner;
    }
    const word = this.next;
    this.at += 1;
    if (/^\.?\d/.test(word)) return numeral(Number(word.replaceAll("_", "")), word);
    const [, fold, letters] = FOLDED.exec(word) ?? [];
    if (fold) return { kind: "fold", fold: /** @type {Fold} */ (fold), letters: lettersIn(letters), body: this.atom() };
    if (!/^[\p{L}_]/u.test(word)) throw new NotExpressible(word);
    if (this.take("(")) return { kind: "call", name: word, parts: this.listed(")") };
    if (this.take("[")) return { kind: "cell", name: word, index: this.listed("]") };
    return { kind: "name", name: word };
  }

  /** @param {string} end @returns {Tree[]} */
  listed(end) {
    const found = [this.choice()];
    while (this.take(",")) found.push(this.choice());
    this.need(end);
    return found;
  }
}

/** @param {string} text "k,l<6" @returns {Letter[]} */
function lettersIn(text) {
  return text.split(",").map((one) => {
    const [name, end] = one.split("<");
    return { name, end: end ? Number(end) : null };
  });
}
