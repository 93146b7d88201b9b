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
/** @typedef {NonNullable<ReturnType<typeof summedAt>>} Summed */

/** Milliseconds for a whole sum: each part comes in by itself, but many do not take long. */
const LONG = 1600;

/**
 * The sum over an axis, part by part: a slider adds one after the other, and the result grows.
 * @param {Context} context @returns {Figure}
 */
export function drawCollapse(context) {
  const { block, walk } = context;
  const step = summingStep(walk, block);
  const where = sameLine(walk, step);
  const begun = summedAt(walk, where(walk));
  // over several axes at once, or along the third one, there is no sheet to be folded
  if (!begun || !isFlat(begun))
    return drawStep({ ...context, block: { ...block, argument: `backward ${block.argument}` } });
  const sum = new Sum(context, begun);
  return {
    update: (next) => sum.update(next, summedAt(next, where(next))),
    needs: () => neededAt(sum.walk, where(sum.walk) ?? step),
    redraw: () => sum.draw(),
    play: () => sum.play(),
    rest: () => sum.rest(sum.all),
    spot: () => ({ step }),
    unmount: sum.unmount,
  };
}

/** How many parts of it are added by now. */
class Sum {
  /** @param {Context} context @param {Summed} summed */
  constructor({ body, walk, theme, say }, summed) {
    this.walk = walk;
    this.theme = theme;
    this.summed = summed;
    const [axis] = summed.axes;
    this.all = this.now = summed.from.shape[axis];
    this.parts = many(axisName(summed.dims[axis], axis));
    this.stop = () => {};
    this.box = el("div", { class: "figure-box" });
    this.range = el("input", { type: "range", min: 0, max: this.all, step: 1, value: this.all });
    this.range.setAttribute("aria-label", `How many ${this.parts} are added`);
    this.count = el("output", { class: "collapse-count" });
    const again = el("button", { type: "button", class: "quiet", "aria-label": "Add them up again" }, icon("again"));
    body.replaceChildren(this.box, el("div", { class: "collapse-tools" }, again, this.range, this.count));
    this.width = watchWidth(this.box, () => this.draw());
    const undo = cleanups();
    undo.add(this.width.unmount);
    undo.add(() => this.stop());
    undo.on(this.range, "input", () => this.rest(Number(this.range.value)));
    undo.on(again, "click", () => this.play() || say(`All ${this.all} are added.`));
    this.unmount = undo.run;
    this.draw();
  }

  draw() {
    const { summed, walk, now, all } = this;
    const name = `d${walk.node(summed.node).variable}`;
    const look = { labels: walk.document.labels, theme: this.theme(), width: this.width.now };
    this.box.replaceChildren(drawSum({ summed, name, ...look, first: now }));
    this.range.value = String(now);
    this.range.setAttribute("aria-valuetext", `${now} of ${all}`);
    this.count.textContent = `${now} of ${all} ${this.parts} added`;
  }

  /** @param {number} next */
  show(next) {
    if (next === this.now) return;
    this.now = next;
    this.draw();
  }

  /** @param {number} count nothing moves any more */
  rest(count) {
    this.stop();
    this.show(count);
  }

  play() {
    this.stop();
    if (reducedMotion()) return false;
    this.stop = run(Math.min(LONG, this.all * 260), (time) => this.show(Math.round(time * this.all)));
    return true;
  }

  /** @param {import("../walk/walk.js").Walk} walk @param {Summed|null} summed null where it isn't there any more */
  update(walk, summed) {
    this.walk = walk;
    this.summed = summed ?? this.summed;
    this.draw();
  }
}
