import { levelAt } from "../walk/frame.js";
import { placeWords } from "../walk/announcement.js";
import { LEVELS } from "../walk/verdict-levels.js";
import { mountStepPreview } from "./step-preview-view.js";
import { halvesOf, named, runsOf } from "./movements.js";
import { cleanups, el } from "../shared/dom/elements.js";
import { rootScale } from "../shared/dom/root-scale.js";
import { watchWidth } from "../shared/dom/watch-width.js";
/** @typedef {import("../walk/frame.js").Frame} Frame */
/** @typedef {import("../walk/walk.js").Walk} Walk */

/**
 * The whole walk as a score: one tick per step, wearing its badge.
 * @param {HTMLElement} root @param {Walk} walk @param {(step: number, jump: boolean) => void} goTo
 */
export function mountScrubber(root, walk, goTo) {
  const undo = cleanups();
  const ticks = walk.steps.map((step) => el("span", { class: "tick", "data-step": step.index }));
  const staff = el(
    "div",
    {
      class: "staff",
      role: "slider",
      tabindex: 0,
      "aria-label": "Step of the walk",
      "aria-valuemin": 1,
      "aria-valuemax": walk.steps.length,
    },
    ...ticks,
  );
  const above = el("div", { class: "halves", "aria-hidden": "true" }, ...halves(walk));
  const movements = el("div", { class: "movements", "aria-hidden": "true" });
  /** @type {string[]} */
  const was = [];
  /** @type {Frame|null} */
  let frame = null;
  /** @type {number|null} the step that is pointed at */
  let pointed = null;
  /** @type {boolean} whether the keyboard has come here */
  let focused = false;

  /** What is pointed at, else, where the keyboard is, the step that is shown. */
  function preview() {
    const at = pointed ?? (focused && frame ? frame.step.index : null);
    if (frame && at !== null) card.show(frame, walk.steps[at], ticks[at]);
    else card.hide();
  }

  /** @param {PointerEvent} event @returns {number} the tick it is over, or the last one before it */
  function under({ clientX }) {
    return walk.clamp(ticks.filter((tick) => tick.getBoundingClientRect().left <= clientX).length - 1);
  }
  /** @param {PointerEvent} event */
  function seek(event) {
    goTo(under(event), event.type === "pointerdown");
  }
  function name() {
    movements.replaceChildren(...movementsOf(walk, width.now));
  }
  /** @param {number|null} step */
  function point(step) {
    pointed = step;
    preview();
  }
  undo.on(staff, "pointerdown", (event) => {
    staff.setPointerCapture(event.pointerId);
    seek(event);
    point(under(event));
  });
  undo.on(staff, "pointermove", (event) => {
    if (event.buttons & 1) seek(event);
    point(under(event));
  });
  undo.on(staff, "pointerleave", () => point(null));
  // a finger that is lifted points at nothing any more
  for (const type of ["pointerup", "pointercancel"])
    undo.on(staff, type, (event) => event.pointerType !== "mouse" && point(null));
  undo.on(staff, "focus", () => {
    focused = staff.matches(":focus-visible");
    preview();
  });
  undo.on(staff, "blur", () => {
    focused = false;
    preview();
  });
  undo.on(staff, "keydown", (event) => {
    if (event.key === "Escape") card.hide();
  });
  root.replaceChildren(above, staff, movements);
  const width = watchWidth(root, name);
  undo.add(width.unmount);
  name();
  const card = mountStepPreview(root);
  return {
    /** @param {Frame} next */
    update(next) {
      frame = next;
      walk.steps.forEach((step, i) => {
        const look = lookOf(next, step);
        if (look !== was[i]) ticks[i].className = was[i] = look;
      });
      staff.setAttribute("aria-valuenow", String(next.step.index + 1));
      staff.setAttribute("aria-valuetext", valueWords(next));
      preview();
    },
    unmount() {
      undo.run();
      root.replaceChildren();
    },
  };
}

/** @param {Frame} frame @returns {string} "Backward step 5 of 31, gradient of h, exact" */
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

/** Pixels that a letter of a name takes, with the space after the name. */
const LETTER = 6.3;
const SPACE = 6;

/** @param {Walk} walk @param {number} width of the score @returns {HTMLElement[]} the groups, named where they fit */
function movementsOf(walk, width) {
  const total = walk.steps.length;
  const steps = (/** @type {string} */ text) => ((text.length * LETTER * rootScale() + SPACE) / width) * total;
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
