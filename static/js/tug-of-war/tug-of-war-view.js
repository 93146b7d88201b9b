import { colourOf } from "../shared/colour-scale.js";
import { numberText } from "../shared/format.js";
import { focusRow, labelOf } from "../shared/axis-labels.js";
import { drawnOf } from "../walk/live.js";
import { peakOf } from "../walk/picture-peak.js";
import { chanceText, clickMeans, closedText, ropeOf, strongestPull, upText } from "./tug-of-war.js";
import { rootScale } from "../shared/dom/root-scale.js";
import { cleanups, el, svg } from "../shared/dom/elements.js";
/** @typedef {import("../walk/frame.js").Frame} Frame */
/** @typedef {import("./tug-of-war.js").Rope} Rope */
/** @typedef {import("../shared/tensor.js").Tensor} Tensor */
/** @typedef {{rows: string[], cols: string[], labelled: boolean}} Names without labels the places' numbers */
/** @typedef {{gutter: number, head: number, type: number, row: number, named: number, pitch: number}} Measure */

/** Room for the labels, and one row's height; on a projector only the row that is chosen is named, beside the board. */
const DESK = { gutter: 68, head: 15, type: 10, row: 12, named: 5, pitch: 15 };
/** What the board leaves of a window for charts and words, more where they have less width; what it needs itself. */
const REST = 586;
const NARROW_REST = 700;
const LEAST = 194;
const LABEL = 9;
const HALL = { gutter: 0, head: 28, type: 21, row: 9.3, named: 3, pitch: 26 };
/** The width of a cell that has room for its letter. */
const WIDTH = { desk: 18, hall: 21 };
/** Beside an open number there is no hint below the board. */
const UNHINTED = 38;
const HINT = "Point at a row; click to keep it, again to open a number.";

/**
 * @typedef {{row: (row: number) => void, maps: import("../lens/pickable-cells-view.js").Acts,
 *   outline: typeof import("../lens/highlights-view.js").drawAnswer}} Acts
 */

/**
 * dlogits as a tug-of-war: rows are examples, columns letters. Pointing at a row shows its rope, a click keeps it, and
 * a second click inside it opens a cell.
 * @param {HTMLElement} root @param {import("../equation/equation-view.js").Space} space @param {Acts} acts
 */
