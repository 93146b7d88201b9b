import { openedCell } from "./opened-cell.js";
import { scopeOf } from "./scope.js";
import { NotExpressible } from "./tree.js";
/** @typedef {import("../lens/types.js").OpenedCell} OpenedCell */
/** @typedef {import("../walk/types.js").WalkDocument} WalkDocument */

/**
 * What POST /api/cell answers, worked out in the page from a whole walk.
 * @param {import("./opened-cell.js").Outline} outline @param {import("../walk/pick.js").Pick} pick
 * @param {WalkDocument} whole @returns {OpenedCell|null} null where the formula doesn't say it
 */
export function openedAnswer(outline, pick, whole) {
  try {
    return openedCell(outline, pick, scopeOf(whole));
  } catch (error) {
    if (error instanceof NotExpressible) return null;
    throw error;
  }
}
