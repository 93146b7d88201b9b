import { send } from "../shared/api.js";
import { retry } from "../shared/retry.js";
/** @typedef {import("./deck.js").Drill} Drill */
/** @typedef {import("./deck.js").Group} Group */
/** @typedef {{groups: Group[], drills: Drill[]}} Drills */

/**
 * @param {number} seed @param {string[]} names of groups, none for all @param {AbortSignal} signal
 * @returns {Promise<Drills>} a group at a time: none takes the server long
 * @throws {import("../shared/api.js").ApiError}
 */
export async function requestDrills(seed, names, signal) {
  const { groups } = await request(seed, "", signal);
  const wanted = names.length ? names : groups.map(({ name }) => name);
  const drills = [];
  // one after the other: a class that opens the page together must not fill the queue
  for (const name of wanted) drills.push(...(await request(seed, name, signal)).drills);
  return { groups, drills };
}

/** @param {number} seed @param {string} group @param {AbortSignal} signal @returns {Promise<Drills>} */
async function request(seed, group, signal) {
  return (await retry(() => send(`/api/drills?seed=${seed}&groups=${group}`, { signal }), { signal })).json();
}
