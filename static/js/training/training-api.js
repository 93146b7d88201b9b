import { post, send } from "../shared/api.js";

/** @param {string} body what to train and how @param {AbortSignal} signal @returns {Promise<string>} the run's id */
export async function beginRun(body, signal) {
  return (await (await post("/api/training", body, signal)).json()).id;
}

/** @param {string} run @param {string} command @param {object} [body] @returns {Promise<any>} what came of it */
export async function tellRun(run, command, body = {}) {
  return (await post(`/api/training/${run}/${command}`, body)).json();
}

/** @param {string} run @returns {Promise<string>} the latest step kept, as it was sent: its numbers are texts */
export async function walkOfRun(run) {
  return (await send(`/api/training/${run}/walk`)).text();
}

/** @param {string} run @returns {Promise<any>} how it is doing @throws {import("../shared/api.js").ApiError} 404 */
export async function aboutRun(run) {
  return (await send(`/api/training/${run}`)).json();
}

/** @param {string} run ended and forgotten */
export async function forgetRun(run) {
  await send(`/api/training/${run}`, { method: "DELETE" });
}

/**
 * Follows a run from its first event; a lost connection is taken up again behind the last event that came.
 * @param {string} run
 * @param {{event: (event: import("./types.js").RunEvent) => void, connected: (connected: boolean) => void,
 *   closed: () => void}} hears `closed`: the server has said that there is nothing to follow
 * @returns {() => void} stops following
 */
export function followRun(run, { event, connected, closed }) {
  const source = new EventSource(`/api/training/${run}/events`);
  source.onmessage = (message) => event(JSON.parse(message.data));
  source.onopen = () => connected(true);
  source.onerror = () => (source.readyState === EventSource.CLOSED ? closed() : connected(false));
  return () => source.close();
}
