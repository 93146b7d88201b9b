import { send } from "../shared/api.js";
import { counted } from "../shared/plural.js";
import { numberText } from "../shared/format.js";
import { Run } from "../run/run.js";
/** @typedef {{steps: number, points: [number, number][], names: string[]}} UsualRun */

/**
 * @param {string} folder of the page's files, with which it was kept
 * @returns {Promise<UsualRun|null>} null where it did not arrive
 */
export async function loadUsualRun(folder) {
  try {
    return await (await send(`${folder}/usual-run.json`)).json();
  } catch {
    return null; // nothing depends on it
  }
}

/** @param {UsualRun} usual @returns {Run} as a curve draws it */
export function curveOf({ steps, points }) {
  const run = new Run();
  for (const [step, loss] of points) run.series.add(step, loss, loss);
  run.taken = steps;
  return run;
}

/** @param {UsualRun} usual @returns {string} */
export function usualWords({ steps, points }) {
  const [first, last] = [points[0], points[points.length - 1]].map(([, loss]) => numberText(loss, 3));
  const fell = `the smoothed loss goes from ${first} to ${last} in ${counted(steps, "step")}`;
  return `In grey, a run at the usual settings: ${fell}.`;
}
