const STEPS = /** @type {Record<string, number>} */ ({ ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 });

/**
 * @param {KeyboardEvent} event @param {number} at @param {number} count
 * @returns {number|null} the place to which a key leads, which may lie beyond the ends
 */
export function placeByKey({ key, ctrlKey, metaKey, altKey }, at, count) {
  if (ctrlKey || metaKey || altKey) return null;
  if (key in STEPS) return at + STEPS[key];
  return /** @type {Record<string, number>} */ ({ Home: 0, End: count - 1 })[key] ?? null;
}
