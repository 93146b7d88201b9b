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
      rope.replaceChildren(...drawRope(one, names, frame));
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

/** @param {Rope} rope @param {Names} names @param {Frame} frame @returns {Node[]} */
function drawRope(rope, names, frame) {
  const letter = names.cols[rope.target];
  const worst = rope.pushes[0];
  return [
    el("h3", {}, `example ${rope.row}`, el("code", {}, names.rows[rope.row])),
    ropePicture(rope, names),
    el("p", { class: "sum" }, `up ${numberText(rope.up, 3)} = down ${numberText(rope.down, 3)}`),
    el("p", {}, rope.balanced ? "The rope balances to zero: what one letter is pulled up by, the others are pushed down by." : `Left over: ${numberText(rope.rest, 2)}.`),
    el("p", {}, el("strong", {}, letter), ` had ${percentText(rope.probability)} and is pulled up by the rest: ${strengthWords(rope.strength)}. `,
      `Every wrong letter is pushed down by its own share, `, el("strong", {}, names.cols[worst.column]), ` (${percentText(worst.value * frame.node.shape[0])}) the most.`),
  ];
}

/** @param {Rope} rope @param {Names} names @returns {SVGElement} */
function ropePicture(rope, names) {
  const [width, half, bars] = [240, 92, 12];
  const shown = rope.pushes.slice(0, bars);
  const peak = Math.max(rope.up, shown[0]?.value ?? 0) || 1;
  const step = width / (bars + 1);
  const tall = (/** @type {number} */ value) => Math.max(1, (Math.max(0, value) / peak) * half);
  // the pushes are drawn larger than the one pull so that they can be told apart; both scales are said beside them
  const zoom = Math.max(1, Math.min(6, (peak / (shown[0]?.value || peak)) * 0.8));
  const picture = svg("svg", { viewBox: `0 0 ${width} 204`, role: "img", "aria-label": `${names.cols[rope.target]} pulled up by ${numberText(rope.up, 3)}, the others pushed down by the same in all` });
  picture.append(
    svg("rect", { class: "up", x: 0, y: half - tall(rope.up) + 4, width: step * 1.6, height: tall(rope.up) }),
    text(step * 0.8, half - tall(rope.up) + 16, names.cols[rope.target], "on-bar"),
    text(step * 1.6 + 6, half - 2, `pulled up −${numberText(rope.up, 3)}`, "", "start"),
    svg("path", { class: "knot", d: `M0 ${half + 4}H${width}` }),
  );
  shown.forEach((pull, i) => {
    const long = Math.min(half, tall(pull.value) * zoom);
    picture.append(svg("rect", { class: "down", x: i * step + 1, y: half + 5, width: step - 3, height: long }), text(i * step + step / 2 - 0.5, half + 5 + long + 11, names.cols[pull.column], ""));
  });
  const more = rope.pushes.length - shown.length;
  if (more > 0) picture.append(text(width, half + 22, `+ ${more}`, "", "end"));
  picture.append(text(width, half - 2, zoom > 1.05 ? `down ×${zoom.toFixed(1)}` : "", "", "end"));
  return picture;
}

/** @param {number} x @param {number} y @param {string} words @param {string} name @param {string} [anchor] */
function text(x, y, words, name, anchor = "middle") {
  return svg("text", { x, y, "text-anchor": anchor, ...(name ? { class: name } : {}) }, words);
}
