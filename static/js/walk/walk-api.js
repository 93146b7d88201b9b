import { ApiError, post } from "../shared/api.js";
/** @typedef {import("./walk.js").Walk} Walk */

const ATTEMPTS = 4;

/**
 * A further question about a walk; while the server is busy it is asked again after the time the server names.
 * @param {string} path @param {Walk} walk @param {object} question what it says besides the walk @param {AbortSignal} signal
 * @returns {Promise<any>} @throws {ApiError}
 */
export async function ask(path, walk, question, signal) {
  const body = `{"walk":${walk.request},${JSON.stringify(question).slice(1)}`;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await (await post(path, body, signal)).json();
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 503 || attempt === ATTEMPTS) throw error;
      await pause(error.retryAfter * attempt, signal);
    }
  }
}

/** @param {number} seconds @param {AbortSignal} signal @returns {Promise<void>} */
function pause(seconds, signal) {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const stop = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", stop);
      resolve();
    }, seconds * 1000);
    signal.addEventListener("abort", stop, { once: true });
  });
}
