import { moveByKey, plotOf, valueAt } from "./curve.js";
import { HEIGHT, WIDTH, drawGripPicture } from "./grip-picture-view.js";
import { cleanups } from "../shared/dom/elements.js";
/** @typedef {import("./curve.js").Curve} Curve */
/** @typedef {import("./curve.js").Plot} Plot */
/**
 * `moved` hears of every value on the way, `stays` that the latest is the last one, `away` that all shall be as it was,
 * `grasped` of the pointer that moves it.
 * @typedef {{moved: (value: number) => void, stays: () => void, away: () => void,
 *   grasped?: (pointer: number|null) => void}} Acts
 */

/** Milliseconds without a key after which a number stays where it is. */
const CALM = 700;

/** The loss along a number as a curve with its tangent, to be moved along by pointer, finger, wheel and keys. */
class Grip {
  /** @param {Acts} acts */
  constructor(acts) {
    this.acts = acts;
    this.undo = cleanups();
    /** @type {{curve: Curve, plot: Plot, value: number}|null} */
    this.held = null;
    /** @type {ReturnType<typeof setTimeout>|undefined} */
    this.calm = undefined;
    /** @type {DOMRect|null} where the plot lies: measured once a drag, for measuring lays the page out */
    this.box = null;
    this.picture = drawGripPicture();
    this.grip = this.picture.grip;
    this.root = this.picture.root;
    this.#drag();
    this.undo.on(this.grip, "wheel", (event) => this.#turn(event));
    this.undo.on(this.grip, "keydown", (event) => this.#press(event));
  }

  #drag() {
    const { undo, grip, acts } = this;
    undo.on(grip, "pointerdown", (event) => this.#grasp(event));
    // the browser holds pointermove back until its next frame; what the server needs to know need not wait
    for (const name of /** @type {const} */ (["pointerrawupdate", "pointermove"]))
      undo.on(grip, name, (/** @type {PointerEvent} */ event) => {
        if (grip.hasPointerCapture(event.pointerId)) this.move(this.#below(event));
      });
    for (const name of ["resize", "scroll"]) undo.on(window, name, () => (this.box = null), true);
    undo.on(grip, "pointerup", (event) => {
      acts.grasped?.(null);
      if (grip.hasPointerCapture(event.pointerId)) this.move(this.#below(event), true);
    });
    undo.on(grip, "pointercancel", () => {
      acts.grasped?.(null);
      if (this.held) acts.away();
    });
  }

  /** @param {PointerEvent} event */
  #grasp(event) {
    if (!this.held || event.button !== 0) return;
    event.preventDefault();
    this.focus();
    this.grip.setPointerCapture(event.pointerId);
    this.box = null;
    this.acts.grasped?.(event.pointerId);
    this.move(this.#below(event));
  }

  /** @param {PointerEvent} event @returns {number} the value below the pointer */
  #below(event) {
    if (!this.held) return NaN;
    this.box ??= this.picture.box();
    return valueAt(this.held.curve, (event.clientX - this.box.left) / Math.max(1, this.box.width));
  }

  /** @param {WheelEvent} event */
  #turn(event) {
    if (!this.held || document.activeElement !== this.grip) return;
    event.preventDefault();
    const arrow = event.deltaY < 0 ? "ArrowUp" : "ArrowDown";
    this.slowly(moveByKey(arrow, event, this.held.curve, this.held.value));
  }

  /** @param {KeyboardEvent} event */
  #press(event) {
    const { held, acts } = this;
    if (!held) return;
    if (event.key === "Enter") return this.alone(event, () => this.move(held.value, true));
    if (event.key === "Escape") return this.alone(event, acts.away);
    const value = moveByKey(event.key, event, held.curve, held.value);
    if (value !== null) this.alone(event, () => this.slowly(value));
  }

  /** @param {Event} event @param {() => void} act nobody else hears of it */
  alone(event, act) {
    event.preventDefault();
    event.stopPropagation();
    act();
  }

  /** @param {number} value @param {boolean} [stays] */
  move(value, stays = false) {
    if (!this.held || !Number.isFinite(value)) return;
    clearTimeout(this.calm);
    if (value !== this.held.value) {
      this.held.value = value;
      this.place(null);
      this.acts.moved(value);
    }
    if (stays) this.acts.stays();
  }

  /** Moves that come one by one stay once there are no more. @param {number|null} value */
  slowly(value) {
    if (value === null) return;
    this.move(value);
    this.calm = setTimeout(() => this.move(value, true), CALM);
  }

  /** @param {number|null} loss that the value makes; null while it is computed */
  place(loss) {
    if (this.held) this.picture.place(this.held.curve, this.held.plot, this.held.value, loss);
  }

  /** @returns {number|null} where it is now */
  get value() {
    return this.held?.value ?? null;
  }

  /** @param {string} name of the number that is taken, before the loss along it is known */
  wait(name) {
    clearTimeout(this.calm); // what was to stay is another number
    this.held = null;
    this.picture.wait(name);
  }

  /** @param {Curve} curve @param {string} name of the number @param {number} value where it is now */
  hold(curve, name, value) {
    const plot = plotOf(curve, WIDTH, HEIGHT);
    this.held = { curve, plot, value };
    this.box = null;
    this.picture.hold(curve, plot, name);
  }

  /** The tangent where the number is now. @param {number} value @param {number} loss @param {number} slope there */
  touch(value, loss, slope) {
    if (this.held) this.picture.touch(this.held.plot.tangentAt(value, loss, slope));
  }

  /** @param {number} pointer that moves it already */
  seize(pointer) {
    if (this.grip.isConnected) this.grip.setPointerCapture(pointer);
  }

  focus = () => this.grip.focus({ preventScroll: true });

  unmount = () => {
    clearTimeout(this.calm);
    this.undo.run();
  };
}

/** @param {Acts} acts */
export const mountGrip = (acts) => new Grip(acts);
