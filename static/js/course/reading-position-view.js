import { cleanups } from "../shared/dom/elements.js";

/** The line of the window at which one reads, as a share of its height. */
const EYE = 0.38;

/**
 * Which part of a column is being read: the last one whose beginning is above the eyes.
 * @param {HTMLElement[]} parts in order @param {(part: number) => void} moved hears of another part
 */
export function mountReadingPosition(parts, moved) {
  const undo = cleanups();
  let now = -1;
  let waiting = false;

  function look() {
    waiting = false;
    const line = innerHeight * EYE;
    let [low, high] = [0, parts.length - 1];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if (parts[middle].getBoundingClientRect().top <= line) low = middle;
      else high = middle - 1;
    }
    const end = scrollY + innerHeight >= document.documentElement.scrollHeight - 2 && scrollY > 0;
    const next = end ? parts.length - 1 : low;
    if (next === now) return;
    now = next;
    moved(now);
  }

  function soon() {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(look);
  }
  undo.on(window, "scroll", soon);
  undo.on(window, "resize", soon);
  look();
  return {
    get now() {
      return now;
    },
    unmount: undo.run,
  };
}
