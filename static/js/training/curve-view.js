import { numberText } from "../shared/format.js";
import { cleanups } from "../shared/dom/elements.js";
import { rootScale } from "../shared/dom/root-scale.js";
import { decadesOf, heightOf, logTicks, stepTicks } from "./scale.js";
/** @typedef {import("./run.js").Run} Run */
/** @typedef {{left: number, right: number, top: number, bottom: number, x: (step: number) => number,
 *   y: (loss: number) => number}} Frame
 */
/** @typedef {{raw: string, line: string, held: string, dash: number[], hollow: boolean}} Look */

const ROOM = { left: 46, right: 14, top: 22, bottom: 24 };
const COLOURS = ["ink", "muted", "hairline", "rule", "forward", "backward", "wrong", "ground"];
/** How a run is drawn: alone, and as each of two, which differ in dash and mark as well. */
const ALONE = { raw: "rule", line: "forward", held: "backward", dash: [], hollow: false };
const TWO = [
  { raw: "forward", line: "forward", held: "forward", dash: [], hollow: false },
  { raw: "backward", line: "backward", held: "backward", dash: [9, 6], hollow: true },
];

/** The losses of one run or two along the steps, on a logarithmic axis. @param {HTMLCanvasElement} canvas */
export function mountCurve(canvas) {
  const undo = cleanups();
  const pen = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  let [width, height, scale] = [0, 0, 1];
  /** @type {Record<string, string>} */
  let colours = {};
  let font = "";
  /** @type {Run[]} */
  let shown = [];
  let steps = 0;

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

  /** @param {Run[]} runs @param {number} [wanted] how many steps are to be taken */
  function draw(runs, wanted = steps) {
    [shown, steps] = [runs, wanted];
    pen.clearRect(0, 0, width, height);
    const frame = frameOf(runs);
    if (!frame) return drawEmpty();
    drawAxes(frame, Math.max(...runs.map(({ taken }) => taken)));
    drawRates(frame, runs);
    const looks = runs.length < 2 ? [ALONE] : TWO;
    for (const [i, run] of runs.entries()) drawLosses(frame, run, looks[i]);
    for (const [i, run] of runs.entries()) drawSmoothed(frame, run, looks[i]);
    for (const [i, run] of runs.entries()) drawHeld(frame, run, looks[i]);
    for (const { diverged } of runs) if (diverged) drawEnd(frame, diverged.step);
  }

  /** @param {Run[]} runs @returns {Frame|null} */
  function frameOf(runs) {
    const ranges = runs.flatMap((run) => run.series.range ?? []);
    if (!ranges.length || width < 80) return null;
    const held = runs.flatMap((run) => run.validation.map(({ loss }) => loss)).filter((loss) => loss > 0);
    const axis = decadesOf([Math.min(...ranges, ...held), Math.max(...ranges, ...held)]);
    const [left, right] = [ROOM.left * scale, width - ROOM.right * scale];
    const [top, bottom] = [ROOM.top * scale, height - ROOM.bottom * scale];
    const end = Math.max(10, ...runs.map(({ taken }) => taken));
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

  /** Before the first loss: the axes on which the curve will stand. */
  function drawEmpty() {
    if (width < 80 || !(steps > 0)) return;
    const [left, right] = [ROOM.left * scale, width - ROOM.right * scale];
    const [top, bottom] = [ROOM.top * scale, height - ROOM.bottom * scale];
    [pen.font, pen.lineWidth, pen.fillStyle, pen.strokeStyle] = [font, 1, colours.muted, colours.rule];
    line(left, top, left, bottom);
    pen.textAlign = "right";
    pen.textBaseline = "top";
    pen.fillText("loss", left - 7 * scale, top);
    const x = (/** @type {number} */ step) => left + ((right - left) * step) / steps;
    drawAxes({ left, right, top, bottom, x, y: () => bottom }, steps);
    pen.textAlign = "right";
    pen.textBaseline = "bottom";
    pen.fillText("steps", right, bottom - 5 * scale);
  }

  /** @param {Frame} frame @param {number} end */
  function drawAxes({ left, right, bottom, x }, end) {
    pen.strokeStyle = colours.rule;
    line(left, bottom, right, bottom);
    pen.textBaseline = "top";
    for (const tick of stepTicks(Math.max(10, end))) {
      pen.textAlign = tick === 0 ? "left" : x(tick) > right - 30 * scale ? "right" : "center";
      pen.fillText(tick.toLocaleString("en"), x(tick), bottom + 6 * scale);
    }
  }

  /** @param {Frame} frame @param {Run[]} runs where a learning rate became another one */
  function drawRates({ top, bottom, x }, runs) {
    pen.setLineDash([2, 4]);
    pen.strokeStyle = colours.muted;
    pen.fillStyle = colours.muted;
    pen.textAlign = "left";
    pen.textBaseline = "bottom";
    let free = -Infinity;
    const alike = runs.every(({ rates }) => rates[0]?.lr === runs[0].rates[0]?.lr);
    // two runs with rates of their own have them in the table beside: only the changes are marked
    for (const { step, lr } of alike ? runs[0].rates : runs.flatMap(({ rates }) => rates.slice(1))) {
      const at = x(step);
      if (step > 0) line(at, top, at, bottom);
      const words = `rate ${numberText(lr, 2)}`;
      if (at < free) continue;
      pen.fillText(words, at, top - 5 * scale);
      free = at + pen.measureText(words).width + 10 * scale;
    }
    pen.setLineDash([]);
  }

  /** @param {Frame} frame @param {Run} run @param {Look} look the loss of every minibatch that is told */
  function drawLosses({ x, y, bottom }, { series }, { raw, line: own }) {
    pen.strokeStyle = colours[raw];
    pen.globalAlpha = raw === own ? 0.2 : 0.75;
    pen.beginPath();
    for (const point of series.even()) {
      const at = x(point.step);
      pen.lineTo(at, Math.min(bottom, y(point.high))); // the first of them begins the line
      if (point.low !== point.high) pen.lineTo(at, Math.min(bottom, y(point.low)));
    }
    pen.stroke();
    pen.globalAlpha = 1;
  }

  /** @param {Frame} frame @param {Run} run @param {Look} look */
  function drawSmoothed({ x, y }, { series: { points } }, { line: own, dash }) {
    pen.strokeStyle = colours[own];
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
  function drawHeld({ x, y }, { validation }, { held, hollow }) {
    for (const { step, loss } of validation) {
      pen.beginPath();
      if (hollow) pen.rect(x(step) - 3.4 * scale, y(loss) - 3.4 * scale, 6.8 * scale, 6.8 * scale);
      else pen.arc(x(step), y(loss), 3.6 * scale, 0, 7);
      pen.fillStyle = colours[hollow ? "ground" : held];
      pen.fill();
      pen.strokeStyle = colours[hollow ? held : "ground"];
      pen.lineWidth = hollow ? 1.6 * scale : 1;
      pen.stroke();
    }
    pen.lineWidth = 1;
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
  return { draw, dress, unmount: undo.run };
}
