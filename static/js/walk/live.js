import { refine } from "./closeup.js";
/** @typedef {import("./frame.js").Frame} Frame */
/** @typedef {import("../shared/tensor.js").Tensor} Tensor */
/** @typedef {import("./types.js").StepTensors} StepTensors */
/** @typedef {import("./types.js").Wire} Wire */
/** @typedef {import("./walk.js").Walk} Walk */

/**
 * The walk shows what a step would show with other numbers: its tensors, the loss, a thumbnail of every other tensor.
 * @param {Walk} walk @param {StepTensors} sent the answer of POST /api/step with `changes` and `thumbnails`
 */
export function follow(walk, sent) {
  const step = walk.steps[sent.index];
  const lost = step.direction === "backward" && !sent.contribution;
  const cut = Object.entries(sent.nodes).filter(([name, { manual }]) => !manual && walk.node(name).gradient);
  const thumbnails = Object.entries(sent.thumbnails);
  walk.lost = new Set([
    ...(lost ? [step.node] : []),
    ...cut.map(([name]) => name),
    ...thumbnails.filter(([, wire]) => !wire).map(([name]) => name),
  ]);
  walk.thumbnails = { index: sent.index, wires: new Map(thumbnails) };
  refine(walk, sent);
}

/**
 * What each tensor of a step was before the changes, so that the difference can be drawn.
 * @param {Walk} walk @param {StepTensors} now that the walk shows @param {StepTensors} before of the same step
 */
export function compare(walk, now, before) {
  const pairs = /** @type {[Wire|null|undefined, Wire|null|undefined][]} */ ([
    [now.contribution, before.contribution],
    [now.accumulated, before.accumulated],
    [now.product, before.product],
    [now.before, before.before],
    ...now.operands.map((wire, i) => [wire, before.operands[i]]),
    ...Object.entries(now.nodes).flatMap(([name, tensors]) =>
      /** @type {const} */ (["value", "manual", "autograd", "difference"]).map((which) => [
        tensors[which],
        before.nodes[name]?.[which],
      ]),
    ),
    ...Object.entries(now.thumbnails).map(([name, wire]) => [wire, before.thumbnails[name]]),
  ]);
  for (const [wire, earlier] of pairs) if (wire && earlier) walk.earlier.set(wire, earlier);
}

/**
 * What is drawn of a tensor: itself, or, where that is asked for, what has changed about it.
 * @param {Pick<Frame, "walk"|"delta">} frame @param {Tensor} tensor @returns {Tensor}
 */
export function drawnOf({ walk, delta }, tensor) {
  return delta && !tensor.codes ? walk.changeOf(tensor) : tensor;
}
