import { svg } from "../shared/dom/elements.js";
/** @typedef {{duration: number, backwards: boolean}} How */
/**
 * An edge; `along` it, or against its direction.
 * @typedef {{path: SVGElement, width: number, along: boolean}} Walked
 */

const LENGTH = 30;
/** Beside a line as wide as itself a pulse could not be seen. */
const WIDER = 2.5;

/** What runs along the edges that a step walks, as wide as the gradient there. @param {SVGElement} picture */
export function mountPulses(picture) {
  /** @type {Animation[]} */
  let running = [];
  return {
    /** @param {Walked[]} walked @param {string} direction @param {How} how */
    send(walked, direction, how) {
      running.forEach((animation) => animation.cancel());
      running = walked.map((one) => send(picture, one, direction, how));
    },
    unmount: () => running.forEach((animation) => animation.cancel()),
  };
}

/** @param {SVGElement} picture @param {Walked} walked @param {string} direction @param {How} how */
function send(picture, { path, width, along }, direction, { duration, backwards }) {
  const line = svg("path", { d: path.getAttribute("d") ?? "", class: `pulse on-${direction}` });
  // measured before it is put on the page, which would have to be laid out for it
  const length = /** @type {SVGPathElement} */ (line).getTotalLength();
  const long = Math.min(LENGTH, length / 2);
  line.style.setProperty("--wide", `${width + WIDER}`);
  line.style.strokeDasharray = `${long} ${2 * length}`;
  picture.append(line);
  const offsets = [0, long - length];
  if (along === backwards) offsets.reverse();
  const animation = line.animate(
    offsets.map((strokeDashoffset) => ({ strokeDashoffset })),
    { duration, easing: "ease-in-out" },
  );
  const leave = () => line.remove();
  animation.finished.then(leave, leave);
  return animation;
}
