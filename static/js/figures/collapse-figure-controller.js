import { cleanups, el, icon, reducedMotion } from "../shared/dom/elements.js";
import { run } from "../shared/dom/motion.js";
import { watchWidth } from "../shared/dom/watch-width.js";
import { many } from "../shared/plural.js";
import { axisName } from "../shared/axis-labels.js";
import { isFlat, sameLine, summedAt, summingStep } from "./collapse.js";
import { drawStep, neededAt } from "./step-figure-controller.js";
import { drawSum } from "./sum-view.js";
/** @typedef {import("./drawing.js").Context} Context */
/** @typedef {import("./drawing.js").Figure} Figure */

/** Milliseconds for a whole sum: each part comes in by itself, but many do not take long. */
const LONG = 1600;

/**
 * The sum over an axis, part by part: a slider adds one after the other, and the result grows.
 * @param {Context} context @returns {Figure}
 */
export function drawCollapse(context) {
  const { body, block, walk: first, theme, say } = context;
  const target = block.argument;
  let walk = first;
  const step = summingStep(walk, block);
  const where = sameLine(walk, step);
  const at = () => summedAt(walk, where(walk));
  const begun = at();
  // over several axes at once, or along the third one, there is no sheet to be folded
  if (!begun || !isFlat(begun)) return drawStep({ ...context, block: { ...block, argument: `backward ${target}` } });
  const undo = cleanups();
  let summed = begun;
  const [axis] = summed.axes;
  const all = summed.from.shape[axis];
  let now = all;
  let stop = () => {};
  const named = axisName(summed.dims[axis], axis);
  const box = el("div", { class: "figure-box" });
  const range = el("input", { type: "range", min: 0, max: all, step: 1, value: all });
  range.setAttribute("aria-label", `How many ${many(named)} are added`);
  const count = el("output", { class: "collapse-count" });
  const again = el("button", { type: "button", class: "quiet", "aria-label": "Add them up again" }, icon("again"));
  body.replaceChildren(box, el("div", { class: "collapse-tools" }, again, range, count));
  const width = watchWidth(box, draw);
  undo.add(width.unmount);
  undo.add(() => stop());

  function draw() {
    const name = `d${walk.node(summed.node).variable}`;
    const { labels } = walk.document;
    box.replaceChildren(drawSum({ summed, labels, name, theme: theme(), width: width.now, first: now }));
    range.value = String(now);
    range.setAttribute("aria-valuetext", `${now} of ${all}`);
    count.textContent = `${now} of ${all} ${many(named)} added`;
  }

  /** @param {number} next */
  function show(next) {
    if (next === now) return;
    now = next;
    draw();
  }

  function play() {
    stop();
    if (reducedMotion()) return false;
    stop = run(Math.min(LONG, all * 260), (time) => show(Math.round(time * all)));
    return true;
  }
  undo.on(range, "input", () => {
    stop();
    show(Number(range.value));
  });
  undo.on(again, "click", () => play() || say(`All ${all} are added.`));
  draw();
  return {
    update(next) {
      walk = next;
      summed = at() ?? summed;
      draw();
    },
    needs: () => neededAt(walk, where(walk) ?? step),
    redraw: draw,
    play,
    rest() {
      stop();
      show(all);
    },
    spot: () => ({ step }),
    unmount: undo.run,
  };
}
