/** @typedef {import("./tree.js").Binary} Binary */
/** @typedef {import("./tree.js").Tree} Tree */
/** @typedef {{words: string, level: number, open?: boolean}} Text `open`: a Σ at its end would reach over a factor */

const [CHOICE, BOTH, COMPARE, SUM, PART, PRODUCT, SIGN, POWER, ATOM] = [0, 1, 2, 3, 4, 5, 6, 7, 8];
/** @type {Record<string, string>} */
const RAISED = { 2: "²", 3: "³" };

/** @param {Tree} node @returns {string} as the server writes it */
export function formulaText(node) {
  return textOf(node).words;
}

/**
 * @param {Text} text @param {number} level @param {boolean} [last]
 * @returns {string} in brackets where it needs them
 */
function within({ words, level: own, open = false }, level, last = true) {
  return own < level || (open && !last) ? `(${words})` : words;
}

/** @param {Tree} node @returns {Text} */
function textOf(node) {
  switch (node.kind) {
    case "number":
      return { words: node.text, level: ATOM };
    case "name":
      return { words: node.name, level: ATOM };
    case "cell":
      return { words: `${node.name}[${node.index.map(placeText).join(",")}]`, level: ATOM };
    case "binary":
      return binaryText(node, textOf(node.left), textOf(node.right));
    case "minus":
      return minusText(textOf(node.inner));
    case "not":
      return { words: `not ${within(textOf(node.inner), COMPARE)}`, level: BOTH };
    case "compare":
      return { words: `${inside(node.left, SUM)} ${node.op} ${inside(node.right, SUM)}`, level: COMPARE };
    case "both":
      return { words: node.parts.map((part) => inside(part, COMPARE)).join(` ${node.op} `), level: BOTH };
    case "choice": {
      const [then, otherwise] = [inside(node.then, BOTH), inside(node.otherwise, BOTH)];
      return { words: `${then} if ${formulaText(node.test)} else ${otherwise}`, level: CHOICE };
    }
    case "call":
      return { words: `${node.name}(${node.parts.map(formulaText).join(", ")})`, level: ATOM };
  }
  const letters = node.letters.map(({ name, end }) => (end === null ? name : `${name}<${end}`));
  const sign = `${node.fold}_${letters.join(",")}`;
  if (node.fold === "Σ" || node.fold === "Π")
    return { words: `${sign} ${inside(node.body, PRODUCT)}`, level: PRODUCT, open: true };
  return { words: `${sign}(${formulaText(node.body)})`, level: ATOM };
}

/** @param {Tree} node @param {number} level */
function inside(node, level) {
  return within(textOf(node), level);
}

/** @param {Tree} node an index, without spaces */
function placeText(node) {
  const text = formulaText(node);
  return text.includes("[") || text.includes("if") ? text : text.replaceAll(" ", "");
}

/** @param {Text} inner @returns {Text} */
function minusText(inner) {
  const level = inner.level > PRODUCT ? SIGN : PRODUCT;
  return { words: `-${within(inner, PRODUCT)}`, level, open: inner.open };
}

/** @param {Binary} node @param {Text} left @param {Text} right @returns {Text} */
function binaryText({ op }, left, right) {
  if (op === "//" || op === "%")
    return { words: `${within(left, PRODUCT, false)} ${op} ${within(right, SIGN, false)}`, level: PART };
  if (op === "+") return { words: `${within(left, SUM)} + ${within(right, SUM)}`, level: SUM, open: right.open };
  if (op === "-") return { words: `${within(left, SUM)} - ${within(right, PART)}`, level: SUM, open: right.open };
  if (op === "·") {
    const words = `${within(left, PRODUCT, false)} · ${within(right, PRODUCT)}`;
    return { words, level: PRODUCT, open: right.open };
  }
  if (op === "**") {
    const raised = RAISED[right.words] ?? `**${within(right, SIGN, false)}`;
    return { words: `${within(left, ATOM, false)}${raised}`, level: POWER };
  }
  const tight = left.level === ATOM && right.level === ATOM && !/[[⟨]/.test(left.words + right.words);
  return {
    words: `${within(left, PRODUCT, false)}${tight ? "/" : " / "}${within(right, SIGN, false)}`,
    level: PRODUCT,
  };
}
