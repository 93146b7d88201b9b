/** @typedef {import("../walk/walk.js").Walk} Walk */

const THINNEST = 1.2;
const WIDEST = 6;

/**
 * How wide each edge is drawn once gradient has flowed back along it: the logarithm of its size.
 * @param {Walk} walk
 * @returns {Map<string, {step: number, width: number}>} "from>to" → the step that fills it and its width
 */
export function edgeWidths(walk) {
  /** @type {Map<string, {step: number, size: number}>} */
  const flows = new Map();
  for (const step of walk.steps) {
    if (step.direction === "forward" || step.through === null) continue;
    flows.set(`${step.node}>${step.through}`, { step: step.index, size: walk.tensor(step.contribution).stats.rms });
  }
  const logs = [...flows.values()].filter((flow) => flow.size > 0).map((flow) => Math.log10(flow.size));
  const [low, high] = [Math.max(Math.min(...logs), Math.max(...logs) - 5), Math.max(...logs)];
  return new Map([...flows].map(([key, { step, size }]) => [key, { step, width: widthOf(size, low, high) }]));
}

/** @param {number} size @param {number} low @param {number} high */
function widthOf(size, low, high) {
  if (size <= 0 || high === low) return THINNEST;
  const part = Math.max(0, Math.min(1, (Math.log10(size) - low) / (high - low)));
  return THINNEST + part * (WIDEST - THINNEST);
}
