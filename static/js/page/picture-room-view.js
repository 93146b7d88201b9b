/** @typedef {import("../walk/frame.js").Frame} Frame */

/** Where less than this would stay beside an open number, the picture makes room instead. */
const LOW = 160;
/** Lines of text are higher here and there than the sum of them tells. */
const SLACK = 8;
/** Narrower windows scroll as a whole. */
const WIDE = matchMedia("(min-width: 641px)");

/**
 * How much height there is for the picture: all that the words and the charts of a step leave, but no more than stays
 * when a number is opened, so that the picture keeps its size and place then.
 * It is cleared first, so that whatever else is written before it is measured costs no layout of its own.
 * @param {HTMLElement} root of the picture @returns {{clear: () => void,
 *   measure: (frame: Frame) => number, unmount: () => void}}
 */
export function mountRoom(root) {
  /** @type {{key: string, height: number}|null} */
  let closed = null;

  /** How far down the step was read before; only where a number is in the hand, which then stays below it. */
  let stood = 0;

  function clear() {
    const story = root.parentElement;
    stood = (story?.classList.contains("holding") && story.parentElement?.scrollTop) || 0;
    root.style.height = root.style.minHeight = "";
  }

  /** @param {Frame} frame */
  function measure(frame) {
    const least = Number.parseFloat(getComputedStyle(root).minHeight);
    const story = /** @type {HTMLElement} */ (root.parentElement);
    const pane = story.parentElement;
    if (frame.state.projector || !WIDE.matches || !pane) return least;
    const style = getComputedStyle(story);
    const gap = Number.parseFloat(style.rowGap);
    const rest = pane.clientHeight - Number.parseFloat(style.paddingTop) - Number.parseFloat(style.paddingBottom);
    const heights = (/** @type {string} */ selector) =>
      [...story.querySelectorAll(selector)].reduce(
        (sum, one) => sum + /** @type {HTMLElement} */ (one).offsetHeight,
        0,
      );
    const around = heights(":scope > .heading") + heights(":scope > .evidence") + 3 * gap;
    const looking = story.classList.contains("looking");
    const lens = Number.parseFloat(style.getPropertyValue("--lens"));
    const beside = rest - around + (looking ? 0 : heights(".verdict")) - lens;
    const key = [frame.step.index, frame.node.name, rest, root.clientWidth].join();
    if (looking) {
      // the same for every step, so that nothing jumps on the way along open numbers
      root.style.height = `${Math.max(least, beside)}px`;
      if (stood) pane.scrollTop = stood; // without the picture there was nothing to scroll
      return Math.max(least, closed?.key === key ? Math.min(closed.height, beside) : beside);
    }
    const left = rest - around - heights(":scope > .reason") - SLACK;
    const height = Math.max(least, beside < LOW ? left : Math.min(left, beside));
    closed = { key, height };
    // small pictures take it too, so that on the way back the words begin at one height
    if (frame.step.direction === "backward" && !frame.asking) root.style.minHeight = `${height}px`;
    return height;
  }

  return { clear, measure, unmount: clear };
}
