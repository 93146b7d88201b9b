import { shapeText } from "./format.js";
/** @typedef {import("./tensor.js").Tensor} Tensor */
/** @typedef {import("./types.js").BackwardStep} BackwardStep */
/** @typedef {import("./types.js").ForwardStep} ForwardStep */
/** @typedef {import("./types.js").Operand} Operand */
/** @typedef {import("./pick.js").Subject} Subject */
/** @typedef {import("./walk.js").Walk} Walk */
/**
 * @typedef {{type: "tensor", label: string, role: string, tensor: Tensor, shape: number[], dims: string[],
 *   stretch: number[]|null, scale: string, subject: Subject|null, result: boolean}} Piece
 * @typedef {{type: "sign", text: string, words: string}} Sign
 * @typedef {{type: "sum", axis: number, words: string, down: boolean, from: Piece, result: Piece}} Sum
 * @typedef {Piece|Sign|Sum} Item
 * @typedef {{rows: Item[][], motion: "collapse"|"spread"|"add"|"none", spoken: string}} Scene
 */

const TURNED = /** @type {[string, string]} */ (["→", "sign turns"]);
const WORDS = /** @type {Record<string, [string, string]>} */ ({
  copy: ["=", "passed on"], spread: ["→", "copied"], scatter: ["→", "put back"],
  rearrange: ["→", "rearranged"], other: ["→", ""],
});

/** @param {Partial<Piece> & {label: string, tensor: Tensor}} parts @returns {Piece} */
function piece(parts) {
  return { type: "tensor", role: "", shape: parts.tensor.shape, dims: [], stretch: null, scale: parts.label, subject: null, result: false, ...parts };
}

/** @param {string} text @param {string} [words] @returns {Sign} */
function sign(text, words = "") {
  return { type: "sign", text, words };
}

/** @param {number[]} shape @param {number[]} goal @returns {number[]|null} the goal if the shape is copied to reach it */
export function stretchTo(shape, goal) {
  if (shape.length > goal.length || shape.join() === goal.join()) return null;
  const padded = [...new Array(goal.length - shape.length).fill(1), ...shape];
  return padded.every((size, axis) => size === goal[axis] || size === 1) ? goal : null;
}

/** @param {Walk} walk @param {Operand} operand @param {BackwardStep} step @param {number[]} goal @returns {Piece} */
function operandPiece(walk, operand, step, goal) {
  const role = operand.role === "local" ? "local derivative" : "arrives";
  const tensor = operandTensor(walk, operand, step);
  const copied = ["product", "quotient"].includes(step.picture?.kind ?? "");
  const dims = operand.dims ?? (operand.node ? walk.node(operand.node).dims : []);
  return piece({ label: operand.code, role, tensor, dims, stretch: copied ? stretchTo(tensor.shape, goal) : null, subject: subjectOf(operand) });
}

/** @param {Operand} operand @returns {Subject|null} null for an expression without a name of its own */
function subjectOf({ node, which }) {
  return node && which ? { tensor: node, of: which } : null;
}

/** @param {Walk} walk @param {Operand} operand @param {BackwardStep} step @returns {Tensor} */
function operandTensor(walk, operand, step) {
  if (operand.tensor) return walk.tensor(operand.tensor);
  const node = walk.node(operand.node ?? step.node);
  return walk.tensor(operand.which === "gradient" && node.gradient ? node.gradient.manual : node.value);
}

/** @param {Walk} walk @param {BackwardStep} step @returns {Scene} a backward step as an equation of tensors */
export function backwardScene(walk, step) {
  const node = walk.node(step.node);
  const adds = step.mode === "+=";
  const name = `d${node.variable}`;
  const result = piece({
    label: adds ? "this path" : name, role: adds ? `what ${step.through ? walk.node(step.through).variable : ""} adds` : "result", dims: node.dims,
    subject: adds || !step.complete ? { tensor: step.node, of: "contribution", path: step.index } : { tensor: step.node, of: "gradient" },
    tensor: walk.tensor(step.contribution), scale: adds ? "add" : name, result: !adds,
  });
  const rows = [equation(walk, step, result)];
  const before = adds ? walk.before(step) : null;
  if (before) rows.push(addition(walk, step, before, result, name, node.dims));
  return { rows, motion: motionOf(step, adds), spoken: spokenOf(rows) };
}

/** @param {BackwardStep} step @param {boolean} adds @returns {Scene["motion"]} */
function motionOf(step, adds) {
  if (adds) return "add";
  if (step.picture && step.axes.length) return "collapse";
  return step.picture?.kind === "spread" ? "spread" : "none";
}

