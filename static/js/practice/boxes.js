/**
 * Leitner's boxes, by which drills are spaced. A drill that is right at once moves on to the next box, any other falls
 * back into the first; what lies in box k is asked again 2^(k−1) decks later. The count of decks stands for the time,
 * so that the same answers always give the same decks.
 * @typedef {{box: number, deck: number}} Place the box of a drill, and the deck that it was last asked in
 * @typedef {{deck: number, places: Record<string, Place>}} Boxes `deck`: how many there were
 */

export const BOXES = 5;

/** @type {Readonly<Boxes>} */
export const EMPTY = Object.freeze({ deck: 0, places: Object.freeze({}) });

/** @param {Boxes} boxes @returns {Boxes} one deck later */
export function nextDeck(boxes) {
  return { ...boxes, deck: boxes.deck + 1 };
}

/** @param {Boxes} boxes @param {string} id @returns {number} the box of a drill; 0 where it was never asked */
export function boxOf({ places }, id) {
  return Object.hasOwn(places, id) ? places[id].box : 0;
}

/** @param {Boxes} boxes @param {string} id @returns {boolean} whether it was asked before, and is to be asked again */
export function isDue(boxes, id) {
  const box = boxOf(boxes, id);
  return box > 0 && boxes.deck - boxes.places[id].deck >= 2 ** (box - 1);
}

/**
 * @param {Boxes} boxes @param {string} id @param {boolean} atOnce right at the first try, without hints
 * @returns {Boxes}
 */
export function moved(boxes, id, atOnce) {
  const box = atOnce ? Math.min(BOXES, Math.max(1, boxOf(boxes, id)) + 1) : 1;
  return { ...boxes, places: { ...boxes.places, [id]: { box, deck: boxes.deck } } };
}

/** @param {Boxes} boxes @param {string[]} ids @returns {number[]} how many are new, then how many lie in each box */
export function countBoxes(boxes, ids) {
  const counts = Array.from({ length: BOXES + 1 }, () => 0);
  for (const id of ids) counts[boxOf(boxes, id)] += 1;
  return counts;
}

/** @param {unknown} data of a file, or what the browser kept @returns {Boxes} what of it is of the right kind */
export function boxesIn(data) {
  const { deck, places } = /** @type {any} */ (data) ?? {};
  const count = isCount(deck) ? deck : 0;
  const kept = Object.entries(places && typeof places === "object" ? places : {}).filter(
    ([, place]) => isCount(place?.box) && place.box >= 1 && place.box <= BOXES && isCount(place.deck),
  );
  const own = kept.map(([id, { box, deck: last }]) => [id, { box, deck: Math.min(last, count) }]);
  return { deck: count, places: Object.fromEntries(own) };
}

/** @param {unknown} one */
function isCount(one) {
  return Number.isSafeInteger(one) && /** @type {number} */ (one) >= 0;
}
