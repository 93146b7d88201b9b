import { queryOf } from "../walk/url.js";
import { resting } from "./block.js";
/** @typedef {import("../walk/pick.js").Of} Of */
/**
 * Where in a walk a figure stands: the step, and the number that it opens.
 * @typedef {{step: number, cell?: number[]|null, of?: Of|null, tensor?: string|null, view?: string|null,
 *   changes?: import("../walk/changes.js").Change[]}} Spot
 */

/**
 * @param {string} path of the walk @param {Spot} spot @param {string} from the block to come back to, as the page's
 *   address has it
 * @returns {string} the address of that place in the walk; the way back travels along
 */
export function walkLink(path, spot, from) {
  const place = { ...resting("light", false), cell: null, of: null, tensor: null, view: null, ...spot };
  const query = queryOf({ ...place, of: place.of ?? null });
  return `${path}?${[query, `from=${encodeURIComponent(from)}`].filter(Boolean).join("&")}`;
}
