/** @param {number} at @param {number} count @returns {number} the nearest of so many places */
export function within(at, count) {
  return Math.max(0, Math.min(count - 1, at));
}
