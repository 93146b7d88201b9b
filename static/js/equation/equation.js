import { shapeText } from "../shared/format.js";
/** @typedef {import("../shared/tensor.js").Tensor} Tensor */
/** @typedef {import("../walk/types.js").BackwardStep} BackwardStep */
/** @typedef {import("../walk/types.js").ForwardStep} ForwardStep */
/** @typedef {import("../walk/types.js").Operand} Operand */
/** @typedef {import("../walk/types.js").Picture} Picture */
/** @typedef {import("../walk/pick.js").Subject} Subject */
/** @typedef {import("../walk/walk.js").Walk} Walk */
/**
 * @typedef {{type: "tensor", label: string, role: string, tensor: Tensor, shape: number[], dims: string[],
 *   stretch: number[]|null, scale: string, subject: Subject|null, result: boolean}} Piece
 * @typedef {{type: "sign", text: string, words: string}} Sign
 * @typedef {{type: "sum", axis: number, words: string, down: boolean, from: Piece, result: Piece}} Sum
 * @typedef {Piece|Sign|Sum} Item
 * @typedef {{rows: Item[][], motion: "collapse"|"spread"|"add"|"none", spoken: string}} Scene
 */

const ROLES = /** @type {Record<string, string>} */ ({
  local: "local derivative",
  arrives: "arrives",
  upstream: "upstream",
});
const MOVES = /** @type {Record<string, string>} */ ({
  scatter: "put back",
  fill: "filled in",
  rearrange: "rearranged",
  pick: "picked out",
  mask: "masked",
});
/** More cells than this are not drawn as copies of a few. */
const MOST_COPIES = 65536;

/** @param {Partial<Piece> & {label: string, tensor: Tensor}} parts @returns {Piece} */
function piece(parts) {
  return {
    type: "tensor",
    role: "",
    shape: parts.tensor.whole,
    dims: [],
    stretch: null,
    scale: parts.label,
    subject: null,
    result: false,
    ...parts,
  };
}

/** @param {string} text @param {string} [words] @returns {Sign} */
function sign(text, words = "") {
  return { type: "sign", text, words };
}

/**
 * @param {number[]} shape @param {number[]} goal @returns {number[]|null} the goal if the shape is copied to reach it
 */
export function stretchTo(shape, goal) {
  if (shape.length > goal.length || shape.join() === goal.join()) return null;
  const padded = [...new Array(goal.length - shape.length).fill(1), ...shape];
  return padded.every((size, axis) => size === goal[axis] || size === 1) ? goal : null;
}

/**
 * @param {Piece} one @param {number[]} goal
 * @returns {Piece} with the pale copies that broadcasting makes; a single number stays one, and so does what is too
 *   large
 */
function stretched(one, goal) {
  const cells = goal.reduce((a, b) => a * b, 1);
  return !one.shape.length || one.tensor.block || cells > MOST_COPIES
    ? one
    : { ...one, stretch: stretchTo(one.shape, goal) };
}

/** @param {Walk} walk @param {Operand} operand @param {BackwardStep} step @returns {Piece} */
function operandPiece(walk, operand, step) {
  return piece({
    label: operand.code,
    role: ROLES[operand.role] ?? "",
    tensor: operandTensor(walk, operand, step),
    shape: operand.shape,
    dims: operand.dims,
    subject: subjectOf(operand),
  });
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
  const before = step.mode === "=" ? null : walk.before(step);
  const rows = before ? additions(walk, step, before) : [equation(walk, step, resultOf(walk, step))];
  return { rows, motion: motionOf(step, before !== null), spoken: spokenOf(rows) };
}

/** @param {Walk} walk @param {BackwardStep} step @returns {Piece} what the line makes, where it adds to nothing */
function resultOf(walk, step) {
  const node = walk.node(step.node);
  const name = `d${node.variable}`;
  return piece({
    label: name,
    role: "result",
    dims: node.dims,
    tensor: walk.tensor(step.contribution),
    scale: name,
    result: true,
    subject: step.complete
      ? { tensor: step.node, of: "gradient" }
      : { tensor: step.node, of: "contribution", path: step.index },
  });
}

