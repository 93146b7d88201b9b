/** What each element was last drawn from. @type {WeakMap<Element, string>} */
const drawn = new WeakMap();

/**
 * Whether an element has to be drawn again; from then on it is taken for one that shows the data.
 * @param {Element} element @param {...unknown} data all that it is drawn from
 */
export function isStale(element, ...data) {
  const now = JSON.stringify(data);
  if (drawn.get(element) === now) return false;
  drawn.set(element, now);
  return true;
}
