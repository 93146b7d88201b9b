import { numberText } from "../shared/format.js";
import { chanceText, closedText, upText } from "./tug-of-war.js";
import { el, svg } from "../shared/dom/elements.js";
/** @typedef {import("./tug-of-war.js").Rope} Rope */
/** @typedef {import("./board.js").Names} Names */
/** @typedef {import("./board.js").Measure} Measure */

/** @param {Rope} rope @param {Names} names @param {Measure} measure @param {number} strongest @returns {Node[]} */
export function drawRope(rope, names, measure, strongest) {
  const letter = `${names.labelled ? "" : "class "}${names.cols[rope.target]}`;
  return [
    el("h2", {}, `example ${rope.row}`, el("code", {}, names.labelled ? names.rows[rope.row] : `→ ${letter}`)),
    ropePicture(rope, names, measure, strongest),
    el(
      "div",
      { class: "rope-words" },
      el("p", { class: "sum" }, `${numberText(rope.up, 3)} up = ${numberText(rope.down, 3)} down`),
      ...(rope.balanced ? [] : [el("p", {}, `Left over: ${numberText(rope.rest, 2)}.`)]),
      el("p", { class: "had" }, el("strong", {}, letter), ` ${chanceText(rope)}`),
      el("p", { class: "why-up" }, upText(rope)),
      el("p", { class: "closed" }, `(softmax − one-hot) / ${rope.rows}: ${closedText(rope, names.cols)}`),
    ),
  ];
}

const HALF = 100;
const WIDE = 44;
/** A column that a letter has room on. */
const LETTER = 18;
/** The column, and the words beside it. */
const ACROSS = 164;

/**
 * One column pulled up, and below the line one of the same length made of all the pushes; the strongest of all rows
 * fills the picture.
 * @param {Rope} rope @param {Names} names @param {Measure} measure @param {number} strongest @returns {SVGElement}
 */
function ropePicture(rope, names, measure, strongest) {
  const tall = (/** @type {number} */ value) => (Math.max(0, value) / (strongest || 1)) * HALF;
  const [up, down] = [rope.up, rope.down].map((pull) => numberText(pull, 3));
  const words = `${names.cols[rope.target]} pulled up by ${up}, the others pushed down by ${down} in all`;
  const picture = svg("svg", {
    viewBox: `0 0 ${ACROSS} ${2 * HALF + 8}`,
    preserveAspectRatio: "xMinYMin",
    role: "img",
    "aria-label": words,
  });
  picture.append(
    svg("rect", { class: "up", x: 0, y: HALF - tall(rope.up), width: WIDE, height: tall(rope.up) }),
    letterOn(tall(rope.up), names.cols[rope.target]),
    text(
      WIDE + 8,
      Math.min(HALF - 4, HALF - tall(rope.up) + (measure.pitch > 20 ? 16 : 9)),
      `pulled up ${numberText(rope.up, 3)}`,
      "",
      "start",
    ),
    ...pushes(rope, names, tall, measure),
    svg("path", { class: "knot", d: `M-4 ${HALF}H${WIDE + 4}` }),
  );
  return picture;
}

/** @param {number} tall @param {string} letter @returns {SVGElement} on its column, or above one that is too short */
function letterOn(tall, letter) {
  const fits = tall >= LETTER;
  const y = fits ? HALF - tall / 2 + 5 : HALF - tall - 5;
  return text(WIDE / 2, y, letter, fits ? "on-bar big" : "big", "middle");
}

/**
 * @param {Rope} rope @param {Names} names @param {(value: number) => number} tall @param {Measure} measure
 * @returns {SVGElement[]} a stripe per letter, the strongest named
 */
function pushes(rope, names, tall, { named, pitch }) {
  const parts = [];
  let [y, last] = [HALF + 1, -Infinity];
  for (const [i, { column, value }] of rope.pushes.entries()) {
    const height = tall(value);
    parts.push(svg("rect", { class: "down", x: 0, y, width: WIDE, height: Math.max(0.4, height - 0.8) }));
    if (i < named) {
      // names lie apart, and above the last line
      const lowest = 2 * HALF - 6 - pitch * (named - 1 - i);
      const line = Math.min(lowest, Math.max(y + height / 2, HALF + pitch * (i + 0.8), last + pitch));
      last = line;
      parts.push(svg("path", { class: "lead-line", d: `M${WIDE + 1} ${y + height / 2}L${WIDE + 10} ${line}` }));
      parts.push(text(WIDE + 14, line + 4, `${names.cols[column]} ${numberText(value, 3)}`, "", "start"));
    }
    y += height;
  }
  const more = rope.pushes.length - named;
  if (more > 0) parts.push(text(WIDE + 14, 2 * HALF + 6, `+ ${more} more`, "", "start"));
  return parts;
}

/** @param {number} x @param {number} y @param {string} words @param {string} name @param {string} anchor */
function text(x, y, words, name, anchor) {
  return svg("text", { x, y, "text-anchor": anchor, ...(name ? { class: name } : {}) }, words);
}
