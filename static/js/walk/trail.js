import { NOTHING } from "./pick.js";
/** @typedef {import("./frame.js").Frame} Frame */
/** @typedef {import("./store.js").State} State */
/** @typedef {import("./walk.js").Walk} Walk */
/** @typedef {import("../lens/lens.js").Term} Term */
/**
 * A number that was looked into on the way here, and the place to which it belongs.
 * @typedef {{step: number, node: string|null, view: string|null, cell: number[], of: import("./pick.js").Of,
 *   tensor: string|null, path: number|null}} Crumb
 */

/** @param {State} state @returns {Crumb|null} */
function crumbOf({ step, node, view, cell, of, tensor, path }) {
  return cell && of ? { step, node, view, cell, of, tensor, path } : null;
}

/**
 * Where a term leads: to the step that completes its gradient, or to the line that made its value.
 * @param {Frame} frame @param {Term} term @returns {Partial<State>|null} null where there is nothing further back
 */
export function followed({ walk, state, pick }, { through, cell }) {
  const crumb = crumbOf(state);
  if (!pick || !crumb || !walk.nodes.has(through)) return null;
  const arrive = { ...NOTHING, cell, node: null, view: null, trail: [...state.trail, crumb] };
  if (pick.which === "value") {
    const made = walk.forwardIndex.get(through);
    return { ...arrive, of: "value", ...(made === undefined ? { node: through } : { step: made }) };
  }
  const paths = walk.backwardIndex.get(through);
  if (!paths || through === pick.tensor) return null;
  return { ...arrive, of: "gradient", step: paths[paths.length - 1] };
}

/**
 * Where the other factor of a term leads: to the line that made it, or to the step that completes it.
 * @param {Frame} frame @param {Term} term @returns {Partial<State>|null} null where there is none
 */
export function factored({ walk, state }, { factor }) {
  const crumb = crumbOf(state);
  if (!crumb || !factor || !walk.nodes.has(factor.tensor)) return null;
  const paths = walk.backwardIndex.get(factor.tensor);
  const made = factor.of === "value" ? walk.forwardIndex.get(factor.tensor) : paths?.[paths.length - 1];
  const place = made === undefined ? { node: factor.tensor } : { step: made, node: null };
  return { ...NOTHING, cell: factor.cell, of: factor.of, view: null, trail: [...state.trail, crumb], ...place };
}

/** @param {State} state @param {number} position of a crumb @returns {Partial<State>|null} */
export function returned({ trail }, position) {
  const crumb = trail[position];
  return crumb ? { ...crumb, trail: trail.slice(0, position) } : null;
}

/** @param {Walk} walk @param {Crumb} crumb @returns {string} */
export function crumbText(walk, { step, node, cell, of, tensor }) {
  const name = tensor ?? node ?? walk.steps[walk.clamp(step)].node;
  return numberName(walk.nodes.get(name)?.variable ?? name, of, cell);
}

/**
 * @param {Walk} walk @param {Crumb[]} trail
 * @returns {string} for a voice, how far one has come: " 3 hops from dC[5, 0]."
 */
export function hopsText(walk, trail) {
  return trail.length
    ? ` ${trail.length === 1 ? "One hop" : `${trail.length} hops`} from ${crumbText(walk, trail[0])}.`
    : "";
}

/** @param {string} variable @param {import("./pick.js").Of} of @param {number[]} cell @returns {string} "dW2[3, 5]" */
export function numberName(variable, of, cell) {
  return `${of === "value" ? "" : "d"}${variable}${cell.length ? `[${cell.join(", ")}]` : ""}`;
}

/** @param {unknown} kept what the browser's history remembers beside an address @returns {Crumb[]} */
export function trailIn(kept) {
  const trail = kept && typeof kept === "object" && "trail" in kept ? kept.trail : null;
  return Array.isArray(trail) ? trail : [];
}