/** @param {BackwardStep} step @param {boolean} adds @returns {Scene["motion"]} */
function motionOf(step, adds) {
  if (adds) return "add";
  if (step.picture?.axes.length) return "collapse";
  return step.picture?.then === "spread" ? "spread" : "none";
}

/** @param {Walk} walk @param {BackwardStep} step @param {Piece} result @returns {Item[]} */
function equation(walk, step, result) {
  const { picture } = step;
  if (!picture?.operands.length) return [result];
  const operands = operandPieces(walk, step, result.shape);
  const turned = picture.kind === "copy" && picture.symbol === "−";
  const left = [...(turned && picture.then ? [sign("−")] : []), ...joined(operands, picture.symbol || ",")];
  if (!picture.axes.length) return [...left, outcome(step, result, turned), result];
  if (!picture.product) return [sumOf(step, operands[0], result)];
  const product = piece({
    label: picture.product.code,
    role: "one value per copy",
    dims: picture.product.dims,
    shape: picture.product.shape,
    tensor: walk.tensor(picture.product.tensor),
  });
  return [...left, turned ? sign("→", "sign turns") : sign("="), sumOf(step, product, result)];
}

/** @param {Walk} walk @param {BackwardStep} step @param {number[]} shape of the result @returns {Piece[]} */
function operandPieces(walk, step, shape) {
  const picture = /** @type {Picture} */ (step.picture);
  const pieces = picture.operands.map((operand) => operandPiece(walk, operand, step));
  const met = picture.kind === "product" && (picture.product || !picture.then);
  return met ? pieces.map((one) => stretched(one, picture.product?.shape ?? shape)) : pieces;
}

/**
 * @param {BackwardStep} step @param {Piece} result @param {boolean} turned @returns {Sign} what becomes of the operands
 */
function outcome(step, result, turned) {
  const { kind, then, operands } = /** @type {Picture} */ (step.picture);
  const cells = (/** @type {number[]} */ shape) => shape.reduce((a, b) => a * b, 1);
  if (then === "spread")
    return sign("→", `copied ${cells(result.shape) / Math.max(1, ...operands.map((one) => cells(one.shape)))}×`);
  if (then) return sign("→", MOVES[then]);
  if (kind === "join") return sign("→", "joined");
  if (kind === "other") return sign("→");
  return kind === "copy" ? (turned ? sign("→", "sign turns") : sign("=", "passed on")) : sign("=");
}

/**
 * What the line adds, added to what was there: in one row where it is a product, else in a row of its own before.
 * @param {Walk} walk @param {BackwardStep} step @param {Tensor} before @returns {Item[][]}
 */
function additions(walk, step, before) {
  const node = walk.node(step.node);
  const through = step.through ? walk.node(step.through).variable : "";
  const path = {
    ...resultOf(walk, step),
    label: "this path",
    role: `what ${through} adds`,
    scale: "add",
    result: false,
    subject: { tensor: step.node, of: /** @type {const} */ ("contribution"), path: step.index },
  };
  const added = inPlace(walk, step, path.shape);
  const start = soFar(walk, step, before);
  const minus = step.picture?.kind === "copy" && step.picture.symbol === "−";
  const whole = step.complete ? { tensor: step.node, of: /** @type {const} */ ("gradient") } : null;
  const end = piece({
    label: `d${node.variable}`,
    role: "result",
    tensor: walk.tensor(step.accumulated),
    dims: node.dims,
    scale: "add",
    subject: whole,
    result: true,
  });
  if (added) return [[start, sign(minus ? "−" : "+"), ...added, sign("="), end]];
  return [equation(walk, step, path), [start, sign("+"), { ...path, role: "" }, sign("="), end]];
}

/**
 * @param {Walk} walk @param {BackwardStep} step @param {number[]} shape
 * @returns {Item[]|null} the operands as they are added; null where they are summed or moved first
 */
