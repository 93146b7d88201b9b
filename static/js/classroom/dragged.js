import { addressOf, placeOf } from "../walk/url.js";
/** @typedef {import("./types.js").Dragged} Dragged */

/**
 * The walk in which a number is dragged, once it is at a value.
 * @param {Dragged} dragged @param {number} value @returns {string}
 */
export function draggedTo({ tensor, index, address }, value) {
  const place = placeOf(new URL(address, "http://here"), "");
  return addressOf({ ...place, changes: [...place.changes, { tensor, index, value }] });
}
