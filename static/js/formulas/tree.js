/**
 * A formula in index letters, read: `Σ_k h[k,i] · dlogits[k,j]`.
 * @typedef {{kind: "number", value: number, text: string}} Numeral
 * @typedef {{kind: "name", name: string}} Name
 * @typedef {{kind: "cell", name: string, index: Tree[]}} Cell
 * @typedef {"+"|"-"|"·"|"/"|"//"|"%"|"**"} Operator
 * @typedef {{kind: "binary", op: Operator, left: Tree, right: Tree}} Binary
 * @typedef {{kind: "minus", inner: Tree}} Minus
 * @typedef {{kind: "not", inner: Tree}} Not
 * @typedef {{kind: "compare", op: string, left: Tree, right: Tree}} Compare
 * @typedef {{kind: "both", op: "and"|"or", parts: Tree[]}} Both
 * @typedef {{kind: "choice", then: Tree, test: Tree, otherwise: Tree}} Choice
 * @typedef {{kind: "call", name: string, parts: Tree[]}} Call
 * @typedef {{name: string, end: number|null}} Letter runs to its end, or as far as the axis on which it stands alone
 * @typedef {"Σ"|"Π"|"max"|"min"|"argmax"|"argmin"} Fold
 * @typedef {{kind: "fold", fold: Fold, letters: Letter[], body: Tree}} Folded
 * @typedef {Numeral|Name|Cell|Binary|Minus|Not|Compare|Both|Choice|Call|Folded} Tree
 */

/** What a page can't work out; who asks says that it can't. */
export class NotExpressible extends Error {}

/** @param {number} value @param {string} [text] @returns {Tree} */
export function numeral(value, text = String(value)) {
  return { kind: "number", value, text };
}

/** @param {Operator} op @param {Tree} left @param {Tree} right @returns {Binary} */
export function binary(op, left, right) {
  return { kind: "binary", op, left, right };
}

/** @param {Tree} node @returns {Tree} of two signs neither is left */
export function minus(node) {
  return node.kind === "minus" ? node.inner : { kind: "minus", inner: node };
}

/** @param {Tree} node @returns {number|null} of a numeral with its sign */
function numberIn(node) {
  if (node.kind === "number") return node.value;
  const inner = node.kind === "minus" ? numberIn(node.inner) : null;
  return inner === null ? null : -inner;
}

/** @param {Tree} left @param {Tree} right @returns {Tree} */
function add(left, right) {
  if (numberIn(left) === 0) return right;
  if (numberIn(right) === 0) return left;
  return right.kind === "minus" ? binary("-", left, right.inner) : binary("+", left, right);
}

/** @param {Tree} node @returns {Tree} without factors of 1, double signs and terms of 0 */
export function simple(node) {
  if (node.kind === "minus") return minus(node.inner);
  if (node.kind !== "binary") return node;
  const { op, left, right } = node;
  if (op === "+") return add(left, right);
  if (op === "-") return right.kind === "minus" || numberIn(right) === 0 ? add(left, minus(right)) : node;
  if (op === "//" || op === "%") return node;
  if (numberIn(right) === 1) return left;
  return op === "**" ? node : product(node);
}

/** @param {Binary} node @returns {Tree} a product without factors of 1, its sign in front */
function product(node) {
  const { op, left, right } = node;
  if (op === "·" && numberIn(left) === 1) return right;
  if (left.kind === "minus") return minus(simple(binary(op, left.inner, right)));
  return op === "·" && right.kind === "minus" ? minus(simple(binary(op, left, right.inner))) : node;
}

/** @param {Tree} node @returns {Tree[]} its direct parts; the letters of a fold are none */
export function partsOf(node) {
  if (node.kind === "cell") return node.index;
  if (node.kind === "binary" || node.kind === "compare") return [node.left, node.right];
  if (node.kind === "minus" || node.kind === "not") return [node.inner];
  if (node.kind === "choice") return [node.test, node.then, node.otherwise];
  if (node.kind === "fold") return [node.body];
  return node.kind === "both" || node.kind === "call" ? node.parts : [];
}

/** @param {Tree} node @returns {boolean} whether it is a Σ or a multiple of one */
export function isSum(node) {
  if (node.kind === "minus") return isSum(node.inner);
  if (node.kind === "binary" && node.op === "/") return isSum(node.left);
  if (node.kind === "binary" && node.op === "·") return isSum(node.left) || isSum(node.right);
  return node.kind === "fold" && node.fold === "Σ";
}
