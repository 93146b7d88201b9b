/** Heard where the page was laid out anew and nothing waits for an observer: before it is printed. */
export const LAID_OUT = "gradwalk:laid-out";

/**
 * An element's width without asking for a layout at every step: read once, then kept by an observer.
 * @param {HTMLElement} element @param {() => void} changed called before the next paint when the width is another
 * @returns {{readonly now: number, unmount: () => void}}
 */
export function watchWidth(element, changed) {
  let width = element.clientWidth;
  const look = () => {
    const next = element.clientWidth;
    if (next === width) return;
    width = next;
    changed();
  };
  const observer = new ResizeObserver(look);
  observer.observe(element);
  document.addEventListener(LAID_OUT, look);
  return {
    get now() {
      return width;
    },
    unmount() {
      observer.disconnect();
      document.removeEventListener(LAID_OUT, look);
    },
  };
}
