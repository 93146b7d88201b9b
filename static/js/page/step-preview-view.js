import { levelAt } from "../walk/frame.js";
import { stepWords } from "../walk/announcement.js";
import { badge } from "../walk/badge-view.js";
import { peakOf } from "../walk/picture-peak.js";
import { el } from "../shared/dom/elements.js";
import { numberText, shapeText } from "../shared/format.js";
import { drawHeatmap } from "../shared/heatmap-view.js";
import { groupOf } from "../walk/whereabouts.js";
/** @typedef {import("../walk/frame.js").Frame} Frame */
/** @typedef {import("../walk/types.js").Step} Step */

const THUMB = { width: 132, height: 66, cell: 14, least: 10, ratio: 3 };
/** From the window's edges. */
const RIM = 8;

/**
 * What a step of the score is: its name, a small picture of what it computes, how that came out.
 * @param {HTMLElement} root above which it stands
 */
export function mountStepPreview(root) {
  const box = el("div", { class: "preview", "aria-hidden": "true", hidden: true });
  root.append(box);
  /** @type {string} what is drawn, so that a pointer that moves within a tick draws nothing */
  let was = "";

  /** @param {Frame} frame @param {Step} step @param {HTMLElement} tick over which it stands */
  function show(frame, step, tick) {
    const there = isThere(frame, step);
    const level = there && step.direction === "backward" ? levelAt(frame.walk, step.node, step.index) : "none";
    const key = [step.index, there, level, frame.asking, frame.state.theme].join();
    if (key !== was || box.hidden) box.replaceChildren(...contents(frame, step, there, level));
    was = key;
    box.hidden = false;
    place(tick);
  }

  /** @param {HTMLElement} tick */
  function place(tick) {
    const [over, origin] = [tick.getBoundingClientRect(), root.getBoundingClientRect()];
    const wished = over.left + over.width / 2 - box.offsetWidth / 2;
    const left = Math.max(RIM, Math.min(document.documentElement.clientWidth - RIM - box.offsetWidth, wished));
    box.style.left = `${left - origin.left}px`;
  }

  return { show, hide: () => (box.hidden = true), unmount: () => box.remove() };
}

/** @param {Frame} frame @param {Step} step @returns {boolean} whether its outcome may be seen by now */
function isThere({ step: now, known }, step) {
  return step.direction === "forward" ? step.index <= now.index : step.index <= known;
}

/** @param {Frame} frame @param {Step} step @param {boolean} there @param {string} level */
function contents(frame, step, there, level) {
  const node = frame.walk.node(step.node);
  const asked = frame.asking && !frame.writing && step === frame.step;
  const name = `${step.direction === "backward" ? "d" : ""}${node.variable}`;
  const group = groupOf(frame.walk, step);
  return [
    el("div", { class: "preview-picture" }, there ? picture(frame, step) : el("div", { class: "not-there" })),
    el("b", {}, name, " ", el("span", { class: "size" }, asked ? "(?)" : shapeText(node.shape))),
    el("span", { class: `phase is-${step.direction}` }, stepWords(frame.walk, step)),
    group ? el("span", { class: "size" }, group) : null,
    there && step.direction === "forward" ? null : badge(level),
  ].filter((part) => part !== null);
}

/** @param {Frame} frame @param {Step} step */
function picture({ walk, state }, step) {
  const back = step.direction === "backward";
  const tensor = walk.tensor(back ? step.accumulated : walk.node(step.node).value);
  if (tensor.size === 1) return el("span", { class: "single" }, numberText(tensor.data[0], 4));
  const { rows, cols } = tensor.grid;
  const [across, down] = [Math.min(THUMB.cell, THUMB.width / cols), Math.min(THUMB.cell, THUMB.height / rows)];
  const side = (/** @type {number} */ count, /** @type {number} */ unit) =>
    Math.max(THUMB.least, Math.round(count * unit));
  const width = side(cols, Math.min(across, down * THUMB.ratio));
  const height = side(rows, Math.min(down, across * THUMB.ratio));
  const canvas = el("canvas", { class: "heat" });
  const subject = { tensor: step.node, of: /** @type {"gradient"|"value"} */ (back ? "gradient" : "value") };
  const look = { max: peakOf(walk, subject, tensor, state.enlarged), theme: state.theme };
  drawHeatmap(canvas, tensor, { ...look, width, height });
  return canvas;
}
