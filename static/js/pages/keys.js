/**
 * The keyboard of the Walk page.
 * @typedef {{next: () => void, back: () => void, first: () => void, last: () => void, play: () => void,
 *   forward: () => void, backward: () => void, exact: () => void, nudge: () => void, look: () => void, trace: () => void, projector: () => void, theme: () => void,
 *   help: () => void, escape: () => void, digit: (digit: number) => void,
 *   more?: Record<string, () => void>}} Acts
 */

/** @param {Acts} acts @returns {() => void} unmount */
export function mountKeys(acts) {
  const keys = /** @type {Record<string, () => void>} */ ({
    ArrowRight: acts.next, ArrowLeft: acts.back, Home: acts.first, End: acts.last, " ": acts.play,
    f: acts.forward, b: acts.backward, e: acts.exact, n: acts.nudge, l: acts.look, Backspace: acts.trace, p: acts.projector, t: acts.theme, "?": acts.help, Escape: acts.escape,
    ...acts.more,
  });
  /** @param {KeyboardEvent} event */
  function press(event) {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
    const target = /** @type {HTMLElement} */ (event.target);
    if (target.matches("input, select, textarea") || (event.key === " " && target.matches("button, a"))) return;
    const act = /^[1-9]$/.test(event.key) ? () => acts.digit(Number(event.key)) : keys[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  }
  document.addEventListener("keydown", press);
  return () => document.removeEventListener("keydown", press);
}
