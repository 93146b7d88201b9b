import { levelAt } from "../walk/frame.js";
import { placeWords } from "../walk/announcement.js";
import { LEVELS } from "../walk/verdict-levels.js";
import { mountStepPreview } from "./step-preview-view.js";
import { halvesOf, named, runsOf } from "./movements.js";
import { cleanups, el } from "../shared/dom/elements.js";
import { watchWidth } from "../shared/dom/watch-width.js";
/** @typedef {import("../walk/frame.js").Frame} Frame */
/** @typedef {import("../walk/walk.js").Walk} Walk */

/** The whole walk as a score: one tick per step, wearing its badge. */
class Scrubber {
  /** @param {HTMLElement} root @param {Walk} walk @param {(step: number, jump: boolean) => void} goTo */
  constructor(root, walk, goTo) {
    this.root = root;
    this.walk = walk;
    this.goTo = goTo;
    this.ticks = walk.steps.map((step) => el("span", { class: "tick", "data-step": step.index }));
    this.staff = el("div", staffProps(walk), ...this.ticks);
    const above = el("div", { class: "halves", "aria-hidden": "true" }, ...halves(walk));
    this.movements = el("div", { class: "movements", "aria-hidden": "true" });
    /** @type {string[]} */
    this.was = [];
    /** @type {Frame|null} */
    this.frame = null;
    /** @type {number|null} the step that is pointed at */
    this.pointed = null;
    /** Whether the keyboard has come here. */
    this.focused = false;
    this.undo = cleanups();
    this.#listen();
    root.replaceChildren(above, this.staff, this.movements);
    this.width = watchWidth(root, () => this.#name());
    this.undo.add(this.width.unmount);
    this.#name();
    this.card = mountStepPreview(root);
  }

  #listen() {
    const { undo, staff } = this;
    undo.on(staff, "pointerdown", (event) => {
      staff.setPointerCapture(event.pointerId);
      this.goTo(this.#under(event), true);
      this.#point(this.#under(event));
    });
    undo.on(staff, "pointermove", (event) => {
      if (event.buttons & 1) this.goTo(this.#under(event), false);
      this.#point(this.#under(event));
    });
    undo.on(staff, "pointerleave", () => this.#point(null));
    // a finger that is lifted points at nothing any more
    for (const type of ["pointerup", "pointercancel"])
      undo.on(staff, type, (event) => event.pointerType !== "mouse" && this.#point(null));
    undo.on(staff, "focus", () => this.#focus(staff.matches(":focus-visible")));
    undo.on(staff, "blur", () => this.#focus(false));
    undo.on(staff, "keydown", (event) => {
      if (event.key === "Escape") this.card.hide();
    });
  }

  /** What is pointed at, else, where the keyboard is, the step that is shown. */
  #preview() {
    const { frame } = this;
    const at = this.pointed ?? (this.focused && frame ? frame.step.index : null);
    if (frame && at !== null) this.card.show(frame, this.walk.steps[at], this.ticks[at]);
    else this.card.hide();
  }

  /** @param {PointerEvent} event @returns {number} the tick it is over, or the last one before it */
  #under({ clientX }) {
    return this.walk.clamp(this.ticks.filter((tick) => tick.getBoundingClientRect().left <= clientX).length - 1);
  }

  #name() {
    this.movements.replaceChildren(...movementsOf(this.walk, this.width.now, getComputedStyle(this.movements).font));
  }

  /** @param {number|null} step */
  #point(step) {
    this.pointed = step;
    this.#preview();
  }

  /** @param {boolean} focused */
  #focus(focused) {
    this.focused = focused;
    this.#preview();
  }

  update = (/** @type {Frame} */ frame) => {
    this.frame = frame;
    this.walk.steps.forEach((step, i) => {
      const look = lookOf(frame, step);
      if (look !== this.was[i]) this.ticks[i].className = this.was[i] = look;
    });
    this.staff.setAttribute("aria-valuenow", String(frame.step.index + 1));
    this.staff.setAttribute("aria-valuetext", valueWords(frame));
    this.#preview();
  };

  unmount = () => {
    this.undo.run();
    this.root.replaceChildren();
  };
}

/** @param {ConstructorParameters<typeof Scrubber>} given */
export const mountScrubber = (...given) => new Scrubber(...given);

/** @param {Walk} walk */
function staffProps(walk) {
  const range = { "aria-valuemin": 1, "aria-valuemax": walk.steps.length };
  return { class: "staff", role: "slider", tabindex: 0, "aria-label": "Step of the walk", ...range };
}

/** @param {Frame} frame @returns {string} "Backward, step 25 of 51, gradient of h, exact" */
function valueWords(frame) {
  const { step, walk, known } = frame;
  const { variable } = walk.node(step.node);
  if (step.direction === "forward") return `${placeWords(frame)}, ${variable}`;
  return `${placeWords(frame)}, gradient of ${variable}, ${LEVELS[levelAt(walk, step.node, known)][1]}`;
}

/** @param {Frame} frame @param {import("../walk/types.js").Step} step @returns {string} */
function lookOf({ walk, step: current, known }, step) {
  const seam = step.index === walk.forwardCount ? " seam" : "";
  const now = step.index === current.index ? " now" : "";
  if (step.direction === "forward") return `tick forward${step.index <= current.index ? " past" : ""}${now}`;
  const level = step.index <= known ? levelAt(walk, step.node, step.index) : "";
  return `tick backward ${level === "none" ? "" : level}${seam}${now}`;
}

/** Pixels between two names. */
const SPACE = 4;

/**
 * @param {Walk} walk @param {number} width of the score @param {string} font
 * @returns {HTMLElement[]} the groups, named where they fit
 */
function movementsOf(walk, width, font) {
  const total = walk.steps.length;
  const pen = /** @type {CanvasRenderingContext2D} */ (document.createElement("canvas").getContext("2d"));
  pen.font = font;
  const steps = (/** @type {string} */ text) => ((pen.measureText(text).width + SPACE) / width) * total;
  return named(runsOf(walk), walk.forwardCount, steps)
    .filter(({ name, text, start, end }) => name && (text || end - start > 1))
    .map(({ text, start, end, until }) => {
      const own = share(end - start, until - start);
      const style = `left:${share(start, total)};width:${share(until - start, total)};--own:${own}`;
      return el("span", { style }, text);
    });
}

/** @param {Walk} walk @returns {HTMLElement[]} */
function halves(walk) {
  const total = walk.steps.length;
  return halvesOf(walk).map(({ name, start, end }) =>
    el("span", { class: `is-${name}`, style: `left:${share(start, total)};width:${share(end - start, total)}` }, name),
  );
}

/** @param {number} some @param {number} all */
function share(some, all) {
  return `${((some / all) * 100).toFixed(3)}%`;
}
