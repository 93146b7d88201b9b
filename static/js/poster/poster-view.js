import { svg } from "../shared/dom/elements.js";
import { numberText } from "../shared/format.js";
import { counted } from "../shared/plural.js";
import { frameOf } from "../run/curve-frame.js";
import { ticksOf, stepTicks } from "../run/scale.js";
import {
  CURVE,
  NOTES,
  PAPER,
  columnWidth,
  countsText,
  listingOf,
  placeOf,
  printedInstead,
  signatureOf,
} from "./poster.js";
/** @typedef {import("../exercise/tasks.js").Task} Task */
/** @typedef {import("../progress/progress.js").Progress} Progress */
/** @typedef {import("../run/run.js").Run} Run */
/** @typedef {{progress: Progress, tasks: Task[], run: Run|null, day: string}} Told */

// A file has no style sheet beside it: colours and letters stand in the picture itself.
const INK = "#1b1a17";
const MUTED = "#5f5b53";
const RULE = "#d8d4ca";
const WRONG = "#b3261e";
const LINE = "#5b3fc0";
const { width: WIDTH, height: HEIGHT, margin: MARGIN } = PAPER;
/** Dots of a PNG for each unit: 300 to an inch of A4. */
const DOTS = 3;

/** @param {Told} told @returns {SVGElement} the sheet as a picture that stands alone */
export function posterPicture({ progress, tasks, run, day }) {
  const style = getComputedStyle(document.documentElement);
  const [mono, sans] = ["--mono", "--sans"].map((name) => style.getPropertyValue(name).trim());
  const listing = listingOf(progress, tasks, printedInstead(tasks, run));
  const { heading, names } = signatureOf(run);
  return svg(
    "svg",
    {
      viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
      xmlns: "http://www.w3.org/2000/svg",
      "font-family": sans,
      role: "img",
      "aria-label": [progress.title, countsText(progress, tasks), heading, names.join(", ")].filter(Boolean).join(". "),
    },
    svg("rect", { width: WIDTH, height: HEIGHT, fill: "#ffffff" }),
    ...headParts(progress.title, countsText(progress, tasks)),
    svg("g", { "font-family": mono, "font-size": listing.size }, ...listingParts(listing, sans)),
    ...curveParts(run),
    text(MARGIN, 1030, heading, { fill: MUTED, "font-size": 14 }),
    ...names.map((name, i) =>
      text(MARGIN + (i % 5) * 146, 1064 + Math.floor(i / 5) * 34, name, {
        "font-family": mono,
        "font-size": fitted(name),
      }),
    ),
    svg("path", { d: `M${MARGIN} 1128H${WIDTH - MARGIN}`, stroke: RULE }),
    text(MARGIN, 1150, "gradwalk", { "font-size": 13, "font-weight": 700 }),
    text(WIDTH - MARGIN, 1150, day, { fill: MUTED, "font-size": 12, "text-anchor": "end" }),
  );
}

/** @param {string} name @returns {number} a size at which a fifth of the sheet has room for it */
const fitted = (name) => Math.min(20, Math.floor(138 / (0.61 * name.length)));

/** @param {string} title @param {string} counts */
function headParts(title, counts) {
  return [
    text(MARGIN, 84, title, { "font-size": title.length > 38 ? 24 : 32, "font-weight": 700 }),
    text(MARGIN, 106, "The backward pass, written line by line", { "font-size": 15 }),
    text(MARGIN, 127, counts, { fill: MUTED, "font-size": 13 }),
    svg("path", { d: `M${MARGIN} 142H${WIDTH - MARGIN}`, stroke: INK, "stroke-width": 1.5 }),
  ];
}

/** @param {ReturnType<typeof listingOf>} listing @param {string} sans */
function listingParts(listing, sans) {
  const { rows, size, columns, left } = listing;
  const note = columnWidth(columns) * (1 - NOTES);
  const parts = rows.flatMap((row, i) => {
    const { left, top } = placeOf(listing, i);
    const look = /** @type {Record<string, string>} */ (
      row.wrong ? { fill: WRONG, "text-decoration": "line-through" } : {}
    );
    const notes = { fill: MUTED, "font-family": sans, "font-size": size * 0.85 };
    return [text(left, top, row.text, look), ...(row.note ? [text(left + note + 8, top, row.note, notes)] : [])];
  });
  const place = placeOf(listing, rows.length);
  return left ? [...parts, text(place.left, place.top, `… and ${counted(left, "line")} more`, { fill: MUTED })] : parts;
}

/** @param {Run|null} run */
function curveParts(run) {
  const box = { left: MARGIN + 34, right: WIDTH - MARGIN, top: CURVE.top, bottom: CURVE.bottom };
  const frame = run && frameOf(box, [run]);
  if (!run || !frame) return [];
  const { x, y, axis, end } = frame;
  const small = { fill: MUTED, "font-size": 11 };
  const smoothed = run.series.points.map(
    ({ step, smoothed }, i) => `${i ? "L" : "M"}${at(x(step))} ${at(y(smoothed))}`,
  );
  // of many steps in one place the largest and the least loss, as Train draws them
  const raw = [...run.series.even()].map(
    ({ step, high, low }, i) => `${i ? "L" : "M"}${at(x(step))} ${at(y(high))}V${at(Math.min(box.bottom, y(low)))}`,
  );
  return [
    ...ticksOf(axis).flatMap((loss) => [
      svg("path", { d: `M${box.left} ${at(y(loss))}H${box.right}`, stroke: RULE }),
      text(box.left - 8, y(loss) + 4, numberText(loss, 3), { ...small, "text-anchor": "end" }),
    ]),
    ...stepTicks(end).map((step) =>
      text(x(step), box.bottom + 16, step.toLocaleString("en"), {
        ...small,
        "text-anchor": !step ? "start" : x(step) > box.right - 20 ? "end" : "middle",
      }),
    ),
    svg("path", { d: raw.join(""), fill: "none", stroke: LINE, "stroke-opacity": 0.25 }),
    svg("path", { d: smoothed.join(""), fill: "none", stroke: LINE, "stroke-width": 2.2, "stroke-linejoin": "round" }),
    text(box.right, box.top + 4, "loss along the steps", { ...small, "text-anchor": "end" }),
  ];
}

/** @param {number} value */
const at = (value) => value.toFixed(1);

/** @param {number} x @param {number} y @param {string} words @param {Record<string, string|number>} look */
function text(x, y, words, look) {
  const element = svg("text", { x: at(x), y: at(y), fill: INK, "xml:space": "preserve", ...look });
  element.textContent = words;
  return element;
}

/** @param {Element} picture @returns {Promise<Blob>} as PNG */
export async function pngOf(picture) {
  const whole = /** @type {Element} */ (picture.cloneNode(true));
  whole.setAttribute("width", String(WIDTH));
  whole.setAttribute("height", String(HEIGHT));
  const file = new Blob([new XMLSerializer().serializeToString(whole)], { type: "image/svg+xml" });
  const image = new Image();
  image.src = URL.createObjectURL(file);
  await image.decode();
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [WIDTH * DOTS, HEIGHT * DOTS];
  canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
  URL.revokeObjectURL(image.src);
  return new Promise((done, failed) =>
    canvas.toBlob((blob) => (blob ? done(blob) : failed(new Error("no picture"))), "image/png"),
  );
}
