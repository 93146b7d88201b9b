import { cleanups } from "../shared/dom/elements.js";
/** What a gesture is made at, a box by its key or a tensor. @typedef {{box: string|null, node: string|null}} Target */
/**
 * @typedef {{visit: (box: string, made: string|null) => void, open: (box: string) => void,
 *   nearer: (target: Target) => boolean, further: () => boolean}} Acts `visit` leads the walk there, or to what was
 *   `made` in it, `open` opens the box or closes it; the others say whether there was any way to go
 */

/** So much of a wheel is one gesture, and so many milliseconds after it the wheel rests. */
const TURN = 40;
const REST = 350;
/** So much wider or narrower two fingers are then. */
const PINCH = 1.25;

/** How one comes nearer to the graph and goes away from it. @param {HTMLElement} root @param {Acts} acts */
export function mountGestures(root, acts) {
  const undo = cleanups();
  undo.on(root, "click", (/** @type {MouseEvent} */ event) => {
    const target = targetOf(event);
    const at = /** @type {Element} */ (event.target);
    if (target.box && at.closest(".box-open")) acts.open(target.box);
    else if (target.box && at.closest(".box-face"))
      acts.visit(target.box, at.closest("[data-made]")?.getAttribute("data-made") ?? null);
  });
  undo.on(root, "dblclick", (event) => acts.nearer(targetOf(event)));
  undo.on(root, "keydown", (/** @type {KeyboardEvent} */ event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
    const face = /** @type {Element} */ (event.target).closest(".box-face");
    const done =
      event.key === "Enter" && face ? acts.nearer(targetOf(event)) : event.key === "Escape" && acts.further();
    if (!done) return;
    event.preventDefault();
    event.stopPropagation();
  });
  undo.part(mountWheel(root, acts));
  undo.part(mountPinch(root, acts));
  return { unmount: undo.run };
}

/** @param {Event} event @returns {Target} */
function targetOf({ target }) {
  const at = target instanceof Element ? target : null;
  const box = at?.closest(".box")?.querySelector("[data-box]")?.getAttribute("data-box") ?? null;
  return { box, node: at?.closest("[data-node]")?.getAttribute("data-node") ?? null };
}

/** @param {HTMLElement} root @param {Acts} acts */
function mountWheel(root, acts) {
  const undo = cleanups();
  let turned = 0;
  let rests = -Infinity;
  const wheel = (/** @type {WheelEvent} */ event) => {
    const scrolls = root.scrollHeight > root.clientHeight + 1;
    if (scrolls && !event.ctrlKey) return;
    event.preventDefault();
    if (event.timeStamp < rests) return;
    turned = Math.sign(turned) === Math.sign(event.deltaY) ? turned + event.deltaY : event.deltaY;
    if (Math.abs(turned) < (event.ctrlKey ? TURN / 8 : TURN)) return;
    if (turned < 0) acts.nearer(targetOf(event));
    else acts.further();
    [turned, rests] = [0, event.timeStamp + REST];
  };
  root.addEventListener("wheel", wheel, { passive: false });
  undo.add(() => root.removeEventListener("wheel", wheel));
  return { unmount: undo.run };
}

/** @param {HTMLElement} root @param {Acts} acts */
function mountPinch(root, acts) {
  const undo = cleanups();
  /** @type {Map<number, PointerEvent>} */
  const fingers = new Map();
  let began = 0;

  function apart() {
    const [a, b] = [...fingers.values()];
    return Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY);
  }
  undo.on(root, "pointerdown", (event) => {
    if (event.pointerType !== "touch") return;
    fingers.set(event.pointerId, event);
    began = fingers.size === 2 ? apart() : 0;
  });
  undo.on(root, "pointermove", (event) => {
    if (!fingers.has(event.pointerId)) return;
    const first = [...fingers.values()][0];
    fingers.set(event.pointerId, event);
    if (!began || fingers.size !== 2) return;
    const ratio = apart() / began;
    if (ratio < PINCH && ratio > 1 / PINCH) return;
    began = 0;
    if (ratio > 1) acts.nearer(targetOf(first));
    else acts.further();
  });
  for (const type of ["pointerup", "pointercancel"])
    undo.on(document, type, (event) => {
      fingers.delete(event.pointerId);
      began = 0;
    });
  return { unmount: undo.run };
}
