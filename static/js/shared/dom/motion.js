import { reducedMotion } from "./elements.js";
/** @typedef {import("../../equation/equation.js").Scene} Scene */

const TIME = 230;

/**
 * Moves only what moves in the mathematics: a sum collapsing, a copy spreading, two contributions adding.
 * @param {HTMLElement} box @param {Scene["motion"]} motion @returns {() => void} stops it where it should end
 */
export function play(box, motion) {
  if (motion === "none" || reducedMotion()) return () => undefined;
  const animations = { collapse, spread, add }[motion](box);
  return () => animations.forEach((animation) => animation.cancel());
}

/** @param {HTMLElement} box @param {string} selector @returns {HTMLCanvasElement|null} */
function heat(box, selector) {
  return box.querySelector(`${selector} canvas.heat`);
}

/**
 * A copy of one canvas flies from its own place to another's.
 * @param {HTMLCanvasElement|null} from @param {HTMLCanvasElement|null} to @returns {Animation[]}
 */
export function fly(from, to) {
  if (!from || !to) return [];
  const ghost = /** @type {HTMLCanvasElement} */ (from.cloneNode());
  ghost.getContext("2d")?.drawImage(from, 0, 0);
  ghost.classList.add("ghost");
  from.parentElement?.append(ghost);
  const [a, b] = [from.getBoundingClientRect(), to.getBoundingClientRect()];
  const end = `translate(${b.left - a.left}px, ${b.top - a.top}px) scale(${b.width / a.width}, ${b.height / a.height})`;
  const flight = ghost.animate(
    [
      { transform: "none", opacity: 0.9 },
      { transform: end, opacity: 0.6 },
    ],
    { duration: TIME, easing: "ease-in-out" },
  );
  const arrival = to.animate([{ opacity: 0 }, { opacity: 0, offset: 0.6 }, { opacity: 1 }], { duration: TIME });
  flight.finished.catch(() => undefined).then(() => ghost.remove());
  arrival.finished.catch(() => undefined);
  return [flight, arrival];
}

/** @param {HTMLElement} box */
function collapse(box) {
  return fly(heat(box, ".sum-from"), heat(box, ".sum-to"));
}

/** @param {HTMLElement} box */
function add(box) {
  const parts = /** @type {HTMLCanvasElement[]} */ ([...box.querySelectorAll(".equation:last-child canvas.heat")]);
  const result = parts[parts.length - 1];
  return parts.slice(0, -1).flatMap((part) => fly(part, result));
}

/** @param {HTMLElement} box */
function spread(box) {
  const result = heat(box, ".is-result");
  const stretched = [...box.querySelectorAll("canvas.heat")].filter((canvas) => canvas !== result);
  const from = /** @type {HTMLCanvasElement|undefined} */ (stretched[stretched.length - 1]);
  return fly(from ?? null, result);
}
