import { requestOf } from "../exercise/program-loader.js";
import { withPlant } from "../walk/plant.js";
import { besideFields, besidePlant } from "./beside.js";
import { runRequest } from "./settings.js";
import { beginRun, forgetRun } from "./training-api.js";
/** @typedef {import("./settings.js").Fields} Fields */

/**
 * Begins one run, or two from the same seed; both or neither.
 * @param {{lesson: string, hash: string}} subject @param {Fields} fields @param {boolean} drawn
 * @param {boolean} paused whether they wait; two always do, until both are there
 * @param {AbortSignal} signal @returns {Promise<string[]>} their ids
 */
export async function beginRuns(subject, fields, drawn, paused, signal) {
  const walk = await requestOf({ ...subject, seed: null });
  const other = besideFields(fields);
  const bodies = [runRequest(walk, fields, drawn, paused || other !== null)];
  if (other) bodies.push(runRequest(withPlant(walk, besidePlant(fields)), other, drawn, true));
  const begun = await Promise.allSettled(bodies.map((body) => beginRun(body, signal)));
  const refused = begun.find((one) => one.status === "rejected");
  if (!refused) return begun.map((one) => /** @type {PromiseFulfilledResult<string>} */ (one).value);
  // else it ends by itself before long
  for (const one of begun) if (one.status === "fulfilled") forgetRun(one.value).catch(() => undefined);
  throw /** @type {PromiseRejectedResult} */ (refused).reason;
}
