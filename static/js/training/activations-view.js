import { numberText } from "../shared/format.js";
import { el } from "../shared/dom/elements.js";
import { flatWords } from "./words.js";
/** @typedef {import("../run/types.js").Activation} Activation */

const [WIDTH, HEIGHT, STRIP] = [240, 56, 10];

/** Each layer's activations: a histogram, and of each unit how much of it is flat. @param {HTMLElement} root */
export function mountActivations(root) {
  /** @type {Map<string, ReturnType<typeof makeLayer>>} */
  let layers = new Map();
  return {
    /** @param {Activation[]} told */
    update(told) {
      if (told.length !== layers.size || told.some(({ name }) => !layers.has(name))) {
        layers = new Map(told.map(({ name }) => [name, makeLayer(name)]));
        root.replaceChildren(...[...layers.values()].map(({ element }) => element));
      }
      for (const one of told) layers.get(one.name)?.update(one);
    },
    unmount: () => root.replaceChildren(),
  };
}

/** @param {string} name of what the layer makes */
function makeLayer(name) {
  const words = el("span", {});
  const low = el("span", {});
  const high = el("span", {});
  const bars = /** @type {HTMLCanvasElement} */ (el("canvas", { width: WIDTH * 2, height: HEIGHT * 2, role: "img" }));
  const strip = /** @type {HTMLCanvasElement} */ (
    el("canvas", { class: "units", width: WIDTH * 2, height: STRIP * 2, "aria-hidden": "true" })
  );
  const element = el(
    "figure",
    { class: "layer" },
    el("figcaption", {}, el("code", {}, name), " ", words),
    bars,
    el("div", { class: "layer-ends" }, low, high),
    strip,
  );
  return {
    element,
    /** @param {Activation} told */
    update(told) {
      const text = flatWords(told);
      words.textContent = text;
      low.textContent = numberText(told.histogram.low, 2);
      high.textContent = numberText(told.histogram.high, 2);
      bars.setAttribute("aria-label", `${name} lies from ${low.textContent} to ${high.textContent}.`);
      strip.title = `Each stripe is a unit: the darker, the more of the minibatch finds it ${told.word}.`;
      drawBars(bars, told.histogram.counts);
      drawUnits(strip, told.units);
    },
  };
}

/** @param {HTMLCanvasElement} canvas @param {number[]} counts */
function drawBars(canvas, counts) {
  const pen = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  const most = Math.max(1, ...counts);
  const each = canvas.width / counts.length;
  pen.clearRect(0, 0, canvas.width, canvas.height);
  pen.fillStyle = getComputedStyle(canvas).color;
  for (const [i, count] of counts.entries()) {
    const tall = count ? Math.max(2, (canvas.height * count) / most) : 0;
    pen.fillRect(i * each + 1, canvas.height - tall, each - 2, tall);
  }
}

/** @param {HTMLCanvasElement} canvas @param {number[]} shares of the minibatch in which each unit is flat */
function drawUnits(canvas, shares) {
  const pen = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  const each = canvas.width / Math.max(1, shares.length);
  pen.clearRect(0, 0, canvas.width, canvas.height);
  pen.fillStyle = getComputedStyle(canvas).color;
  for (const [i, share] of shares.entries()) {
    pen.globalAlpha = share;
    pen.fillRect(i * each, 0, Math.max(1, each), canvas.height);
  }
  pen.globalAlpha = 1;
}