export function mountTugOfWar(root, { width, height }, acts) {
  const undo = cleanups();
  const canvas = el("canvas", { "aria-hidden": "true" });
  const mark = el("div", { class: "tug-row" });
  const glance = el("div", { class: "tug-row glance", hidden: true });
  const spot = el("div", { class: "cell-mark", hidden: true });
  const cells = el("div", { class: "tug-cells" });
  const board = el(
    "div",
    { class: "tug-board", tabindex: 0, role: "slider", "aria-valuemin": 0, "data-map": "tug" },
    canvas,
    glance,
    mark,
    spot,
    cells,
  );
  const rope = el("div", { class: "rope" });
  const hint = el("p", { class: "tug-hint" }, HINT);
  root.replaceChildren(el("div", { class: "tug" }, el("div", { class: "tug-side" }, board, hint), rope));
  let row = 0;
  /** @type {number|null} the row that the pointer is over, while it is another one */
  let over = null;
  let measure = DESK;
  /** @type {{frame: Frame, tensor: Tensor, cell: number, strongest: number}|null} the width of a cell besides */
  let shown = null;
  /** @type {import("../lens/pickable-cells-view.js").Map|null} its cells, to be pointed at */
  let map = null;

  /** @param {number} down @param {number} right from the cell that is looked into, or from the row */
  function move(down, right) {
    if (!shown) return;
    const { rows, cols } = shown.tensor.grid;
    const next = Math.max(0, Math.min(rows - 1, row + down));
    const { pick, state } = shown.frame;
    if (pick) acts.maps.pick(subject(), [next, Math.max(0, Math.min(cols - 1, (state.cell?.[1] ?? 0) + right))]);
    else acts.row(next);
  }
  /** @returns {import("../walk/pick.js").Subject} */
  function subject() {
    return { tensor: shown?.frame.node.name ?? "", of: "gradient" };
  }
  /** @param {MouseEvent} event @returns {{at: number, col: number, onCell: boolean}} */
  function under(event) {
    const box = canvas.getBoundingClientRect();
    const { rows, cols } = shown?.tensor.grid ?? { rows: 1, cols: 1 };
    const at = Math.max(0, Math.min(rows - 1, Math.floor((event.clientY - box.top - measure.head) / measure.row)));
    const col = Math.floor((event.clientX - box.left - measure.gutter) / (shown?.cell ?? 1));
    return { at, col, onCell: col >= 0 && col < cols };
  }
  /** @param {number|null} at shows the rope of this row, or of the one that was chosen */
  function glanceAt(at) {
    if (!shown || at === over) return;
    over = at;
    glance.hidden = over === null || over === row;
    if (over !== null) glance.style.cssText = barOver(over);
    draw();
  }
  undo.on(board, "click", (event) => {
    if (!shown) return;
    const { at, col, onCell } = under(event);
    const { pick, state } = shown.frame;
    if (event.pointerType === "touch") pointAt(at, col, onCell, event);
    if (clickMeans(state.cell?.[0] ?? null, at, onCell, pick !== null) === "cell") acts.maps.pick(subject(), [at, col]);
    else acts.row(at);
  });
  undo.on(board, "pointermove", (event) => {
    if (event.pointerType === "touch") return;
    const { at, col, onCell } = under(event);
    glanceAt(at);
    pointAt(at, col, onCell, event);
  });
  undo.on(board, "pointerleave", (event) => {
    if (event.pointerType === "touch") return;
    glanceAt(null);
    acts.maps.pointing.clear();
  });
  /** @param {number} at @param {number} col @param {boolean} onCell @param {MouseEvent} event */
  function pointAt(at, col, onCell, { clientX: x, clientY: y }) {
    if (map && onCell) acts.maps.pointing.point(map, [at, col], { x, y });
    else acts.maps.pointing.clear();
  }
  undo.on(board, "keydown", (event) => {
    const open = shown?.frame.pick;
    const moves = /** @type {Record<string, [number, number]>} */ ({
      ArrowDown: [1, 0],
      ArrowUp: [-1, 0],
      ...(open ? { ArrowLeft: [0, -1], ArrowRight: [0, 1] } : {}),
    });
    if (!shown || (event.key !== "Enter" && !moves[event.key])) return;
    event.preventDefault();
    event.stopPropagation();
    glanceAt(null);
    if (event.key !== "Enter") return move(...moves[event.key]);
    if (!open) acts.maps.pick(subject(), [row, shown.frame.state.cell?.[1] ?? shown.frame.node.targets?.[row] ?? 0]);
    acts.maps.enter(subject(), shown.tensor);
  });

  /** @param {number} at @returns {string} where the frame around a row stands */
  function barOver(at) {
    const [left, top] = [measure.row < LABEL ? measure.gutter - 3 : 0, measure.head + at * measure.row - 1.5];
    return `left:${left}px;top:${top}px;height:${measure.row + 3}px`;
  }
  function draw() {
    if (!shown) return;
    const { frame, tensor } = shown;
    const names = namesOf(frame, tensor);
    const one = ropeOf(tensor, frame.node.targets ?? [], over ?? row);
    const closed = `(softmax − one-hot) / ${one.rows}: ${closedText(one, names.cols)}`;
    hint.textContent = over === null && !frame.state.cell ? HINT : closed;
    rope.replaceChildren(...drawRope(one, names, measure, shown.strongest));
  }

  return {
    /** @param {import("../lens/pickable-cells-view.js").Pointed|null} pointed */
    answer(pointed) {
      if (map) acts.outline(map, pointed);
    },
    /** @param {Frame} frame */
    point(frame) {
      if (frame !== shown?.frame) this.update(frame);
    },
    /** @param {Frame} frame */
    update(frame) {
      const tensor = frame.walk.gradientAt(frame.node.name, frame.known).tensor;
      if (!tensor) return;
      const names = namesOf(frame, tensor);
      const { rows } = tensor.grid;
      measure = frame.state.projector ? scaled(HALL, rootScale()) : DESK;
      if (rows < 16) measure = { ...measure, row: Math.min(28, 240 / rows) };
      if (rows > 40) measure = { ...measure, row: Math.max(3, 480 / rows) };
      if (!frame.state.projector) {
        const left = innerHeight - (innerWidth > 1080 ? REST : NARROW_REST);
        measure = {
          ...measure,
          row: Math.min(measure.row, Math.max(3, (Math.max(LEAST, left) - measure.head) / rows)),
        };
      }
      // beside an open number it takes the room of a picture
      if (frame.pick)
        measure = {
          ...measure,
          row: Math.min(measure.row, Math.max(2, (height() + UNHINTED - measure.head - 8) / rows)),
        };
      row = Math.max(0, Math.min(rows - 1, frame.state.cell?.[0] ?? focusOf(frame, tensor)));
      const cell = drawBoard(
        canvas,
        tensor,
        names,
        frame,
        measure,
        Math.min(width() - 8, width() < 420 ? width() : width() * 0.62),
      );
      mark.style.cssText = barOver(row);
      glance.hidden = over === null || over === row;
      if (over !== null) glance.style.cssText = barOver(over);
      shown = { frame, tensor, cell, strongest: strongestPull(tensor, frame.node.targets ?? []) };
      const size = { width: cell * tensor.grid.cols, height: measure.row * rows };
      cells.style.cssText = `left:${measure.gutter}px;top:${measure.head}px`;
      map = { element: cells, tensor, subject: subject(), stretch: null, ...size };
      const col = frame.pick?.tensor === frame.node.name ? frame.pick.index[1] : null;
      spot.hidden = col === null;
      const [left, top] = [measure.gutter + (col ?? 0) * cell, measure.head + row * measure.row];
      spot.style.cssText = `left:${left}px;top:${top}px;width:${cell - 1}px;height:${measure.row - 1}px`;
      const one = ropeOf(tensor, frame.node.targets ?? [], row);
      board.setAttribute("aria-label", "example: up and down choose another row, Enter opens its number");
      board.setAttribute("aria-valuemax", String(rows - 1));
      board.setAttribute("aria-valuenow", String(row));
      board.setAttribute("aria-valuetext", `${names.rows[row]}: ${names.cols[one.target]} ${chanceText(one)}`);
      draw();
    },
    unmount() {
      undo.run();
      root.replaceChildren();
    },
  };
}

