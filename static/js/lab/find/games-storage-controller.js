import { recall, remember } from "../../shared/dom/remembered.js";
import { BEGUN } from "./game.js";
import { gamesIn, withGame } from "./games.js";
/** @typedef {import("./game.js").Game} Game */

const KEPT = "find";

/** @returns {import("./games.js").Games} every game that this browser remembers */
export const keptGames = () => gamesIn(recall(KEPT));

/** @param {string} key @returns {Game} */
export const keptGame = (key) => keptGames()[key] ?? BEGUN;

/** @param {string} key @param {Game} game */
export function keepGame(key, game) {
  remember(KEPT, JSON.stringify(withGame(keptGames(), key, game)));
}
