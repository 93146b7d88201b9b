import { Tensor } from "../shared/tensor.js";
import { numberIn } from "../shared/json-number.js";
import { requestOnly, requestWalk } from "../walk/walk-api.js";
import { Walk } from "../walk/walk.js";
import { RATE } from "../walk/rates.js";
import { sceneOf } from "./scene.js";
import { momentsOf } from "./moments.js";
/** @typedef {import("./scene.js").Scene} Scene */
/** @typedef {import("../walk/types.js").Wire} Wire */
/** @typedef {import("./moments.js").Moment} Moment */
/** @typedef {import("./moments.js").Later} Later */
/** @typedef {{scene: Scene, moments: Moment[], later: Later[]}} Story */

/** How many steps downhill are looked at. */
const STEPS = [1, 10];

/**
 * All that the opening shows, as the engine has it: a walk, its gradients, and what steps downhill make of it.
 * @param {object} asked what is walked @param {AbortSignal} signal @returns {Promise<Story>}
 */
export async function fetchStory(asked, signal) {
  const request = JSON.stringify(asked);
  const walk = new Walk(await requestWalk(request, signal), request);
  const names = walk.document.nodes.filter(({ gradient }) => gradient).map(({ variable }) => `d${variable}`);
  const [sent, ...after] = await Promise.all([
    requestOnly(request, names, signal),
    ...STEPS.map((steps) => afterSteps(asked, steps, signal)),
  ]);
  const gradients = new Map(
    Object.entries(/** @type {Record<string, Wire|null>} */ (sent.tensors)).map(([name, wire]) => [
      name,
      wire && new Tensor(wire),
    ]),
  );
  const scene = sceneOf(walk, gradients);
  const now = { steps: 0, loss: numberIn(walk.document.loss.value), probs: rowOf(walk.node("probs").value, scene) };
  const later = [now, ...after.map(({ steps, loss, wire }) => ({ steps, loss, probs: rowOf(wire, scene) }))];
  return { scene, later, moments: momentsOf(scene, walk, later) };
}

/** @param {object} asked @param {number} steps @param {AbortSignal} signal */
async function afterSteps(asked, steps, signal) {
  const changed = JSON.stringify({ ...asked, changes: [{ descend: RATE, steps }] });
  const { loss, tensors } = await requestOnly(changed, ["probs"], signal);
  return { steps, loss: numberIn(loss.value), wire: tensors.probs };
}

/** @param {Wire} wire @param {Scene} scene @returns {ArrayLike<number>} the example's row */
function rowOf(wire, { focus, letters }) {
  return new Tensor(wire).data.subarray(focus * letters.length, (focus + 1) * letters.length);
}
