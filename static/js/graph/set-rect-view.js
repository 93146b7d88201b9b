/** @typedef {import("./graph-layout.js").Rect} Rect */

/**
 * @param {HTMLElement|undefined} element @param {Rect} rect
 * @param {number} [from] the sheet's width: what grows when it is pointed at grows to the left
 */
export function setRect(element, { left, top, width, height }, from) {
  if (!element) return;
  const side = from === undefined ? { left: `${left}px` } : { right: `${from - left - width}px` };
  Object.assign(element.style, { ...side, top: `${top}px`, width: `${width}px`, height: `${height}px` });
}
