/** How long a page may take to draw its figures after it was opened at a place. */
const SETTLED = 10_000;

/**
 * Where the address leads stays in sight while figures above it are drawn and grow, until the reader moves.
 * @param {HTMLElement} article
 */
export function mountArrival(article) {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (!target) return { unmount() {} };
  const moves = new AbortController();
  const sizes = new ResizeObserver(() => target.scrollIntoView());
  const stop = () => {
    sizes.disconnect();
    moves.abort();
    clearTimeout(timer);
  };
  const timer = setTimeout(stop, SETTLED);
  for (const move of ["wheel", "touchmove", "pointerdown", "keydown"]) {
    addEventListener(move, stop, { passive: true, signal: moves.signal });
  }
  sizes.observe(article);
  return { unmount: stop };
}