/** @param {Walk} walk @param {BackwardStep} step @param {Piece} result @returns {Item[]} */
function equation(walk, step, result) {
  const { picture } = step;
  if (!picture) return [result];
  const goal = picture.product?.shape ?? result.shape;
  const operands = picture.operands.map((operand) => operandPiece(walk, operand, step, goal));
  if (!operands.length) return [result];
  const turned = operands.length === 1 && picture.symbol === "−";
  const left = joined(operands, picture.symbol);
  if (!picture.product && step.axes.length && operands.length === 1) return [sumOf(step, operands[0], result)];
  if (!picture.product) {
    const [text, words] = operands.length > 1 && picture.symbol ? ["=", ""] : turned ? TURNED : WORDS[picture.kind] ?? WORDS.other;
    return [...left, sign(text, words), result];
  }
  const same = operands.length === 1 && operands[0].label === picture.product.code;
  const product = piece({ label: picture.product.code, role: "one value per copy", dims: picture.product.dims, tensor: walk.tensor(picture.product.tensor) });
  const from = same ? operands[0] : product;
  const sum = sumOf(step, from, result);
  return same ? [sum] : [...left, turned ? sign(...TURNED) : sign("="), sum];
}

/** @param {BackwardStep} step @param {Piece} from @param {Piece} result @returns {Sum} */
function sumOf(step, from, result) {
  const axes = step.axes.map((axis) => axis.axis);
  const words = axes.length > 1 ? `axes ${axes.join(", ")}` : `axis ${axes[0]}`;
  const down = from.shape.length === 1 || (axes[0] === 0 && from.shape.length === 2 && axes.length === 1);
  return { type: "sum", axis: axes[0] ?? 0, words, down, from, result };
}

/** @param {Piece[]} operands @param {string} symbol @returns {Item[]} */
function joined(operands, symbol) {
  return operands.flatMap((operand, i) => (i ? [sign(symbol || "·"), operand] : [operand]));
}

/** @param {Walk} walk @param {BackwardStep} step @param {Tensor} before @param {Piece} path @param {string} name @param {string[]} dims */
function addition(walk, step, before, path, name, dims) {
  const after = walk.tensor(step.accumulated);
  const earlier = (walk.backwardIndex.get(step.node) ?? []).filter((path) => path < step.index);
  const soFar = earlier.length === 1 ? { tensor: step.node, of: /** @type {const} */ ("contribution"), path: earlier[0] } : null;
  const whole = step.complete ? { tensor: step.node, of: /** @type {const} */ ("gradient") } : null;
  return [
    piece({ label: name, role: "so far", tensor: before, dims, scale: "add", subject: soFar }), sign("+"),
    { ...path, role: "" }, sign("="),
    piece({ label: name, role: "result", tensor: after, dims, scale: "add", subject: whole, result: true }),
  ];
}

/** @param {Walk} walk @param {string} name @returns {Scene} a node that is looked at without being stepped to */
export function nodeScene(walk, name) {
  const node = walk.node(name);
  const rows = [[piece({ label: node.variable, role: node.role, tensor: walk.tensor(node.value), dims: node.dims, subject: { tensor: name, of: "value" } })]];
  return { rows, motion: "none", spoken: spokenOf(rows) };
}

const BINARY = /^\s*(\w+)\s*([-+*/@])\s*(\w+)\s*$/;
const SIGNS = /** @type {Record<string, string>} */ ({ "*": "⊙", "/": "÷", "-": "−", "+": "+", "@": "@" });

/** @param {Walk} walk @param {ForwardStep} step @returns {Scene} a forward step: what goes in, what comes out */
export function forwardScene(walk, step) {
  const node = walk.node(step.node);
  const inputs = node.inputs.map((name) => {
    const input = walk.node(name);
    const copied = step.broadcasts.some((broadcast) => broadcast.input === name);
    return piece({
      label: input.variable, role: input.role === "intermediate" ? "" : input.role, tensor: walk.tensor(input.value),
      dims: input.dims, subject: { tensor: name, of: "value" }, stretch: copied ? stretchTo(input.shape, node.shape) : null,
    });
  });
  const result = piece({ label: node.variable, role: "result", tensor: walk.tensor(node.value), dims: node.dims, subject: { tensor: step.node, of: "value" }, result: true });
  const rows = [[...arranged(inputs, step.code), result]];
  return { rows, motion: inputs.some((input) => input.stretch) ? "spread" : "none", spoken: spokenOf(rows) };
}

/** @param {Piece[]} inputs @param {string} code @returns {Item[]} with the operator between them where the line is that plain */
function arranged(inputs, code) {
  const right = code.slice(code.indexOf("=") + 1).replace(/#.*/, "");
  const plain = BINARY.exec(right);
  if (plain && inputs.length === 2) {
    const order = [plain[1], plain[3]].map((name) => inputs.find((input) => input.label === name));
    if (order[0] && order[1] && order[0] !== order[1]) return [...joined(/** @type {Piece[]} */ (order), SIGNS[plain[2]]), sign("=")];
  }
  return [...inputs.flatMap((input, i) => (i ? [sign(","), input] : [input])), sign("→")];
}

/** @param {Item[][]} rows @returns {string} the equation in words, for a screen reader */
function spokenOf(rows) {
  return rows.map((row) => row.map(spokenItem).join(" ")).join("; ");
}

/** @param {Item} item @returns {string} */
function spokenItem(item) {
  if (item.type === "sign") return item.words || item.text;
  if (item.type === "sum") return `${spokenItem(item.from)} summed over ${item.words} gives ${spokenItem(item.result)}`;
  return `${item.label} ${shapeText(item.shape)}`;
}
