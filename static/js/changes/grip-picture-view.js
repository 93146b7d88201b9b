import { onCurve } from "./curve.js";
import { numberIn } from "../shared/json-number.js";
import { decimalText, numberText } from "../shared/format.js";
import { el, svg } from "../shared/dom/elements.js";
/** @typedef {import("./curve.js").Curve} Curve */
/** @typedef {import("./curve.js").Plot} Plot */

export const WIDTH = 320;
export const HEIGHT = 150;

/** The curve with its tangent, the dot on it, where it began, and what its ends are. */
export function drawGripPicture() {
  const curveLine = svg("path", { class: "move-curve" });
  const tangent = svg("path", { class: "move-tangent" });
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
  const below = el("div", { class: "move-ends", "aria-hidden": "true" }, ...ends);
  return {
    root: el("div", { class: "move-figure" }, grip, below),
    grip,
    /** @returns {DOMRect} where the curve lies in the window */
    box: () => picture.getBoundingClientRect(),
    /** @param {string} name of the number that is taken, before the loss along it is known */
    wait(name) {
      grip.setAttribute("aria-label", name);
      grip.setAttribute("aria-valuenow", "0");
    },
    /** @param {Curve} curve @param {Plot} plot @param {string} name of the number */
    hold(curve, plot, name) {
      curveLine.setAttribute("d", plot.curve);
      tangent.setAttribute("d", plot.tangent);
      put(start, plot.x(numberIn(curve.value)), plot.y(numberIn(curve.loss)));
      const [least, greatest] = plot.values;
      grip.setAttribute("aria-label", name);
      grip.setAttribute("aria-valuemin", decimalText(least));
      grip.setAttribute("aria-valuemax", decimalText(greatest));
      const middle = curve.within?.log ? `${name}, log axis` : name;
      [numberText(least, 3), middle, numberText(greatest, 3)].forEach((text, i) => (ends[i].textContent = text));
    },
    /** @param {Curve} curve @param {Plot} plot @param {number} value @param {number|null} loss null as yet unknown */
    place(curve, plot, value, loss) {
      put(dot, plot.x(value), loss === null ? plot.y(onCurve(curve, value)) : plot.y(loss));
      grip.setAttribute("aria-valuenow", decimalText(value));
      grip.setAttribute("aria-valuetext", numberText(value));
    },
    /** @param {string} path */
    touch: (path) => tangent.setAttribute("d", path),
  };
}

/** What the two lines are. */
export function curveKey() {
  const curve = el("span", { class: "is-curve" }, "loss");
  const root = el("p", { class: "move-key" }, curve, el("span", { class: "is-tangent" }, "what the gradient promises"));
  /** @param {string} lossName what the program calls it */
  const name = (lossName) => (curve.textContent = lossName);
  return { root, name };
}

/** @param {HTMLElement} dot @param {number} x @param {number} y in the plot's own units */
function put(dot, x, y) {
  dot.style.left = `${((x / WIDTH) * 100).toFixed(2)}%`;
  dot.style.top = `${(Math.max(0, Math.min(1, y / HEIGHT)) * 100).toFixed(2)}%`;
}
