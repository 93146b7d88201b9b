import { numberText } from "../shared/format.js";
import { rootScale } from "../shared/dom/root-scale.js";
import { alongSteps, boxOf, frameOf, markedRates } from "./curve-frame.js";
import { ticksOf, stepTicks } from "./scale.js";
/** @typedef {import("./run.js").Run} Run */
/** @typedef {import("./curve-frame.js").Box} Box */
/** @typedef {import("./curve-frame.js").Frame} Frame */
/** @typedef {{raw: string, line: string, held: string, dash: number[], hollow: boolean}} Look */

const COLOURS = ["ink", "muted", "hairline", "rule", "forward", "backward", "wrong", "ground"];
/** How a run is drawn: alone, and as each of two, which differ in dash and mark as well. */
const ALONE = { raw: "rule", line: "forward", held: "backward", dash: [], hollow: false };
/** What went so another time, before there is a run. */
const PROMISED = { raw: "rule", line: "muted", held: "muted", dash: [], hollow: false };
const TWO = [
  { raw: "forward", line: "forward", held: "forward", dash: [], hollow: false },
  { raw: "backward", line: "backward", held: "backward", dash: [9, 6], hollow: true },
];

/** The losses of one run or two along the steps, on a logarithmic axis. @param {HTMLCanvasElement} canvas */
export function mountCurve(canvas) {
  const curve = new Curve(canvas);
  const size = new ResizeObserver(() => curve.dress());
  size.observe(canvas); // which is told of its size before the first paint, once the page has been laid out
  return {
    /** @param {Run[]} runs @param {number} [wanted] how many steps are to be taken */
    draw: (runs, wanted) => curve.draw(runs, wanted),
    /** @param {Run} run as it went another time */
    promise: (run) => curve.draw([run], run.taken, PROMISED),
    dress: () => curve.dress(),
    unmount: () => size.disconnect(),
  };
}

/** Pixels from one number of the axis to the next, at least. */
const ROW = 13;

class Curve {
  /** @param {HTMLCanvasElement} canvas */
  constructor(canvas) {
    this.canvas = canvas;
    this.pen = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
    this.width = this.height = 0;
    this.scale = 1;
    /** @type {Record<string, string>} */
    this.colours = {};
    this.font = "";
    /** @type {Run[]} */
    this.runs = [];
    this.steps = 0;
    /** @type {Look} */
    this.alone = ALONE;
  }

  dress() {
    const { canvas } = this;
    const style = getComputedStyle(canvas);
    this.colours = Object.fromEntries(COLOURS.map((name) => [name, style.getPropertyValue(`--${name}`)]));
    const size = parseFloat(style.fontSize);
    this.font = `${size}px ${style.getPropertyValue("--sans")}`;
    this.scale = Math.max(rootScale(), size / 12);
    ({ width: this.width, height: this.height } = canvas.getBoundingClientRect());
    const dots = devicePixelRatio || 1;
    [canvas.width, canvas.height] = [Math.round(this.width * dots), Math.round(this.height * dots)];
    this.pen.setTransform(dots, 0, 0, dots, 0, 0);
    this.draw(this.runs, this.steps, this.alone);
  }

  /** @param {Run[]} runs @param {number} [wanted] how many steps are to be taken @param {Look} [alone] of one alone */
  draw(runs, wanted = this.steps, alone = ALONE) {
    [this.runs, this.steps, this.alone] = [runs, wanted, alone];
    this.pen.clearRect(0, 0, this.width, this.height);
    const box = boxOf(this.width, this.height, this.scale);
    if (!box) return;
    const frame = frameOf(box, runs);
    if (frame) this.drawRuns(frame, runs);
    else if (wanted > 0) this.drawEmpty(box, wanted);
  }

  /** @param {Frame} frame @param {Run[]} runs */
  drawRuns(frame, runs) {
    this.drawGrid(frame);
    this.drawSteps(frame, Math.max(...runs.map(({ taken }) => taken)), frame.x);
    this.drawRates(frame, runs);
    const looks = runs.length < 2 ? [this.alone] : TWO;
    for (const [i, run] of runs.entries()) this.drawLosses(frame, run, looks[i]);
    for (const [i, run] of runs.entries()) this.drawSmoothed(frame, run, looks[i]);
    for (const [i, run] of runs.entries()) this.drawHeld(frame, run, looks[i]);
    for (const { diverged } of runs) if (diverged) this.drawEnd(frame, diverged.step);
  }

  /** Before the first loss: the axes on which the curve will stand. @param {Box} box @param {number} steps */
  drawEmpty(box, steps) {
    const { pen, scale, colours } = this;
    const { left, right, top, bottom } = box;
    this.letters("right", "top");
    [pen.lineWidth, pen.strokeStyle] = [1, colours.rule];
    this.line(left, top, left, bottom);
    pen.fillText("loss", left - 7 * scale, top);
    this.drawSteps(box, steps, alongSteps(box, steps));
    this.letters("right", "bottom");
    pen.fillText("steps", right, bottom - 5 * scale);
  }

