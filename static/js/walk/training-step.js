import { isRecorded } from "../shared/address.js";
/** @typedef {import("./walk.js").Walk} Walk */

/** @param {Walk} walk @returns {boolean} whether steps of gradient descent can go on from it */
export function canTrain({ document: { planted, nodes } }) {
  return !isRecorded && planted === null && nodes.some(({ role, gradient }) => role === "parameter" && gradient);
}

/** @param {Walk} walk @returns {number|null} the step at which learning is seen best: where each example pulls */
export function tellingStep(walk) {
  const node = walk.document.nodes.find(({ view }) => view === "tug-of-war");
  return (node && walk.backwardIndex.get(node.name)?.at(-1)) ?? null;
}
