/** What each element was last drawn from. @type {WeakMap<Element, string>} */
const shown = new WeakMap();

/**
 * Remembers what an element is drawn from.
 * @param {Element} element @param {...unknown} data all that it is drawn from
 * @returns {boolean} whether that was something else before, so that it has to be drawn again
 */
export function markShown(element, ...data) {
  const now = JSON.stringify(data);
  if (shown.get(element) === now) return false;
  shown.set(element, now);
  return true;
}
