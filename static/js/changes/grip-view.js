import { moveByKey, plotOf, valueAt } from "./curve.js";
import { numberIn } from "../shared/json-number.js";
import { numberText } from "../shared/format.js";
import { cleanups, el, svg } from "../shared/dom/elements.js";
/** @typedef {import("./curve.js").Curve} Curve */
/** @typedef {import("./curve.js").Plot} Plot */
/**
 * `moved` hears of every value on the way, `stays` that the latest is the last one, `away` that all shall be as it was,
 * `grasped` of the pointer that moves it.
 * @typedef {{moved: (value: number) => void, stays: () => void, away: () => void,
 *   grasped?: (pointer: number|null) => void}} Acts
 */

const WIDTH = 320;
const HEIGHT = 150;
/** Milliseconds without a key after which a number stays where it is. */
const CALM = 700;

/**
 * The loss along a number as a curve with its tangent, to be moved along by pointer, finger, wheel and keys.
 * @param {Acts} acts
 */
export function mountGrip(acts) {
  const undo = cleanups();
  /** @type {{curve: Curve, plot: Plot, value: number}|null} */
  let held = null;
  /** @type {ReturnType<typeof setTimeout>|undefined} */
  let calm;
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
  /** @type {DOMRect|null} where the plot lies: measured once a drag, for measuring lays the page out */
  let box = null;
  const root = el(
    "div",
    { class: "move-figure" },
    grip,
    el("div", { class: "move-ends", "aria-hidden": "true" }, ...ends),
  );

  /** @param {number} value @param {boolean} [stays] */
  function move(value, stays = false) {
    if (!held || !Number.isFinite(value)) return;
    clearTimeout(calm);
    if (value !== held.value) {
      held.value = value;
      place(null);
      acts.moved(value);
    }
    if (stays) acts.stays();
  }

  /** Moves that come one by one stay once there are no more. @param {number|null} value */
  function slowly(value) {
    if (value === null) return;
    move(value);
    calm = setTimeout(() => move(value, true), CALM);
  }

  /** @param {PointerEvent} event @returns {number} the value below the pointer */
  function below(event) {
    if (!held) return NaN;
    box ??= picture.getBoundingClientRect();
    return valueAt(held.curve, (event.clientX - box.left) / Math.max(1, box.width));
  }

  undo.on(grip, "pointerdown", (event) => {
    if (!held || event.button !== 0) return;
    event.preventDefault();
    grip.focus({ preventScroll: true });
    grip.setPointerCapture(event.pointerId);
    box = null;
    acts.grasped?.(event.pointerId);
    move(below(event));
  });
  // the browser holds pointermove back until its next frame; what the server needs to know need not wait
  for (const name of /** @type {const} */ (["pointerrawupdate", "pointermove"]))
    undo.on(grip, name, (/** @type {PointerEvent} */ event) => {
      if (grip.hasPointerCapture(event.pointerId)) move(below(event));
    });
  for (const name of ["resize", "scroll"]) undo.on(window, name, () => (box = null), true);
  undo.on(grip, "pointerup", (event) => {
    acts.grasped?.(null);
    if (grip.hasPointerCapture(event.pointerId)) move(below(event), true);
  });
  undo.on(grip, "pointercancel", () => {
    acts.grasped?.(null);
    if (held) acts.away();
  });
  undo.on(grip, "wheel", (event) => {
    if (!held || document.activeElement !== grip) return;
    event.preventDefault();
    const arrow = event.deltaY < 0 ? "ArrowUp" : "ArrowDown";
    slowly(moveByKey(arrow, event, held.curve, held.value));
  });
  undo.on(grip, "keydown", (event) => {
    if (!held) return;
    if (event.key === "Enter") return alone(event, () => held && move(held.value, true));
    if (event.key === "Escape") return alone(event, acts.away);
    const value = moveByKey(event.key, event, held.curve, held.value);
    if (value !== null) alone(event, () => slowly(value));
  });

  /** @param {Event} event @param {() => void} act nobody else hears of it */
  function alone(event, act) {
    event.preventDefault();
    event.stopPropagation();
    act();
  }

  /** @param {number|null} loss that the value makes; null while it is computed */
  function place(loss) {
    if (!held) return;
    const { curve, plot, value } = held;
    put(dot, plot.x(value), loss === null ? onCurve(curve, plot, value) : plot.y(loss));
    grip.setAttribute("aria-valuenow", String(value));
    grip.setAttribute("aria-valuetext", numberText(value));
  }

  return {
    root,
    alone,
    move,
    slowly,
    place,
    /** @returns {number|null} where it is now */
    get value() {
      return held?.value ?? null;
    },
    /** @param {string} name of the number that is taken, before the loss along it is known */
    wait(name) {
      clearTimeout(calm); // what was to stay is another number
      held = null;
      grip.setAttribute("aria-label", name);
      grip.setAttribute("aria-valuenow", "0");
    },
    /** @param {Curve} curve @param {string} name of the number @param {number} value where it is now */
    hold(curve, name, value) {
      const plot = plotOf(curve, WIDTH, HEIGHT);
      held = { curve, plot, value };
      box = null;
      curveLine.setAttribute("d", plot.curve);
      tangent.setAttribute("d", plot.tangent);
      put(start, plot.x(numberIn(curve.value)), plot.y(numberIn(curve.loss)));
      const [least, greatest] = plot.values;
      grip.setAttribute("aria-label", name);
      grip.setAttribute("aria-valuemin", String(least));
      grip.setAttribute("aria-valuemax", String(greatest));
      const middle = curve.within?.log ? `${name}, log axis` : name;
      [numberText(least, 3), middle, numberText(greatest, 3)].forEach((text, i) => (ends[i].textContent = text));
    },
    /** The tangent where the number is now. @param {number} value @param {number} loss @param {number} slope there */
    touch(value, loss, slope) {
      if (held) tangent.setAttribute("d", held.plot.tangentAt(value, loss, slope));
    },
    /** @param {number} pointer that moves it already */
    seize(pointer) {
      if (!grip.isConnected) return;
      grip.setPointerCapture(pointer);
    },
    focus: () => grip.focus({ preventScroll: true }),
    unmount() {
      clearTimeout(calm);
      undo.run();
    },
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

/** @param {Curve} curve @param {Plot} plot @param {number} value @returns {number} its height, between two points */
function onCurve({ points }, plot, value) {
  const next = points.findIndex(([at]) => numberIn(at) >= value);
  if (next <= 0) return plot.y(numberIn(points[next === 0 ? 0 : points.length - 1][1]));
  const [[a, below], [b, above]] = [points[next - 1], points[next]].map((pair) => pair.map(numberIn));
  return plot.y(below + ((above - below) * (value - a)) / (b - a));
}
