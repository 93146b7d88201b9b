import { reducedMotion } from "../shared/dom/elements.js";
/** @typedef {import("./graph-layout.js").Rect} Rect */
/** @typedef {{element: HTMLElement, rect: Rect, box: string}} Part something inside a box, and where it stands */

const TIME = 320;
const EASE = "cubic-bezier(0.3, 0, 0.1, 1)";

/**
 * One camera from distance to distance: each box goes from where it was to where it is, and what is inside comes out of
 * it or goes into it. Only places and opacity move, so that nothing is laid out on the way but the boxes themselves.
 */
export function makeCamera() {
  /** @type {Animation[]} */
  let running = [];

  /** @param {Element} element @param {Keyframe[]} frames */
  function move(element, frames) {
    running.push(element.animate(frames, { duration: TIME, easing: EASE }));
  }

  /** At once where it is going to. */
  function arrive() {
    for (const animation of running.splice(0)) animation.cancel();
  }

  return {
    arrive,
    /**
     * @param {Map<string, Rect>} before @param {Map<string, Rect>} after where each box was, and is
     * @param {{boxes: Map<string, HTMLElement>, parts: Part[], fading: Element[]}} what `boxes`: those
     *   that are drawn now; `parts`: what is in sight inside them
     */
    glide(before, after, { boxes, parts, fading }) {
      arrive();
      if (reducedMotion()) return;
      for (const [key, element] of boxes) {
        const [from, to] = [before.get(key), after.get(key)];
        if (from && to) move(element, [pixels(from), pixels(to)]);
      }
      for (const { element, rect, box } of parts) {
        const [from, to] = [before.get(box), after.get(box)];
        if (from && to)
          move(element, [{ transform: within(rect, to, from), opacity: 0 }, { opacity: 0, offset: 0.3 }, {}]);
      }
      for (const element of fading) move(element, [{ opacity: 0 }, { opacity: 0, offset: 0.6 }, {}]);
    },
  };
}

/** @param {Rect} rect @returns {Keyframe} */
function pixels({ left, top, width, height }) {
  return { left: `${left}px`, top: `${top}px`, width: `${width}px`, height: `${height}px` };
}

/**
 * @param {Rect} part @param {Rect} here the box around it @param {Rect} there where that box was
 * @returns {string} the transform that puts the part where it would be in the box as it was
 */
function within(part, here, there) {
  const [x, y] = [there.width / here.width, there.height / here.height];
  const left = there.left + (part.left + part.width / 2 - here.left) * x - part.left - part.width / 2;
  const top = there.top + (part.top + part.height / 2 - here.top) * y - part.top - part.height / 2;
  return `translate(${left}px, ${top}px) scale(${Math.min(1, y)})`;
}
