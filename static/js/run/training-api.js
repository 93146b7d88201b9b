import { ApiError, post, send } from "../shared/api.js";
import { retry } from "../shared/retry.js";

/** @param {string} body what to train and how @param {AbortSignal} signal @returns {Promise<string>} the run's id */
export async function beginRun(body, signal) {
  return (await (await post("/api/training", body, signal)).json()).id;
}

/**
 * @param {string} request of a walk @param {AbortSignal} signal
 * @returns {Promise<string>} the walk as a program with its numbers, from which a run can go on
 */
export async function programOf(request, signal) {
  const answer = await retry(() => post("/api/program", `{"walk":${request}}`, signal), { signal, quiet: true });
  const text = await answer.text();
  return text.slice(text.indexOf('"request":') + '"request":'.length, -1);
}

/** @param {string} run @param {string} command @param {object} [body] @returns {Promise<any>} what came of it */
export async function tellRun(run, command, body = {}) {
  return (await post(`/api/training/${run}/${command}`, body)).json();
}

/**
 * @param {string} run @param {number|null} step counted from 0; null for the latest that is kept
 * @param {0|1} place of the run, of two that keep step
 * @returns {Promise<string>} its walk, as it was sent: its numbers are texts
 */
export async function walkOfRun(run, step, place) {
  const query = new URLSearchParams({ run: String(place), ...(step === null ? {} : { step: String(step) }) });
  return (await send(`/api/training/${run}/walk?${query}`)).text();
}

/** @param {string} run @returns {Promise<string>} as `walkOfRun`: the weights as they are by now */
export async function weightsOfRun(run) {
  return (await send(`/api/training/${run}/walk?now=true`)).text();
}

/** @param {string} answer of `walkOfRun` @returns {string} the request in it, its numbers as they are written */
export function requestIn(answer) {
  return answer.slice(answer.indexOf('"walk":') + '"walk":'.length, -1);
}

/** Milliseconds between two looks at a step that is being taken again. */
const AGAIN = 700;

/**
 * Asks again for as long as the step that is asked for is being taken again.
 * @template T @param {() => Promise<T>} ask @param {(error: ApiError) => boolean} waits whether somebody still waits
 * @returns {Promise<T>} @throws {ApiError}
 */
export async function patiently(ask, waits) {
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof ApiError) || error.problem.code !== "step-replaying" || !waits(error)) throw error;
      await new Promise((done) => setTimeout(done, AGAIN));
    }
  }
}

/** @param {string} run ended and forgotten */
export async function forgetRun(run) {
  await send(`/api/training/${run}`, { method: "DELETE" });
}

/**
 * @param {string} run @param {number} latest
 * @returns {Promise<{told: import("./types.js").RunEvent, number: number}[]>} what came after it; none for now
 */
export async function eventsAfter(run, latest) {
  try {
    return (await (await send(`/api/training/${run}/events?after=${latest}&wait=0`)).json()).events;
  } catch {
    return []; // the one that leads is told when there is nothing more to ask
  }
}
