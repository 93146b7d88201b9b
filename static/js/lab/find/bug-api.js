import { post } from "../../shared/api.js";
import { retry } from "../../shared/retry.js";
import { namedIn } from "./game.js";
/** @typedef {import("./address.js").Asked} Asked */
/** @typedef {import("./game.js").Deed} Deed */
/** @typedef {import("../types.js").Bug} Bug */
/** @typedef {import("../types.js").Reveal} Reveal */
/** @typedef {import("../types.js").Accused} Accused */
/** @typedef {import("../types.js").BugHint} BugHint */

const PATHS = {
  gradient: "gradient",
  nudge: "nudge",
  lens: "lens",
  run: "run",
  hint: "hint",
  accuse: "accuse",
  name: "accuse",
};

/** @param {Asked} asked @param {AbortSignal} signal @returns {Promise<Bug>} */
export const requestBug = (asked, signal) => request("/api/bug", asked, signal);

/**
 * @param {Asked} asked @param {import("./game.js").Game} game @param {AbortSignal} signal
 * @returns {Promise<Reveal>} the answer, for what was found, or because it was given up: the server judges that
 */
export function requestReveal(asked, game, signal) {
  const how = game.over === "found" ? namedIn(game) : { given_up: true };
  return request("/api/bug/reveal", { ...asked, ...how }, signal);
}

/**
 * @param {Asked} asked @param {Deed} deed @param {AbortSignal} signal
 * @returns {Promise<any>} what is told of it: a look, a hint, whether a line or a mistake is the right one
 */
export function requestDeed(asked, { do: what, line, cell, grade, mistake }, signal) {
  return request(`/api/bug/${PATHS[what]}`, { ...asked, line, index: cell, grade, mistake }, signal);
}

/** @param {string} path @param {object} body @param {AbortSignal} signal */
async function request(path, body, signal) {
  return (await retry(() => post(path, body, signal), { signal })).json();
}
