import { boxOf, isDue } from "../practice/boxes.js";
/** @typedef {import("../practice/boxes.js").Boxes} Boxes */
/** @typedef {import("./types.js").Drill} Drill */
/** @typedef {import("./types.js").DrillGroup} Group */

const PRIME = 2 ** 31 - 1;
const MULTIPLIER = 48_271;

/**
 * @param {Drill[]} drills @param {Boxes} boxes @param {number} seed @param {number} most
 * @returns {Drill[]} the next deck: what is due, the lowest box first, then what is new, then what would come next;
 *   in an order that the seed gives
 */
export function deckOf(drills, boxes, seed, most) {
  const mixed = shuffled(drills, seed);
  const due = mixed.filter(({ id }) => isDue(boxes, id)).sort((a, b) => boxOf(boxes, a.id) - boxOf(boxes, b.id));
  const fresh = mixed.filter(({ id }) => boxOf(boxes, id) === 0);
  const later = mixed.filter(({ id }) => boxOf(boxes, id) > 0 && !isDue(boxes, id));
  later.sort((a, b) => boxOf(boxes, a.id) - boxOf(boxes, b.id));
  return [...due, ...fresh, ...later].slice(0, most);
}

/** @template T @param {T[]} items @param {number} seed @returns {T[]} the same seed, the same order */
export function shuffled(items, seed) {
  const [mixed, random] = [[...items], minimal(seed)];
  random(); // of small seeds the first number is small, too
  for (let i = mixed.length - 1; i > 0; i -= 1) {
    const j = Math.floor(random() * (i + 1));
    [mixed[i], mixed[j]] = [mixed[j], mixed[i]];
  }
  return mixed;
}

/** @param {number} seed @returns {() => number} Park and Miller's generator: numbers from 0 to below 1 */
function minimal(seed) {
  let state = 1 + (seed % (PRIME - 1));
  return () => {
    state = (state * MULTIPLIER) % PRIME;
    return state / PRIME;
  };
}
