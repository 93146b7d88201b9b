/** Milliseconds that a flight within an open number takes. */
const TIME = 230;

/**
 * Draws a motion frame by frame, from the next one that is painted.
 * @param {number} duration milliseconds @param {(time: number) => void} draw from 0 to 1, or back
 * @param {{backwards?: boolean, elapsed?: number, ended?: () => void}} [how] `elapsed`: milliseconds that are over
 * @returns {() => void} stops it where it is
 */
export function run(duration, draw, { backwards = false, elapsed = 0, ended } = {}) {
  /** @type {number|null} */
  let began = null;
  let frame = requestAnimationFrame(next);
  /** @param {number} now */
  function next(now) {
    began ??= now - elapsed;
    const time = Math.max(0, Math.min(1, (now - began) / duration));
    draw(backwards ? 1 - time : time);
    if (time < 1) frame = requestAnimationFrame(next);
    else ended?.();
  }
  return () => cancelAnimationFrame(frame);
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
