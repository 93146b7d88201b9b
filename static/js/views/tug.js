import { colourOf } from "../model/colour.js";
import { numberText, percentText } from "../model/format.js";
import { labelOf } from "../model/labels.js";
import { ropeOf, strengthWords } from "../model/tug.js";
import { cleanups, el, svg } from "./dom.js";
/** @typedef {import("../model/frame.js").Frame} Frame */
/** @typedef {import("../model/tug.js").Rope} Rope */
/** @typedef {import("../model/tensor.js").Tensor} Tensor */
/** @typedef {{rows: string[], cols: string[]}} Names */

const GUTTER = 68;
const HEAD = 15;
const ROW = 12;

/** dlogits as a tug-of-war: rows are examples, columns letters; pick a row and see its rope. @param {HTMLElement} root @param {(row: number) => void} pick */
export function mountTug(root, pick) {
  const undo = cleanups();
  const canvas = el("canvas", { "aria-hidden": "true" });
  const mark = el("div", { class: "tug-row" });
  const board = el("div", { class: "tug-board", tabindex: 0, role: "slider", "aria-valuemin": 0 }, canvas, mark);
  const rope = el("div", { class: "rope" });
  root.replaceChildren(el("div", { class: "tug" }, board, rope));
  let rows = 1;
  let row = 0;
  let height = ROW;
  undo.on(board, "click", (event) => pick(clampRow(Math.floor((event.clientY - canvas.getBoundingClientRect().top - HEAD) / height))));
  undo.on(board, "keydown", (event) => {
    const by = { ArrowDown: 1, ArrowUp: -1 }[/** @type {string} */ (event.key)];
    if (!by) return;
    event.preventDefault();
    event.stopPropagation();
    pick(clampRow(row + by));
  });
  /** @param {number} value */
  function clampRow(value) {
    return Math.max(0, Math.min(rows - 1, value));
  }
  return {
    /** @param {Frame} frame */
    update(frame) {
      const tensor = frame.walk.gradientAt(frame.node.name, frame.known).tensor;
      if (!tensor) return;
      const names = namesOf(frame, tensor);
      ({ rows } = tensor.grid);
      height = rows > 40 ? Math.max(3, 480 / rows) : ROW;
      row = clampRow(frame.state.cell?.[0] ?? 0);
      drawBoard(canvas, tensor, names, frame, height, Math.min(root.clientWidth - 8, root.clientWidth < 420 ? root.clientWidth : root.clientWidth * 0.62));
      mark.style.cssText = `top:${HEAD + row * height - 1.5}px;height:${height + 3}px`;
      const one = ropeOf(tensor, frame.node.targets ?? [], row);
      board.setAttribute("aria-label", "example: up and down pick another row");
      board.setAttribute("aria-valuemax", String(rows - 1));
      board.setAttribute("aria-valuenow", String(row));
      board.setAttribute("aria-valuetext", `${names.rows[row]}: ${strengthWords(one.strength)}`);
      rope.replaceChildren(...drawRope(one, names));
    },
    unmount() {
      undo.run();
      root.replaceChildren();
    },
  };
}

/** @param {Frame} frame @param {Tensor} tensor @returns {Names} */
function namesOf(frame, tensor) {
  const { labels } = frame.walk.document;
  const [rowDim, colDim] = frame.node.dims;
  return {
    rows: Array.from({ length: tensor.grid.rows }, (_, i) => labelOf(labels, rowDim, i) ?? String(i)),
    cols: Array.from({ length: tensor.grid.cols }, (_, i) => labelOf(labels, colDim, i) ?? String(i)),
  };
}

