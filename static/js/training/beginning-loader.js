import { requestOf } from "../subject/request-loader.js";
import { besideRequest } from "./beside.js";
import { runRequest } from "./settings.js";
import { beginRun } from "../run/training-api.js";
/** @typedef {import("./settings.js").Fields} Fields */

/**
 * Begins a run, or two from the same seed.
 * @param {{lesson: string, hash: string}} subject @param {Fields} fields @param {boolean} drawn
 * @param {boolean} paused whether it waits for its first step
 * @param {AbortSignal} signal @returns {Promise<string>} its id
 */
export async function beginWith(subject, fields, drawn, paused, signal) {
  return beginRun(await requestFor(subject, fields, drawn, paused), signal);
}

/**
 * @param {{lesson: string, hash: string}} subject @param {Fields} fields @param {boolean} drawn
 * @param {boolean} paused @returns {Promise<string>} the body that begins it
 */
export async function requestFor(subject, fields, drawn, paused) {
  return runRequest(await requestOf({ ...subject, seed: null }), fields, drawn, paused, besideRequest(fields));
}
