import { cleanups } from "../shared/dom/elements.js";
import { keyOf } from "../shell/keys.js";

/**
 * What hands do to a picture that can be zoomed, places being fractions of it: `zoom` follows the wheel and two
 * fingers,
 * `leap` a double click, `pan` a drag, `step` the arrow keys, `closer` and `whole` the other keys.
 * @typedef {{x: number, y: number}} At
 * @typedef {{zoom: (factor: number, at: At) => void, leap: (at: At) => void, pan: (x: number, y: number) => void,
 *   step: (x: number, y: number) => void, closer: (factor: number) => void, whole: () => void,
 *   hover: (at: At|null) => void, pick: (at: At) => void}} Acts
 */

const CLOSER = 2;
const STILL = 4;
const LINE = 16;
const [NEARER, FURTHER, WHOLE] = ["closer", "further", "whole"].map(keyOf);
const ANYWHERE = [NEARER, "=", FURTHER, WHOLE];

/**
 * @param {HTMLElement} stage @param {Acts} acts
 * @returns {{press: (event: KeyboardEvent) => void, unmount: () => void}} `press` is for the keys of all that surrounds
 *   the picture
 */
export function gestures(stage, acts) {
  const undo = cleanups();
  /** @type {Map<number, At>} fingers, or the mouse, that are down */
  const down = new Map();
  let travelled = 0;

  /** @param {MouseEvent} event @returns {At} */
  function at(event) {
    const box = stage.getBoundingClientRect();
    return { x: (event.clientX - box.left) / box.width, y: (event.clientY - box.top) / box.height };
  }

  /** @param {WheelEvent} event */
  function wheel(event) {
    event.preventDefault();
    const turn = event.deltaY * (event.deltaMode === 1 ? LINE : 1);
    acts.zoom(Math.exp(-turn * (event.ctrlKey ? 0.01 : 0.002)), at(event));
  }
  stage.addEventListener("wheel", wheel, { passive: false });
  undo.add(() => stage.removeEventListener("wheel", wheel));

  undo.on(stage, "pointerdown", (/** @type {PointerEvent} */ event) => {
    if (event.button !== 0 || event.target !== stage.firstElementChild) return;
    stage.setPointerCapture(event.pointerId);
    down.set(event.pointerId, at(event));
    if (down.size === 1) travelled = 0;
  });
  undo.on(stage, "pointermove", (/** @type {PointerEvent} */ event) => {
    const [before, now] = [down.get(event.pointerId), at(event)];
    if (!before) return acts.hover(now);
    travelled += Math.abs(event.movementX) + Math.abs(event.movementY);
    const other = [...down].find(([id]) => id !== event.pointerId)?.[1];
    down.set(event.pointerId, now);
    if (other) return pinch(before, now, other);
    if (travelled > STILL) acts.pan(before.x - now.x, before.y - now.y);
  });
  for (const type of ["pointerup", "pointercancel"]) {
    undo.on(stage, type, (/** @type {PointerEvent} */ event) => {
      if (!down.delete(event.pointerId)) return;
      if (type === "pointerup" && travelled <= STILL && !down.size) acts.pick(at(event));
    });
  }
  undo.on(stage, "pointerleave", () => acts.hover(null));
  undo.on(stage, "dblclick", (/** @type {MouseEvent} */ event) => acts.leap(at(event)));

  /** @param {At} before @param {At} now @param {At} other */
  function pinch(before, now, other) {
    const apart = (/** @type {At} */ one) =>
      Math.hypot((one.x - other.x) * stage.clientWidth, (one.y - other.y) * stage.clientHeight);
    travelled = Infinity;
    acts.zoom(apart(now) / Math.max(1, apart(before)), { x: (now.x + other.x) / 2, y: (now.y + other.y) / 2 });
    acts.pan((before.x - now.x) / 2, (before.y - now.y) / 2);
  }

  const keys = /** @type {Record<string, () => void>} */ ({
    ArrowUp: () => acts.step(0, -1),
    ArrowDown: () => acts.step(0, 1),
    ArrowLeft: () => acts.step(-1, 0),
    ArrowRight: () => acts.step(1, 0),
    [NEARER]: () => acts.closer(CLOSER),
    "=": () => acts.closer(CLOSER),
    [FURTHER]: () => acts.closer(1 / CLOSER),
    Enter: () => acts.closer(CLOSER),
    [WHOLE]: acts.whole,
  });
  /**
   * @param {KeyboardEvent} event anywhere near the picture: arrows and Enter are its own only while it has the focus
   */
  function press(event) {
    const typing = event.target instanceof HTMLInputElement;
    const mine = event.target === stage || (!typing && ANYWHERE.includes(event.key));
    const act = mine && !event.ctrlKey && !event.metaKey && !event.altKey ? keys[event.key] : undefined;
    if (!act) return;
    event.preventDefault();
    event.stopPropagation();
    act();
  }
  return { press, unmount: undo.run };
}