/** @param {HTMLCanvasElement} canvas @param {Tensor} tensor @param {Names} names @param {Frame} frame @param {number} height @param {number} room */
function drawBoard(canvas, tensor, names, frame, height, room) {
  const { rows, cols } = tensor.grid;
  const ratio = Math.min(3, devicePixelRatio || 1);
  const width = Math.max(4, Math.min(18, (room - GUTTER) / cols));
  const style = getComputedStyle(document.documentElement);
  const [ink, muted] = [style.getPropertyValue("--ink"), style.getPropertyValue("--muted")];
  canvas.style.cssText = `width:${GUTTER + cols * width}px;height:${HEAD + rows * height}px`;
  canvas.width = (GUTTER + cols * width) * ratio;
  canvas.height = (HEAD + rows * height) * ratio;
  const pen = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  pen.scale(ratio, ratio);
  pen.font = "10px monospace";
  pen.textBaseline = "middle";
  pen.textAlign = "center";
  pen.fillStyle = muted;
  if (width >= 7) names.cols.forEach((name, col) => pen.fillText(name, GUTTER + (col + 0.5) * width, HEAD / 2));
  pen.textAlign = "right";
  for (let row = 0; row < rows; row += 1) {
    const target = frame.node.targets?.[row] ?? -1;
    pen.fillStyle = muted;
    if (height >= 9) pen.fillText(names.rows[row], GUTTER - 8, HEAD + (row + 0.5) * height);
    for (let col = 0; col < cols; col += 1) {
      pen.fillStyle = `rgb(${colourOf(tensor.data[row * cols + col], tensor.stats.maxAbs, frame.state.theme).join(",")})`;
      pen.fillRect(GUTTER + col * width, HEAD + row * height, width - 1, height - 1);
      if (col !== target) continue;
      pen.strokeStyle = ink;
      pen.strokeRect(GUTTER + col * width, HEAD + row * height, width - 1, height - 1);
    }
  }
}

/** @param {Rope} rope @param {Names} names @returns {Node[]} */
function drawRope(rope, names) {
  const letter = names.cols[rope.target];
  return [
    el("h3", {}, `example ${rope.row}`, el("code", {}, names.rows[rope.row])),
    ropePicture(rope, names),
    el("p", { class: "sum" }, `${numberText(rope.up, 3)} up = ${numberText(rope.down, 3)} down`),
    el("p", {}, rope.balanced ? "The rope balances to zero." : `Left over: ${numberText(rope.rest, 2)}.`),
    el("p", {}, el("strong", {}, letter), ` had ${percentText(rope.probability)}. It is ${strengthWords(rope.strength)}.`),
  ];
}

const HALF = 100;
const WIDE = 44;
const NAMED = 5;
const PITCH = 15;

/** One column pulled up, and below the line one of the same length made of all the pushes. @param {Rope} rope @param {Names} names @returns {SVGElement} */
function ropePicture(rope, names) {
  const length = Math.max(rope.up, rope.down) || 1;
  const tall = (/** @type {number} */ value) => (Math.max(0, value) / length) * HALF;
  const words = `${names.cols[rope.target]} pulled up by ${numberText(rope.up, 3)}, the others pushed down by ${numberText(rope.down, 3)} in all`;
  const picture = svg("svg", { viewBox: `0 0 200 ${2 * HALF + 8}`, role: "img", "aria-label": words });
  picture.append(
    svg("rect", { class: "up", x: 0, y: HALF - tall(rope.up), width: WIDE, height: tall(rope.up) }),
    text(WIDE / 2, HALF - tall(rope.up) / 2 + 5, names.cols[rope.target], "on-bar big", "middle"),
    text(WIDE + 8, HALF - tall(rope.up) + 9, `pulled up ${numberText(rope.up, 3)}`, "", "start"),
    ...pushes(rope, names, tall),
    svg("path", { class: "knot", d: `M-4 ${HALF}H${WIDE + 4}` }),
  );
  return picture;
}

/** @param {Rope} rope @param {Names} names @param {(value: number) => number} tall @returns {SVGElement[]} a stripe per letter, the strongest named */
function pushes(rope, names, tall) {
  const parts = [];
  let y = HALF + 1;
  for (const [i, { column, value }] of rope.pushes.entries()) {
    const height = tall(value);
    parts.push(svg("rect", { class: "down", x: 0, y, width: WIDE, height: Math.max(0.4, height - 0.8) }));
    const line = Math.max(y + height / 2, HALF + 12 + i * PITCH);
    if (i < NAMED) {
      parts.push(svg("path", { class: "lead-line", d: `M${WIDE + 1} ${y + height / 2}L${WIDE + 10} ${line}` }));
      parts.push(text(WIDE + 14, line + 4, `${names.cols[column]} ${numberText(value, 3)}`, "", "start"));
    }
    y += height;
  }
  const more = rope.pushes.length - NAMED;
  if (more > 0) parts.push(text(WIDE + 14, 2 * HALF + 6, `+ ${more} more`, "", "start"));
  return parts;
}

/** @param {number} x @param {number} y @param {string} words @param {string} name @param {string} anchor */
function text(x, y, words, name, anchor) {
  return svg("text", { x, y, "text-anchor": anchor, ...(name ? { class: name } : {}) }, words);
}