function inPlace(walk, step, shape) {
  const { picture } = step;
  if (!picture || picture.axes.length || !["product", "matmul", "outer", "copy"].includes(picture.kind)) return null;
  if (!["", "spread"].includes(picture.then)) return null;
  const alone = picture.kind === "copy";
  const plain = operandPieces(walk, step, shape).map((one) => (alone ? { ...one, scale: "add" } : one));
  if (picture.then !== "spread") return joined(plain, picture.symbol);
  const pieces = plain.map((one) => stretched(one, shape));
  const reached = pieces.some((one) => one.stretch?.join() === shape.join());
  return reached ? joined(pieces, picture.symbol) : null;
}

/**
 * @param {Walk} walk @param {BackwardStep} step @param {Tensor} before
 * @returns {Piece} the gradient as the earlier paths left it
 */
function soFar(walk, step, before) {
  const node = walk.node(step.node);
  const earlier = (walk.backwardIndex.get(step.node) ?? []).filter((path) => path < step.index);
  const subject =
    earlier.length === 1 ? { tensor: step.node, of: /** @type {const} */ ("contribution"), path: earlier[0] } : null;
  return piece({ label: `d${node.variable}`, role: "so far", tensor: before, dims: node.dims, scale: "add", subject });
}

/** @param {BackwardStep} step @param {Piece} from @param {Piece} result @returns {Sum} */
function sumOf(step, from, result) {
  const axes = (step.picture?.axes ?? []).map((axis) => axis.axis);
  const words = axes.length > 1 ? `axes ${axes.join(", ")}` : `axis ${axes[0]}`;
  const down = from.shape.length === 1 || (axes[0] === 0 && from.shape.length === 2 && axes.length === 1);
  return { type: "sum", axis: axes[0] ?? 0, words, down, from, result };
}

/** @param {Piece[]} operands @param {string} symbol @returns {Item[]} */
function joined(operands, symbol) {
  return operands.flatMap((operand, i) => (i ? [sign(symbol || "·"), operand] : [operand]));
}

/** @param {Walk} walk @param {string} name @returns {Scene} a node that is looked at without being stepped to */
export function nodeScene(walk, name) {
  const node = walk.node(name);
  const rows = [
    [
      piece({
        label: node.variable,
        role: node.role,
        tensor: walk.tensor(node.value),
        dims: node.dims,
        subject: { tensor: name, of: "value" },
      }),
    ],
  ];
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
    const one = piece({
      label: input.variable,
      role: input.role === "intermediate" ? "" : input.role,
      tensor: walk.tensor(input.value),
      dims: input.dims,
      subject: { tensor: name, of: "value" },
    });
    return copied ? stretched(one, node.shape) : one;
  });
  const result = piece({
    label: node.variable,
    role: "result",
    tensor: walk.tensor(node.value),
    dims: node.dims,
    subject: { tensor: step.node, of: "value" },
    result: true,
  });
  const rows = [[...arranged(inputs, step.code), result]];
  return { rows, motion: inputs.some((input) => input.stretch) ? "spread" : "none", spoken: spokenOf(rows) };
}

/**
 * @param {Piece[]} inputs @param {string} code
 * @returns {Item[]} with the operator between them where the line is that plain
 */
function arranged(inputs, code) {
  const right = code.slice(code.indexOf("=") + 1).replace(/#.*/, "");
  const plain = BINARY.exec(right);
  if (plain && inputs.length === 2) {
    const order = [plain[1], plain[3]].map((name) => inputs.find((input) => input.label === name));
    if (order[0] && order[1] && order[0] !== order[1])
      return [...joined(/** @type {Piece[]} */ (order), SIGNS[plain[2]]), sign("=")];
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

/** @param {import("../walk/frame.js").Frame} frame @returns {Scene} */
export function sceneOf(frame) {
  if (frame.inspecting) return nodeScene(frame.walk, frame.node.name);
  return frame.step.direction === "forward"
    ? forwardScene(frame.walk, frame.step)
    : backwardScene(frame.walk, frame.step);
}
