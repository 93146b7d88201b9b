import { levelAt } from "../walk/frame.js";
import { placeWords } from "../walk/announcement.js";
import { cleanups, el } from "../shared/dom/elements.js";
/** @typedef {import("../walk/frame.js").Frame} Frame */
/** @typedef {import("../walk/walk.js").Walk} Walk */

/**
 * The whole walk as a score: one tick per step, wearing its badge.
 * @param {HTMLElement} root @param {Walk} walk @param {(step: number, jump: boolean) => void} goTo
 */
export function mountScrubber(root, walk, goTo) {
  const undo = cleanups();
  const ticks = walk.steps.map((step) => el("span", { class: "tick", title: titleOf(walk, step.index) }));
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
  const movements = el("div", { class: "movements", "aria-hidden": "true" }, ...movementsOf(walk));
  /** @type {string[]} */
  const was = [];
  /** @param {PointerEvent} event */
  function seek(event) {
    const box = staff.getBoundingClientRect();
    goTo(
      walk.clamp(Math.floor(((event.clientX - box.left) / box.width) * walk.steps.length)),
      event.type === "pointerdown",
    );
  }
  undo.on(staff, "pointerdown", (event) => {
    staff.setPointerCapture(event.pointerId);
    seek(event);
  });
  undo.on(staff, "pointermove", (event) => {
    if (event.buttons & 1) seek(event);
  });
  root.replaceChildren(staff, movements);
  return {
    /** @param {Frame} frame */
    update(frame) {
      walk.steps.forEach((step, i) => {
        const look = lookOf(frame, step);
        if (look !== was[i]) ticks[i].className = was[i] = look;
      });
      staff.setAttribute("aria-valuenow", String(frame.step.index + 1));
      staff.setAttribute("aria-valuetext", `${placeWords(frame)}, ${frame.step.node}`);
    },
    unmount() {
      undo.run();
      root.replaceChildren();
    },
  };
}

/** @param {Walk} walk @param {number} index */
function titleOf(walk, index) {
  const step = walk.steps[index];
  return `${index + 1}: ${step.direction === "backward" ? "d" : ""}${step.node}`;
}

/** @param {Frame} frame @param {import("../walk/types.js").Step} step @returns {string} */
function lookOf({ walk, step: current, known }, step) {
  const seam = step.index === walk.forwardCount ? " seam" : "";
  const now = step.index === current.index ? " now" : "";
  if (step.direction === "forward") return `tick forward${step.index <= current.index ? " past" : ""}${now}`;
  const level = step.index <= known ? levelAt(walk, step.node, step.index) : "";
  return `tick backward ${level === "none" ? "" : level}${seam}${now}`;
}

/** @param {Walk} walk @returns {HTMLElement[]} the phases and the groups the steps run through */
function movementsOf(walk) {
  const total = walk.steps.length;
  /** @type {{group: string|null, direction: string, start: number, end: number}[]} */
  const runs = [];
  for (const step of walk.steps) {
    const group = walk.node(step.node).group;
    const last = runs[runs.length - 1];
    if (last && last.group === group && last.direction === step.direction) last.end = step.index + 1;
    else runs.push({ group, direction: step.direction, start: step.index, end: step.index + 1 });
  }
  return runs
    .filter((run) => run.group && run.end - run.start > 2)
    .map((run) =>
      el(
        "span",
        { style: `left:${(run.start / total) * 100}%;width:calc(${((run.end - run.start) / total) * 100}% - 4px)` },
        `${run.group}`,
      ),
    );
}
