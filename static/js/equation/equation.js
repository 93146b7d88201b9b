import { dimsFor } from "../shared/axis-labels.js";
import { forwardScene } from "./forward.js";
import { fold, joined, piece, sign, spokenOf, stretched, WITHOUT } from "./items.js";
import { numel } from "../shared/shape.js";
/** @typedef {import("../shared/tensor.js").Tensor} Tensor */
/** @typedef {import("../walk/types.js").BackwardStep} BackwardStep */
/** @typedef {import("../walk/types.js").Operand} Operand */
/** @typedef {import("../walk/types.js").Picture} Picture */
/** @typedef {import("../walk/pick.js").Subject} Subject */
/** @typedef {import("../walk/walk.js").Walk} Walk */
/** @typedef {import("./items.js").Item} Item */
/** @typedef {import("./items.js").Piece} Piece */
/** @typedef {import("./items.js").Sign} Sign */
/** @typedef {import("./items.js").Sum} Sum */
/** @typedef {import("./items.js").Scene} Scene */

const ROLES = /** @type {Record<string, string>} */ ({
  local: "local derivative",
  arrives: "arrives",
  upstream: "upstream",
  "left out": "left out",
});
const MOVES = /** @type {Record<string, string>} */ ({
  scatter: "put back",
  replace: "put back, repeats overwrite",
  fill: "filled in",
  rearrange: "rearranged",
  pick: "picked out",
  mask: "masked",
});
/** What the sign between the operands stands for. */
const SLID = { convolution: "back through the kernel", correlation: "slid over it" };

/** @param {Walk} walk @param {Operand} operand @param {BackwardStep} step @returns {Piece} */
function operandPiece(walk, operand, step) {
  return piece({
    label: operand.role === "ones" ? "1s" : operand.code,
    role: ROLES[operand.role] ?? "",
    struck: isStruck(operand),
    tensor: operandTensor(walk, operand, step),
    shape: operand.shape,
    dims: operand.dims,
    subject: subjectOf(operand),
  });
}

/** @param {Operand} operand @returns {boolean} whether a planted line does without it */
function isStruck({ role }) {
  return role === "left out";
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
  const own = before ? additions(walk, step, before) : [equation(walk, step, resultOf(walk, step))];
  const rows = own.map((row) => [...row, ...leftOut(walk, step)]);
  return { rows, spoken: spokenOf(rows) };
}

/** @param {Walk} walk @param {BackwardStep} step @returns {Item[]} what of the right line a planted one does without */
function leftOut(walk, step) {
  const struck = (step.picture?.operands ?? []).filter(isStruck);
  return struck.flatMap((operand, i) => [sign("", i ? "" : WITHOUT), operandPiece(walk, operand, step)]);
}

/** @param {BackwardStep} step @returns {Operand[]} the operands of the line that is run */
function operandsOf({ picture }) {
  return (picture?.operands ?? []).filter((operand) => !isStruck(operand));
}

/** @param {Walk} walk @param {BackwardStep} step @returns {Piece} what the line makes, where it adds to nothing */
function resultOf(walk, step) {
  const node = walk.node(step.node);
  const name = `d${node.variable}`;
  const tensor = walk.tensor(step.contribution);
  return piece({
    label: name,
    role: "result",
    dims: dimsFor(node, tensor),
    tensor,
    scale: name,
    result: true,
    subject: step.complete
      ? { tensor: step.node, of: "gradient" }
      : { tensor: step.node, of: "contribution", path: step.index },
  });
}

/** @param {Walk} walk @param {BackwardStep} step @param {Piece} result @returns {Item[]} */
function equation(walk, step, result) {
  const { picture } = step;
  if (!picture || !operandsOf(step).length) return [result];
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
  const pieces = operandsOf(step).map((operand) => operandPiece(walk, operand, step));
  const met = picture.kind === "product" && (picture.product || !picture.then);
  return met ? pieces.map((one) => stretched(one, picture.product?.shape ?? shape)) : pieces;
}

/**
 * @param {BackwardStep} step @param {Piece} result @param {boolean} turned @returns {Sign} what becomes of the operands
 */
function outcome(step, result, turned) {
  const { kind, then } = /** @type {Picture} */ (step.picture);
  const operands = operandsOf(step);
  if (then === "spread")
    return sign("→", `copied ${numel(result.shape) / Math.max(1, ...operands.map((one) => numel(one.shape)))}×`);
  if (then) return sign("→", MOVES[then]);
  if (kind === "join") return sign("→", "joined");
  if (kind === "convolution" || kind === "correlation") return sign("=", SLID[kind]);
  if (kind === "other") return sign("→");
  if (turned) return sign("→", "sign turns");
  return kind === "copy" && operands[0].role === "arrives" ? sign("=", "passed on") : sign("=");
}

/**
 * What the line adds, added to what was there; in brackets where it is summed or moved first.
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
    dims: dimsFor(node, walk.tensor(step.accumulated)),
    scale: "add",
    subject: whole,
    result: true,
  });
  if (added) return [[start, sign(minus ? "−" : "+"), ...added, sign("="), end]];
  return [[start, sign("+ ("), ...equation(walk, step, path), sign(") ="), end]];
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
  if (picture.then !== "spread")
    return joined(alone ? plain.map((one) => stretched(one, shape)) : plain, picture.symbol);
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
  return fold(from, result, axes);
}

/** @param {Walk} walk @param {string} name @returns {Scene} a node that is looked at without being stepped to */
function nodeScene(walk, name) {
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
  return { rows, spoken: spokenOf(rows) };
}

/** @param {import("../walk/frame.js").Frame} frame @returns {Scene} */
export function sceneOf(frame) {
  if (frame.inspecting) return nodeScene(frame.walk, frame.node.name);
  return frame.step.direction === "forward"
    ? forwardScene(frame.walk, frame.step)
    : backwardScene(frame.walk, frame.step);
}
