/** @returns {number} by how much the type of the page is larger than on a laptop: in a large window, on a projector */
export function rootScale() {
  return parseFloat(getComputedStyle(document.documentElement).fontSize) / 16;
}

/**
 * @template {Record<string, any>} T @param {T} sizes in pixels @returns {T} grown as the type has
 */
export function grown(sizes) {
  const scale = rootScale();
  const one = (/** @type {any} */ size) => (typeof size === "number" ? size * scale : size);
  const entries = Object.entries(sizes).map(([key, size]) => [key, Array.isArray(size) ? size.map(one) : one(size)]);
  return /** @type {T} */ (Object.fromEntries(entries));
}
