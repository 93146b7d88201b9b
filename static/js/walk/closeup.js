import { markCode } from "../shared/category-codes.js";
/** @typedef {import("./types.js").BackwardStep} BackwardStep */
/** @typedef {import("./types.js").NodeTensors} NodeTensors */
/** @typedef {import("./types.js").Step} Step */
/** @typedef {import("./types.js").StepTensors} StepTensors */
/** @typedef {import("./types.js").Wire} Wire */
/** @typedef {import("./walk.js").Walk} Walk */

/**
 * @param {Walk} walk @param {Step} step @param {string} name of the tensor beside it
 * @returns {string[]} the named tensors that are shown there
 */
export function shownAt(walk, step, name) {
  const beside =
    step.direction === "forward"
      ? walk.node(step.node).inputs
      : (step.picture?.operands ?? []).map((operand) => operand.node);
  const names = [step.node, name, ...beside].filter(
    (one) => one !== null && walk.nodes.has(one) && !walk.node(one).inner,
  );
  return [...new Set(/** @type {string[]} */ (names))];
}

/**
 * @param {Walk} walk @param {Step} step @param {string} name
 * @returns {boolean} whether there is more to be had of something shown there
 */
export function isCoarse(walk, step, name) {
  const named = shownAt(walk, step, name).flatMap((one) => {
    const { value, gradient } = walk.node(one);
    return [value, gradient?.manual, gradient?.autograd, gradient?.difference];
  });
  return [...named, ...(step.direction === "backward" ? ownOf(step) : madeFor(step).map((one) => one.tensor))].some(
    (wire) => wire && "pooled" in wire && wire.pooled.coarse,
  );
}

/**
 * @param {import("./types.js").ForwardStep} step
 * @returns {{tensor: Wire|null}[]} what the picture of a forward step draws besides its own tensor, in the order sent
 */
function madeFor({ picture }) {
  if (!picture) return [];
  const made = [picture.met, ...picture.stages.map((stage) => stage.result)];
  return [...picture.operands, ...made.flatMap((one) => (one ? [one] : []))];
}

/** @param {BackwardStep} step @returns {(Wire|null|undefined)[]} the tensors that only this step has */
function ownOf({ contribution, accumulated, picture }) {
  return [
    contribution,
    accumulated,
    picture?.product?.tensor,
    ...(picture?.operands ?? []).map((operand) => operand.tensor),
  ];
}

/** The tensors of a step take the place of their blocks. @param {Walk} walk @param {StepTensors} sent */
export function refine(walk, sent) {
  for (const [name, tensors] of Object.entries(sent.nodes)) refineNode(walk, name, tensors);
  const step = walk.steps[sent.index];
  if (step.direction === "forward")
    return madeFor(step).forEach((one, i) => (one.tensor = sent.operands[i] ?? one.tensor));
  if (!sent.contribution || !sent.accumulated) return;
  Object.assign(step, { contribution: sent.contribution, accumulated: sent.accumulated });
  // all that is known of a part without a name
  if (walk.node(step.node).inner) walk.node(step.node).value = sent.contribution;
  step.picture?.operands.forEach((operand, i) => (operand.tensor = sent.operands[i]));
  if (step.picture?.product && sent.product) step.picture.product.tensor = sent.product;
  const earlier = (walk.backwardIndex.get(step.node) ?? []).filter((index) => index < sent.index);
  if (sent.before && earlier.length)
    Object.assign(walk.steps[earlier[earlier.length - 1]], { accumulated: sent.before });
}

/** @param {Walk} walk @param {string} name @param {NodeTensors} tensors */
function refineNode(walk, name, { value, manual, autograd, difference }) {
  const node = walk.node(name);
  node.value = value;
  markCode(node, walk.document.labels, (wire) => walk.tensor(wire));
  if (!node.gradient || !manual || !autograd || !difference) return;
  Object.assign(node.gradient, { manual, autograd, difference });
  const last = walk.steps[(walk.backwardIndex.get(name) ?? []).at(-1) ?? -1];
  if (last?.direction === "backward" && last.complete) last.accumulated = manual;
}
