/**
 * The keyboard of the Walk page.
 * @typedef {{next: () => void, back: () => void, first: () => void, last: () => void, play: () => void,
 * forward: () => void, backward: () => void, exact: () => void, nudge: () => void, look: () => void,
 *   writeIt: () => void, move: () => void, wrong: () => void, downhill: () => void, replay: () => void,
 *   trace: () => void, study: () => void,
 *   black: () => void, projector: () => void, theme: () => void,
 *   help: () => void, escape: () => void, digit: (digit: number) => void,
 *   more?: Record<string, () => void>}} Acts
 */

/** What Space presses. */
const PRESSED = "button, a, summary";

/** @param {Acts} acts @returns {() => void} unmount */
export function mountKeyboard(acts) {
  const keys = /** @type {Record<string, () => void>} */ ({
    ArrowRight: acts.next,
    ArrowLeft: acts.back,
    PageDown: acts.next,
    PageUp: acts.back,
    Home: acts.first,
    End: acts.last,
    " ": acts.play,
    f: acts.forward,
    b: acts.backward,
    ".": acts.black,
    e: acts.exact,
    n: acts.nudge,
    w: acts.writeIt,
    l: acts.look,
    m: acts.move,
    x: acts.wrong,
    d: acts.downhill,
    s: acts.study,
    r: acts.replay,
    Backspace: acts.trace,
    p: acts.projector,
    t: acts.theme,
    "?": acts.help,
    Escape: acts.escape,
    ...acts.more,
  });
  /**
   * @type {Element|null} a button that was pressed with the pointer: whoever then presses Space means the walk, not the
   *   button again
   */
  let pointed = null;

  /** @param {Event} event */
  function point(event) {
    pointed = /** @type {Element} */ (event.target).closest(PRESSED);
  }
  /** @param {Event} event */
  function focus(event) {
    if (event.target !== pointed) pointed = null;
  }
  /** @param {KeyboardEvent} event whether Space presses the button that has the focus */
  function presses({ key, target }) {
    return key === " " && target !== pointed && /** @type {Element} */ (target).matches(PRESSED);
  }
  /** @param {KeyboardEvent} event */
  function release(event) {
    // some browsers press a button when the key comes up
    if (event.key === " " && event.target === pointed) event.preventDefault();
  }
  /** @param {KeyboardEvent} event */
  function press(event) {
    if (
      event.defaultPrevented ||
      event.ctrlKey ||
      event.metaKey ||
      event.altKey ||
      document.querySelector("dialog[open]")
    )
      return;
    const target = /** @type {HTMLElement} */ (event.target);
    if (target.matches("input, select, textarea") || presses(event)) return;
    const act = /^[1-9]$/.test(event.key) ? () => acts.digit(Number(event.key)) : keys[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  }
  const heard = /** @type {[string, (event: any) => void][]} */ ([
    ["keydown", press],
    ["keyup", release],
    ["pointerdown", point],
    ["focusin", focus],
  ]);
  for (const [type, hear] of heard) document.addEventListener(type, hear);
  return () => heard.forEach(([type, hear]) => document.removeEventListener(type, hear));
}
