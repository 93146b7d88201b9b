import { kinkWords, moveByKey, moveWords, plotOf, rangeOf, rounded } from "./curve.js";
import { numberIn } from "../shared/json-number.js";
import { numberText } from "../shared/format.js";
import { cleanups, el, svg } from "../shared/dom/elements.js";
import { prose } from "../shared/prose-view.js";
/** @typedef {import("./curve.js").Curve} Curve */
/** @typedef {import("./curve.js").Plot} Plot */
/**
 * `moved` hears of every value on the way, `kept` that the latest stays, `back` that it shall be as it was.
 * @typedef {{moved: (value: number) => void, kept: () => void, back: () => void}} Acts
 */

const WIDTH = 320;
const HEIGHT = 150;
/** Milliseconds without a key after which a number stays where it is. */
const CALM = 700;

/**
 * One number in the hand: drag it, press arrow keys, turn the wheel or type; the loss along it as a curve, its gradient
 * as the tangent.
 * @param {Acts} acts
 */
export function mountMove(acts) {
  const undo = cleanups();
  /** @type {{curve: Curve, plot: Plot, name: string, lossName: string, value: number}|null} */
  let held = null;
  /** @type {ReturnType<typeof setTimeout>|undefined} */
  let calm;
  const curveLine = svg("path", { class: "move-curve" });
  const tangent = svg("line", { class: "move-tangent" });
  const dot = el("span", { class: "move-dot" });
  const start = el("span", { class: "move-start" });
  const picture = svg(
    "svg",
    { class: "move-plot", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none", "aria-hidden": "true" },
    curveLine,
    tangent,
  );
  const grip = el("div", { class: "move-grip", role: "slider", tabindex: 0, "data-act": "move" }, picture, start, dot);
  const ends = [el("span"), el("span", { class: "move-name" }), el("span")];
  const typed = el("input", { class: "move-number", inputmode: "decimal", autocomplete: "off", "aria-label": "Value" });
  const words = el("p", { class: "move-words", role: "status" });
  const kink = el("p", { class: "move-kink" });
  const key = el(
    "p",
    { class: "move-key" },
    el("span", { class: "is-curve" }, "loss"),
    el("span", { class: "is-tangent" }, "what the gradient promises"),
  );
  const help = el(
    "p",
    { class: "move-help" },
    "Drag it, or use ← →: Shift for more, Alt for less. Escape puts it back.",
  );
  const root = el(
    "div",
    { class: "move" },
    el("div", { class: "move-figure" }, grip, el("div", { class: "move-ends", "aria-hidden": "true" }, ...ends)),
    el("div", { class: "move-side" }, typed, words, kink, key, help),
  );

  /** @param {number} value @param {boolean} [stays] */
  function move(value, stays = false) {
    if (!held || !Number.isFinite(value)) return;
    clearTimeout(calm);
    if (value !== held.value) {
      held.value = value;
      draw(null);
      acts.moved(value);
    }
    if (stays) acts.kept();
  }

  /** @param {PointerEvent} event @returns {number} the value below the pointer */
  function valueAt(event) {
    if (!held) return NaN;
    const box = picture.getBoundingClientRect();
    const [least, greatest] = rangeOf(held.curve);
    const share = Math.max(0, Math.min(1, (event.clientX - box.left) / Math.max(1, box.width)));
    return rounded(least + share * (greatest - least), held.curve.span);
  }

  undo.on(grip, "pointerdown", (event) => {
    if (!held || event.button !== 0) return;
    event.preventDefault();
    grip.focus({ preventScroll: true });
    grip.setPointerCapture(event.pointerId);
    move(valueAt(event));
  });
  undo.on(grip, "pointermove", (event) => {
    if (grip.hasPointerCapture(event.pointerId)) move(valueAt(event));
  });
  undo.on(grip, "pointerup", (event) => {
    if (grip.hasPointerCapture(event.pointerId)) move(valueAt(event), true);
  });
  undo.on(grip, "pointercancel", () => held && acts.back());
  undo.on(grip, "wheel", (event) => {
    if (!held || document.activeElement !== grip) return;
    event.preventDefault();
    const arrow = event.deltaY < 0 ? "ArrowUp" : "ArrowDown";
    slowly(moveByKey(arrow, event, held.curve, held.value));
  });
  undo.on(grip, "keydown", (event) => {
    if (!held) return;
    if (event.key === "Enter") return stop(event, () => held && move(held.value, true));
    if (event.key === "Escape") return stop(event, acts.back);
    const value = moveByKey(event.key, event, held.curve, held.value);
    if (value !== null) stop(event, () => slowly(value));
  });
  undo.on(typed, "keydown", (event) => {
    if (event.key === "Enter") stop(event, take);
    if (event.key === "Escape") stop(event, acts.back);
  });
  undo.on(typed, "change", take);

  /** Moves that come one by one stay once there are no more. @param {number|null} value */
  function slowly(value) {
    if (value === null) return;
    move(value);
    calm = setTimeout(() => move(value, true), CALM);
  }

  function take() {
    const value = Number(typed.value.trim().replace("−", "-").replace(",", "."));
    if (typed.value.trim() === "" || !Number.isFinite(value)) return typed.setAttribute("aria-invalid", "true");
    typed.removeAttribute("aria-invalid");
    if (held && value !== held.value) move(value, true);
  }

  /** @param {Event} event @param {() => void} act nobody else hears of it */
  function stop(event, act) {
    event.preventDefault();
    event.stopPropagation();
    act();
  }

  /** @param {number|null} loss that the value makes; null while it is computed */
  function draw(loss) {
    if (!held) return;
    const { curve, plot, name, lossName, value } = held;
    const told = moveWords(curve, name, value, loss, lossName);
    const height = loss === null ? null : plot.y(loss);
    put(dot, plot.x(value), height ?? onCurve(curve, plot, value));
    grip.setAttribute("aria-valuenow", String(value));
    grip.setAttribute("aria-valuetext", numberText(value));
    if (document.activeElement !== typed) typed.value = String(Number(value.toPrecision(7)));
    if (loss !== null || value === numberIn(curve.value)) words.replaceChildren(...prose(told));
  }

  return {
    root,
    /** @param {string} name of the number that is taken, before the loss along it is known */
    wait(name) {
      clearTimeout(calm); // what was to stay is another number
      held = null;
      grip.setAttribute("aria-label", name);
      grip.setAttribute("aria-valuenow", "0");
      words.textContent = "";
    },
    /**
     * @param {Curve} curve @param {{name: string, loss: string}} names of the number and of the loss
     * @param {number} value where it is now @param {number} loss
     */
    hold(curve, { name, loss: lossName }, value, loss) {
      const plot = plotOf(curve, WIDTH, HEIGHT);
      held = { curve, plot, name, lossName, value };
      curveLine.setAttribute("d", plot.curve);
      const [[x1, y1], [x2, y2]] = plot.tangent;
      for (const [at, number] of Object.entries({ x1, y1, x2, y2 })) tangent.setAttribute(at, number.toFixed(1));
      put(start, plot.x(numberIn(curve.value)), plot.y(numberIn(curve.loss)));
      const [least, greatest] = plot.values;
      grip.setAttribute("aria-label", name);
      grip.setAttribute("aria-valuemin", String(least));
      grip.setAttribute("aria-valuemax", String(greatest));
      [numberText(least, 3), name, numberText(greatest, 3)].forEach((text, i) => (ends[i].textContent = text));
      kink.replaceChildren(...prose(kinkWords(curve, lossName)));
      kink.hidden = !curve.kink;
      typed.removeAttribute("aria-invalid");
      draw(loss);
    },
    /** @param {number} loss @param {number} value what it belongs to */
    arrived(loss, value) {
      if (held?.value === value) draw(loss);
    },
    focus: () => grip.focus({ preventScroll: true }),
    unmount() {
      clearTimeout(calm);
      undo.run();
    },
  };
}

/** @param {HTMLElement} dot @param {number} x @param {number} y in the plot's own units */
function put(dot, x, y) {
  dot.style.left = `${((x / WIDTH) * 100).toFixed(2)}%`;
  dot.style.top = `${((y / HEIGHT) * 100).toFixed(2)}%`;
}

/** @param {Curve} curve @param {Plot} plot @param {number} value @returns {number} its height, between two points */
function onCurve({ points }, plot, value) {
  const next = points.findIndex(([at]) => numberIn(at) >= value);
  if (next <= 0) return plot.y(numberIn(points[next === 0 ? 0 : points.length - 1][1]));
  const [[a, below], [b, above]] = [points[next - 1], points[next]].map((pair) => pair.map(numberIn));
  return plot.y(below + ((above - below) * (value - a)) / (b - a));
}
