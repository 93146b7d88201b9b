import { numberText } from "../shared/format.js";
import { numberIn } from "../shared/json-number.js";
import { cleanups, el } from "../shared/dom/elements.js";
import { rootScale } from "../shared/dom/root-scale.js";
import { decadesOf, heightOf, logTicks, stepTicks } from "./scale.js";
import { curveWords } from "./words.js";
/** @typedef {import("./run.js").Run} Run */
/** @typedef {{left: number, right: number, top: number, bottom: number, x: (step: number) => number,
 *   y: (loss: number) => number}} Frame
 */

const ROOM = { left: 46, right: 14, top: 22, bottom: 24 };
const COLOURS = ["ink", "muted", "hairline", "rule", "forward", "backward", "wrong", "ground"];

/** The loss along the steps on a logarithmic axis. @param {HTMLCanvasElement} canvas @param {HTMLElement} legend */
export function mountCurve(canvas, legend) {
  const undo = cleanups();
  const pen = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  let [width, height, scale] = [0, 0, 1];
  /** @type {Record<string, string>} */
  let colours = {};
  let font = "";
  /** @type {Run|null} */
  let shown = null;
  const values = {
    loss: legendEntry(legend, "raw", "loss"),
    smoothed: legendEntry(legend, "smoothed", "smoothed"),
    validation: legendEntry(legend, "held", "validation"),
    rate: legendEntry(legend, "rate", "learning rate"),
  };

  function dress() {
    const style = getComputedStyle(canvas);
    colours = Object.fromEntries(COLOURS.map((name) => [name, style.getPropertyValue(`--${name}`)]));
    const size = parseFloat(style.fontSize);
    font = `${size}px ${style.getPropertyValue("--sans")}`;
    scale = Math.max(rootScale(), size / 12);
    const box = canvas.getBoundingClientRect();
    [width, height] = [box.width, box.height];
    const dots = devicePixelRatio || 1;
    [canvas.width, canvas.height] = [Math.round(width * dots), Math.round(height * dots)];
    pen.setTransform(dots, 0, 0, dots, 0, 0);
    draw(shown);
  }

  /** @param {Run|null} run */
  function draw(run) {
    shown = run;
    pen.clearRect(0, 0, width, height);
    const frame = frameOf(run);
    if (!frame || !run) return;
    drawAxes(frame, run);
    drawRates(frame, run);
    drawLoss(frame, run);
    drawHeld(frame, run);
    if (run.diverged) drawEnd(frame, run.diverged.step);
  }

  /** @param {Run|null} run @returns {Frame|null} */
  function frameOf(run) {
    const range = run?.series.range;
    if (!run || !range || width < 80) return null;
    const held = run.validation.map(({ loss }) => loss).filter((loss) => loss > 0);
    const axis = decadesOf([Math.min(range[0], ...held), Math.max(range[1], ...held)]);
    const [left, right] = [ROOM.left * scale, width - ROOM.right * scale];
    const [top, bottom] = [ROOM.top * scale, height - ROOM.bottom * scale];
    const end = Math.max(10, run.taken);
    const x = (/** @type {number} */ step) => left + ((right - left) * step) / end;
    const y = (/** @type {number} */ loss) => bottom - (bottom - top) * heightOf(axis, loss);
    pen.font = font;
    pen.lineWidth = 1;
    pen.strokeStyle = colours.hairline;
    pen.fillStyle = colours.muted;
    pen.textAlign = "right";
    pen.textBaseline = "middle";
    for (const tick of logTicks(axis)) {
      line(left, y(tick), right, y(tick));
      pen.fillText(numberText(tick, 3), left - 7 * scale, y(tick));
    }
    return { left, right, top, bottom, x, y };
  }

  /** @param {Frame} frame @param {Run} run */
  function drawAxes({ left, right, bottom, x }, run) {
    pen.strokeStyle = colours.rule;
    line(left, bottom, right, bottom);
    pen.textBaseline = "top";
    for (const tick of stepTicks(Math.max(10, run.taken))) {
      pen.textAlign = tick === 0 ? "left" : x(tick) > right - 30 * scale ? "right" : "center";
      pen.fillText(tick.toLocaleString("en"), x(tick), bottom + 6 * scale);
    }
  }

  /** @param {Frame} frame @param {Run} run where the learning rate became another one */
  function drawRates({ top, bottom, x }, run) {
    pen.setLineDash([2, 4]);
    pen.strokeStyle = colours.muted;
    pen.fillStyle = colours.muted;
    pen.textAlign = "left";
    pen.textBaseline = "bottom";
    let free = -Infinity;
    for (const { step, lr } of run.rates) {
      const at = x(step);
      if (step > 0) line(at, top, at, bottom);
      const words = `rate ${numberText(lr, 2)}`;
      if (at < free) continue;
      pen.fillText(words, at, top - 5 * scale);
      free = at + pen.measureText(words).width + 10 * scale;
    }
    pen.setLineDash([]);
  }

  /** @param {Frame} frame @param {Run} run */
  function drawLoss({ x, y, bottom }, run) {
    const { points } = run.series;
    pen.strokeStyle = colours.rule;
    pen.globalAlpha = 0.75;
    pen.beginPath();
    for (const [i, point] of points.entries()) {
      const at = x(point.step);
      if (i === 0) pen.moveTo(at, Math.min(bottom, y(point.high)));
      else pen.lineTo(at, Math.min(bottom, y(point.high)));
      if (point.low !== point.high) pen.lineTo(at, Math.min(bottom, y(point.low)));
    }
    pen.stroke();
    pen.globalAlpha = 1;
    pen.strokeStyle = colours.forward;
    pen.lineWidth = 2.2 * scale;
    pen.lineJoin = "round";
    pen.beginPath();
    for (const { step, smoothed } of points) {
      if (smoothed !== null) pen.lineTo(x(step), y(smoothed)); // the first of them begins the line
    }
    pen.stroke();
    pen.lineWidth = 1;
  }

  /** @param {Frame} frame @param {Run} run */
  function drawHeld({ x, y }, run) {
    for (const { step, loss } of run.validation) {
      pen.beginPath();
      pen.arc(x(step), y(loss), 3.6 * scale, 0, 7);
      pen.fillStyle = colours.backward;
      pen.fill();
      pen.strokeStyle = colours.ground;
      pen.stroke();
    }
  }

  /** @param {Frame} frame @param {number} step whose loss is not a number */
  function drawEnd({ top, bottom, x }, step) {
    pen.strokeStyle = colours.wrong;
    pen.lineWidth = 2 * scale;
    line(x(step), top, x(step), bottom);
    pen.lineWidth = 1;
    pen.fillStyle = colours.wrong;
    pen.textAlign = "right";
    pen.textBaseline = "top";
    pen.fillText(`✕ step ${step.toLocaleString("en")}`, x(step) - 6 * scale, top + 4 * scale);
  }

  /** @param {number} x @param {number} y @param {number} right @param {number} bottom */
  function line(x, y, right, bottom) {
    pen.beginPath();
    pen.moveTo(x, y);
    pen.lineTo(right, bottom);
    pen.stroke();
  }

  const size = new ResizeObserver(dress);
  size.observe(canvas);
  undo.add(() => size.disconnect());
  dress();
  return {
    draw,
    dress,
    /** The numbers beside it, and what it shows in a sentence. @param {Run} run */
    tell(run) {
      const text = (/** @type {any} */ value) => (value === undefined ? "–" : numberText(numberIn(value), 4));
      values.loss.textContent = text(run.report?.loss);
      values.smoothed.textContent = text(run.report?.smoothed);
      const held = /** @type {HTMLElement} */ (values.validation.parentElement);
      held.hidden = !run.start?.data?.examples;
      values.validation.textContent = text(run.validation.at(-1)?.loss);
      values.rate.textContent = text(run.report?.lr ?? run.settings?.lr);
      canvas.setAttribute("aria-label", curveWords(run));
    },
    unmount: undo.run,
  };
}

/** @param {HTMLElement} legend @param {string} kind @param {string} words @returns {HTMLElement} its number */
function legendEntry(legend, kind, words) {
  const value = el("b", {}, "–");
  legend.append(el("span", { class: `legend-${kind}` }, el("i", { "aria-hidden": "true" }), `${words} `, value));
  return value;
}