  /** @param {CanvasTextAlign} align @param {CanvasTextBaseline} baseline @param {string} [colour] */
  letters(align, baseline, colour = "muted") {
    const { pen } = this;
    [pen.font, pen.fillStyle, pen.textAlign, pen.textBaseline] = [this.font, this.colours[colour], align, baseline];
  }

  /** @param {Frame} frame */
  drawGrid({ left, right, top, bottom, axis, y }) {
    const { pen, scale } = this;
    const most = Math.min(8, Math.max(1, Math.floor((bottom - top) / (ROW * scale))));
    [pen.lineWidth, pen.strokeStyle] = [1, this.colours.hairline];
    this.letters("right", "middle");
    for (const tick of ticksOf(axis, most)) {
      this.line(left, y(tick), right, y(tick));
      pen.fillText(numberText(tick, 3), left - 7 * scale, y(tick));
    }
  }

  /** @param {Box} box @param {number} end @param {(step: number) => number} x */
  drawSteps({ left, right, bottom }, end, x) {
    const { pen, scale } = this;
    pen.strokeStyle = this.colours.rule;
    this.line(left, bottom, right, bottom);
    for (const tick of stepTicks(Math.max(10, end))) {
      this.letters(tick === 0 ? "left" : x(tick) > right - 30 * scale ? "right" : "center", "top");
      pen.fillText(tick.toLocaleString("en"), x(tick), bottom + 6 * scale);
    }
  }

  /** @param {Frame} frame @param {Run[]} runs where a learning rate became another one */
  drawRates({ top, bottom, x }, runs) {
    const { pen, scale } = this;
    pen.setLineDash([2, 4]);
    pen.strokeStyle = this.colours.muted;
    this.letters("left", "bottom");
    let free = -Infinity;
    for (const { step, lr } of markedRates(runs)) {
      const at = x(step);
      if (step > 0) this.line(at, top, at, bottom);
      const words = `rate ${numberText(lr, 2)}`;
      if (at < free) continue;
      pen.fillText(words, at, top - 5 * scale);
      free = at + pen.measureText(words).width + 10 * scale;
    }
    pen.setLineDash([]);
  }

  /** @param {Frame} frame @param {Run} run @param {Look} look the loss of every minibatch that is told */
  drawLosses({ x, y, bottom }, { series }, { raw, line }) {
    const { pen } = this;
    pen.strokeStyle = this.colours[raw];
    pen.globalAlpha = raw === line ? 0.2 : 0.75;
    pen.beginPath();
    for (const { step, high, low } of series.even()) {
      pen.lineTo(x(step), Math.min(bottom, y(high))); // the first of them begins the line
      if (low !== high) pen.lineTo(x(step), Math.min(bottom, y(low)));
    }
    pen.stroke();
    pen.globalAlpha = 1;
  }

  /** @param {Frame} frame @param {Run} run @param {Look} look */
  drawSmoothed({ x, y }, { series: { points } }, { line, dash }) {
    const { pen, scale } = this;
    pen.strokeStyle = this.colours[line];
    pen.lineWidth = 2.2 * scale;
    pen.lineJoin = "round";
    pen.setLineDash(dash.map((part) => part * scale));
    pen.beginPath();
    for (const { step, smoothed } of points) pen.lineTo(x(step), y(smoothed)); // the first of them begins the line
    pen.stroke();
    pen.setLineDash([]);
    pen.lineWidth = 1;
  }

  /** @param {Frame} frame @param {Run} run @param {Look} look */
  drawHeld({ x, y }, { validation }, { held, hollow }) {
    const { pen, scale, colours } = this;
    [pen.fillStyle, pen.strokeStyle] = hollow ? [colours.ground, colours[held]] : [colours[held], colours.ground];
    pen.lineWidth = hollow ? 1.6 * scale : 1;
    for (const { step, loss } of validation) {
      pen.beginPath();
      if (hollow) pen.rect(x(step) - 3.4 * scale, y(loss) - 3.4 * scale, 6.8 * scale, 6.8 * scale);
      else pen.arc(x(step), y(loss), 3.6 * scale, 0, 7);
      pen.fill();
      pen.stroke();
    }
    pen.lineWidth = 1;
  }

  /** @param {Frame} frame @param {number} step whose loss is not a number */
  drawEnd({ top, bottom, x }, step) {
    const { pen, scale } = this;
    pen.strokeStyle = this.colours.wrong;
    pen.lineWidth = 2 * scale;
    this.line(x(step), top, x(step), bottom);
    pen.lineWidth = 1;
    this.letters("right", "top", "wrong");
    pen.fillText(`✕ step ${step.toLocaleString("en")}`, x(step) - 6 * scale, top + 4 * scale);
  }

  /** @param {number} x @param {number} y @param {number} right @param {number} bottom */
  line(x, y, right, bottom) {
    this.pen.beginPath();
    this.pen.moveTo(x, y);
    this.pen.lineTo(right, bottom);
    this.pen.stroke();
  }
}
