import { gameIn, pointsOf } from "./game.js";
/** @typedef {import("./game.js").Game} Game */
/** @typedef {Record<string, Game>} Games by network and seed, the latest last */

const MOST = 200;

/** @param {string|null} text what the browser kept @returns {Games} */
export function gamesIn(text) {
  try {
    const kept = JSON.parse(text ?? "{}") ?? {};
    return Object.fromEntries(Object.entries(kept).map(([key, one]) => [key, gameIn(one)]));
  } catch {
    return {};
  }
}

/** @param {Games} games @param {string} key @param {Game} game @returns {Games} without the oldest ones */
export function withGame(games, key, game) {
  const { [key]: _, ...others } = games;
  return Object.fromEntries(Object.entries({ ...others, [key]: game }).slice(-MOST));
}

/** @param {Games} games @param {string} network @returns {{found: number, best: number}} of one network */
export function recordOf(games, network) {
  const over = Object.entries(games).filter(([key, { over }]) => key.startsWith(`${network}/`) && over === "found");
  return { found: over.length, best: Math.max(0, ...over.map(([, game]) => pointsOf(game))) };
}