/** @param {Measure} measure @param {number} by @returns {Measure} for a window so much larger */
function scaled({ head, type, row, ...rest }, by) {
  return { ...rest, head: head * by, type: type * by, row: row * by };
}

/** @param {Frame} frame @param {Tensor} tensor @returns {number} the row where one begins */
function focusOf({ walk, node }, tensor) {
  return focusRow(walk.document.in_focus, node.dims, tensor) ?? 0;
}

/** @param {Frame} frame @param {Tensor} tensor @returns {Names} */
function namesOf(frame, tensor) {
  const { labels } = frame.walk.document;
  const [rowDim, colDim] = frame.node.dims;
  return {
    rows: Array.from({ length: tensor.grid.rows }, (_, i) => labelOf(labels, rowDim, i) ?? String(i)),
    cols: Array.from({ length: tensor.grid.cols }, (_, i) => labelOf(labels, colDim, i) ?? String(i)),
    labelled: labelOf(labels, colDim, 0) !== null,
  };
}

/**
 * @param {HTMLCanvasElement} canvas @param {Tensor} tensor @param {Names} names @param {Frame} frame
 * @param {Measure} measure @param {number} room @returns {number} the width of a cell
 */
function drawBoard(canvas, tensor, names, frame, { gutter, head, type, row: height }, room) {
  const { rows, cols } = tensor.grid;
  const ratio = Math.min(3, devicePixelRatio || 1);
  const width = Math.max(
    4,
    Math.min(Math.max(gutter ? WIDTH.desk : WIDTH.hall * rootScale(), height * 1.4), (room - gutter) / cols),
  );
  const style = getComputedStyle(document.documentElement);
  const [ink, muted] = [style.getPropertyValue("--ink"), style.getPropertyValue("--muted")];
  canvas.style.cssText = `width:${gutter + cols * width}px;height:${head + rows * height}px`;
  canvas.width = (gutter + cols * width) * ratio;
  canvas.height = (head + rows * height) * ratio;
  const pen = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  pen.scale(ratio, ratio);
  pen.font = `${type}px monospace`;
  pen.textBaseline = "middle";
  pen.textAlign = "center";
  pen.fillStyle = muted;
  if (width >= 7 && Math.max(...names.cols.map((name) => name.length)) * type * 0.6 < width + 4)
    names.cols.forEach((name, col) => pen.fillText(name, gutter + (col + 0.5) * width, head / 2));
  pen.textAlign = "right";
  const every = Math.ceil(LABEL / height);
  const focus = focusOf(frame, tensor);
  const drawn = drawnOf(frame, tensor);
  const peak = peakOf(frame.walk, { tensor: frame.node.name, of: "gradient" }, drawn, frame.state.enlarged);
  for (let row = 0; row < rows; row += 1) {
    const target = frame.node.targets?.[row] ?? -1;
    pen.fillStyle = muted;
    if (gutter && row % every === focus % every) pen.fillText(names.rows[row], gutter - 8, head + (row + 0.5) * height);
    for (let col = 0; col < cols; col += 1) {
      pen.fillStyle = `rgb(${colourOf(drawn.data[row * cols + col], peak, frame.state.theme).join(",")})`;
      pen.fillRect(gutter + col * width, head + row * height, width - 1, height - 1);
      if (col !== target) continue;
      pen.strokeStyle = ink;
      pen.strokeRect(gutter + col * width, head + row * height, width - 1, height - 1);
    }
  }
  return width;
}

/** @param {Rope} rope @param {Names} names @param {Measure} measure @param {number} strongest @returns {Node[]} */
function drawRope(rope, names, measure, strongest) {
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
  let y = HALF + 1;
  for (const [i, { column, value }] of rope.pushes.entries()) {
    const height = tall(value);
    parts.push(svg("rect", { class: "down", x: 0, y, width: WIDE, height: Math.max(0.4, height - 0.8) }));
    const line = Math.max(y + height / 2, HALF + pitch * (i + 0.8));
    if (i < named) {
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
