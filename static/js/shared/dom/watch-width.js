/**
 * An element's width without asking for a layout at every step: read once, then kept by an observer.
 * @param {HTMLElement} element @param {() => void} changed called before the next paint when the width is another
 * @returns {{readonly now: number, unmount: () => void}}
 */
export function watchWidth(element, changed) {
  let width = element.clientWidth;
  const observer = new ResizeObserver(() => {
    const next = element.clientWidth;
    if (next === width) return;
    width = next;
    changed();
  });
  observer.observe(element);
  return {
    get now() {
      return width;
    },
    unmount: () => observer.disconnect(),
  };
}
