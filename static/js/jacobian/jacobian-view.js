import { blockNames, blocksWords, cellBeside, heldIndex, partialText, partialWords, questionOf, sideNames, sideTitle } from "./jacobian.js";
import { numberText } from "../shared/format.js";
import { labelOf, ticks } from "../shared/axis-labels.js";
import { fitJacobian } from "./jacobian-layout.js";
import { Tensor } from "../shared/tensor.js";
import { LOW } from "../evidence/chart-view.js";
import { cleanups, el, icon } from "../shared/dom/elements.js";
import { drawHeatmap } from "../shared/heatmap-view.js";
import { prose } from "../shared/prose-view.js";
/** @typedef {import("../walk/frame.js").Frame} Frame */
/** @typedef {import("./jacobian.js").Jacobian} Jacobian */
/** @typedef {import("./jacobian.js").TooLarge} TooLarge */
/** @typedef {import("./jacobian-layout.js").Fit} Fit */
/** @typedef {import("../walk/types.js").Wire} Wire */
/** @typedef {{cell: (cell: number[]) => void, view: (view: string|null) => void, jacobians: ReturnType<typeof import("./jacobian-loader.js").makeJacobianLoader>}} Acts */
/** @typedef {{answer: Jacobian, matrix: Tensor, arriving: Tensor, result: Tensor}} Drawn */

const LONGEST = 8;
const DESK = { sign: 34, thin: 14, high: 128, tick: 11, slot: 64, glyph: 7.4, cell: /** @type {[number, number]} */ ([58, 24]) };
/** Beside a number that is open it makes itself small: what its labels need, and the least that is left. */
const AROUND = 94;
/** In a low window, where the charts are to stay in sight. */
const SHORT = 72;
const LEAST = 34;
const HALL = { sign: 72, thin: 26, high: 220, tick: 0, slot: 150, glyph: 17.5, cell: /** @type {[number, number]} */ ([110, 44]) };

/** The step as a product: arriving gradient · local Jacobian = what this path brings. @param {HTMLElement} root @param {{width: () => number, height: () => number}} room @param {Acts} acts */
export function mountJacobian(root, room, acts) {
  const undo = cleanups();
  const { jacobians } = acts;
  const said = el("div", { class: "jacobian-said" });
  const product = el("div", { class: "product" });
  const readout = el("p", { class: "jacobian-readout" });
  root.replaceChildren(el("div", { class: "jacobian" }, said, product, readout));
  /** @type {Frame|null} */
  let frame = null;
  /** @type {string|null} */
  let wanted = null;
  /** @type {{row: number, col: number}} */
  let cursor = { row: 0, col: 0 };

  /** @param {Frame} next */
  function update(next) {
    const question = questionOf(next);
    const answer = jacobians.known(question);
    const key = JSON.stringify(question);
    frame = next;
    if (answer) {
      jacobians.stop();
      wanted = key;
      return draw(next, answer);
    }
    if (wanted === key && jacobians.busy) return;
    wanted = key;
    root.firstElementChild?.setAttribute("aria-busy", "true");
    if (!product.childElementCount) product.replaceChildren(el("div", { class: "skeleton wide" }));
    jacobians.load(question, { arrived: (jacobian) => frame && draw(frame, jacobian), failed: refuse });
  }

  /** @param {import("../walk/types.js").Problem} problem */
  function refuse({ message, hint }) {
    wanted = null;
    note(message, hint ?? "", "ask again", () => frame && update(frame));
  }

  /** @param {Frame} next @param {string} words */
  function tooLarge(next, words) {
    note(words, "", "show the equation", () => acts.view(next.tug ? "equation" : null));
  }

  /** @param {string} message @param {string} hint @param {string} label @param {() => void} act what can be done instead */
  function note(message, hint, label, act) {
    root.firstElementChild?.setAttribute("aria-busy", "false");
    const button = el("button", { type: "button", class: "button" }, label);
    button.addEventListener("click", act);
    said.replaceChildren();
    readout.replaceChildren();
    product.className = "product";
    product.replaceChildren(el("div", { class: "product-note", role: "status" }, el("p", {}, ...prose(message)), hint ? el("p", { class: "hint-text" }, ...prose(hint)) : null, button));
  }

  /** @param {Frame} next @param {Jacobian|TooLarge} answer */
  function draw(next, answer) {
    if (answer.jacobian === null) return tooLarge(next, answer.words);
    root.firstElementChild?.setAttribute("aria-busy", "false");
    const focused = document.activeElement instanceof HTMLElement && root.contains(document.activeElement) ? document.activeElement.dataset.part : null;
    const drawn = { answer, matrix: flat(answer.jacobian), arriving: flat(answer.arriving), result: flat(answer.result) };
    const { rows, cols } = drawn.matrix.grid;
    cursor = { row: Math.min(cursor.row, rows - 1), col: Math.min(cursor.col, cols - 1) };
    said.replaceChildren(el("p", {}, ...prose(wordsOf(next, answer)), ...noteOf(answer, next.walk.node(answer.node).variable, next.node.gradient?.verdict.level === "zero")), stepper(next, answer, acts.cell));
    const map = drawProduct(product, next, drawn, { width: room.width() - 10, height: room.height() });
    listen(map, next, drawn);
    read(next, drawn, null);
    if (focused) /** @type {HTMLElement|null} */ (root.querySelector(`[data-part="${focused}"]`))?.focus({ preventScroll: true });
  }

  /** @param {HTMLElement} map @param {Frame} at @param {Drawn} drawn */
  function listen(map, at, drawn) {
    const { rows, cols } = drawn.matrix.grid;
    /** @param {PointerEvent} event */
    const under = (event) => {
      const box = map.getBoundingClientRect();
      const place = (/** @type {number} */ part, /** @type {number} */ count) => Math.max(0, Math.min(count - 1, Math.floor(part * count)));
      return { row: place((event.clientY - box.top) / box.height, rows), col: place((event.clientX - box.left) / box.width, cols) };
    };
    map.addEventListener("pointermove", (event) => read(at, drawn, under(event)));
    map.addEventListener("pointerdown", (event) => read(at, drawn, (cursor = under(event))));
    map.addEventListener("pointerleave", () => read(at, drawn, document.activeElement === map ? cursor : null));
    map.addEventListener("focus", () => read(at, drawn, cursor));
    map.addEventListener("blur", () => read(at, drawn, null));
    map.addEventListener("keydown", (event) => {
      const move = MOVES[event.key];
      if (!move || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      event.stopPropagation();
      cursor = { row: Math.max(0, Math.min(rows - 1, cursor.row + move[0])), col: Math.max(0, Math.min(cols - 1, cursor.col + move[1])) };
      read(at, drawn, cursor);
    });
  }

  /** @param {Frame} at @param {Drawn} drawn @param {{row: number, col: number}|null} cell the cell that is read, marked in all three */
  function read(at, drawn, cell) {
    const { rows, cols } = drawn.matrix.grid;
    for (const mark of product.querySelectorAll(".product-mark")) {
      if (!(mark instanceof HTMLElement)) continue;
      mark.hidden = cell === null;
      if (cell) mark.style.cssText = placed(mark.dataset.mark ?? "", cell, rows, cols);
    }
    readout.replaceChildren(...(cell ? readWords(at, drawn, cell) : [axesWords(at, drawn)]));
    product.querySelector(".product-map")?.setAttribute("aria-label", cell ? readout.textContent ?? "" : `Jacobian, ${rows} by ${cols}; arrow keys read a cell`);
  }

  undo.add(jacobians.stop);
  return {
    update,
    /** @param {Frame} next another cell is picked: its example is shown */
    point(next) {
      if (wanted !== null && JSON.stringify(questionOf(next)) !== wanted) update(next);
    },
    unmount() {
      undo.run();
      root.replaceChildren();
    },
  };
}

const MOVES = /** @type {Record<string, [number, number]>} */ ({ ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] });

/** @param {Wire} wire @returns {Tensor} vectors lie as one row */
function flat(wire) {
  return new Tensor(wire);
}

/** @param {string} part @param {{row: number, col: number}} cell @param {number} rows @param {number} cols */
function placed(part, { row, col }, rows, cols) {
  const along = (/** @type {number} */ at, /** @type {number} */ count) => `left:${(at / count) * 100}%;width:${100 / count}%`;
  if (part === "arriving") return `${along(row, rows)};top:0;height:100%`;
  if (part === "result") return `${along(col, cols)};top:0;height:100%`;
  return `${along(col, cols)};top:${(row / rows) * 100}%;height:${100 / rows}%`;
}

/** @param {Frame} frame @param {Drawn} drawn @param {{row: number, col: number}} cell @returns {(Node|string)[]} */
function readWords(frame, { answer, matrix, arriving }, { row, col }) {
  const { labels } = frame.walk.document;
  const variables = /** @type {[string, string]} */ ([answer.node, answer.input].map((name) => frame.walk.node(name).variable));
  const [local, upstream] = [matrix.data[row * matrix.grid.cols + col], arriving.data[row]];
  const words = partialWords(labels, answer, row, col);
  return [el("b", {}, `${partialText(answer, variables, row, col)} = ${numberText(local, 4)}`), words ? ` · ${words}` : "",
    ` · times ${numberText(upstream, 3)} adds ${numberText(local * upstream, 3)}`];
}

/** @param {Frame} frame @param {Drawn} drawn */
function axesWords(frame, { answer }) {
  const { rows, columns } = answer;
  const [above, below] = [answer.node, answer.input].map((node) => frame.walk.node(node).variable);
  const of = (/** @type {string} */ variable, /** @type {string} */ axes) => (axes ? `${axes} of ${variable}` : `${variable}, a single number`);
  return `Rows: ${of(above, sideTitle(rows))}. Columns: ${of(below, sideTitle(columns))}. Point at a cell to read it.`;
}

/** @param {Frame} frame @param {Jacobian} answer @returns {string} what it looks like; of a block, how many there are and what it is */
function wordsOf(frame, answer) {
  const [blocks, itself] = [blocksWords(frame, answer), answer.itself ? ` It is \`${answer.itself}\` itself.` : ""];
  return blocks ? `${blocks} In this one: ${/^[A-Z][a-z]/.test(answer.words) ? answer.words[0].toLowerCase() + answer.words.slice(1) : answer.words}${itself}` : answer.words + itself;
}

/** @param {Jacobian} answer @param {string} variable @param {boolean} zero whether the gradient's true value is zero @returns {(Node|string)[]} */
function noteOf({ across, at, agrees, shown }, variable, zero) {
  if (across) return [" ", el("span", { class: "across" }, `Other cells of ${variable} read this part, too: this is only what entry ${at.join(", ")} brings.`)];
  if (!agrees && zero) return [" ", el("span", {}, "The true value is zero: the line gives other roundings.")];
  if (!agrees) return [" ", el("strong", { class: "broken" }, "✕ The line of this step gives something else.")];
  return shown ? [" ", el("span", { class: "fits" }, "✓ equals the line’s result")] : [];
}

/** @param {Frame} frame @param {Jacobian} answer @param {(cell: number[]) => void} choose */
function stepper(frame, answer, choose) {
  if (!answer.along.length) return el("span");
  const { node, walk } = frame;
  const label = answer.along.length === 1 ? labelOf(walk.document.labels, node.dims[answer.along[0][1]], answer.at[0]) : null;
  const arrow = (/** @type {string} */ name, /** @type {string} */ words, /** @type {number} */ by) => {
    const button = el("button", { type: "button", class: "quiet", "aria-label": words, "data-part": name }, icon(name));
    button.addEventListener("click", () => choose(cellBeside(frame, answer, by)));
    return button;
  };
  return el("div", { class: "stepper", role: "group", "aria-label": "Which block" }, arrow("back", "the block before", -1),
    el("span", { "aria-live": "polite" }, blockNames(frame, answer).join(", "), label ? el("code", {}, label) : null), arrow("next", "the next block", 1));
}

/** @param {HTMLElement} root @param {Frame} frame @param {Drawn} drawn @param {{width: number, height: number}} room @returns {HTMLElement} the matrix, whose cells can be read */
function drawProduct(root, frame, drawn, { width, height }) {
  const { answer, matrix, arriving, result } = drawn;
  const { rows, cols } = matrix.grid;
  const { labels } = frame.walk.document;
  const look = frame.state.projector ? HALL : !frame.pick ? { ...DESK, high: LOW.matches ? SHORT : DESK.high } : { ...DESK, high: Math.max(LEAST, Math.min(DESK.high, height - AROUND)) };
  const [rowNames, colNames] = [sideNames(labels, answer.rows), sideNames(labels, answer.columns)];
  const gutter = look.tick && rows > 1 ? 8 + 6.2 * Math.min(9, Math.max(...rowNames.map((name) => name.length))) : 0;
  const [above, below] = [answer.node, answer.input].map((name) => frame.walk.node(name).variable);
  const [held, of] = [heldIndex(answer.rows), heldIndex(answer.columns)];
  const names = [`d${above}${held}`, Math.max(above.length, below.length) === above.length ? `∂${above}` : `∂${below}`, `d${below}${of}`];
  const slots = /** @type {[number, number, number]} */ (names.map((name, i) => Math.max(look.slot, name.length * look.glyph + 10 + (i === 1 ? gutter : 0))));
  const fit = fitJacobian(rows, cols, { ...look, width, gutter, slots });
  const map = sheet("matrix", matrix, { width: cols * fit.x, height: rows * fit.y }, frame, fit);
  map.className += " product-map";
  for (const [name, value] of Object.entries({ tabindex: "0", role: "group", "data-part": "map" })) map.setAttribute(name, value);
  const head = Math.max(look.tick ? 16 : 0, 0);
  root.className = `product${fit.stacked ? " stacked" : ""}`;
  root.style.setProperty("--tall", `${Math.round(Math.max(look.thin, fit.bar, rows * fit.y))}px`);
  root.style.setProperty("--head", `${head}px`);
  root.style.setProperty("--gutter", `${fit.stacked ? gutter : 0}px`);
  root.replaceChildren(
    part([names[0]], "arrives", arriving, sheet("arriving", arriving, { width: rows * fit.across, height: fit.bar }, frame, fit), [], slots[0] * fit.squeeze),
    sign("·"),
    part([`∂${above}`, `∂${below}`], "local Jacobian", matrix, map, [colTicks(colNames, cols * fit.x, look.tick), rowTicks(rowNames, rows * fit.y, look.tick, gutter)], slots[1] * fit.squeeze, gutter),
    sign("="),
    part([names[2]], answer.across ? "its own part" : "this path", result, sheet("result", result, { width: cols * fit.x, height: fit.bar }, frame, fit), [], slots[2] * fit.squeeze, 0, true));
  return map;
}

/** @param {string} text */
function sign(text) {
  return el("div", { class: "product-sign", "aria-hidden": "true" }, el("span", {}, text));
}

/** @param {string[]} name two stand as a fraction @param {string} role @param {Tensor} tensor @param {HTMLElement} picture @param {(HTMLElement|null)[]} names @param {number} width @param {number} [gutter] @param {boolean} [result] */
function part(name, role, tensor, picture, names, width, gutter = 0, result = false) {
  const size = tensor.shape.length === 1 ? `1 × ${tensor.shape[0]}` : tensor.shape.join(" × ");
  const { maxAbs, broken } = tensor.stats;
  return el("div", { class: `product-part${result ? " is-result" : ""}${names.some(Boolean) ? " with-names" : ""}`, style: `--own-gutter:${gutter}px;--slot:${Math.floor(width)}px` },
    el("div", { class: "label" }, ...name.map((one) => el("b", { title: one }, one)), name.length === 1 ? el("span", {}, role) : null),
    el("div", { class: "product-stage" }, ...names, picture),
    el("div", { class: "caption" }, `${size}`, el("span", {}, ` ± ${numberText(maxAbs, 2)}`), broken ? el("span", { class: "broken" }, ` ${broken} not finite`) : null));
}

/** @param {string} name @param {Tensor} tensor @param {{width: number, height: number}} size @param {Frame} frame @param {Fit} fit */
function sheet(name, tensor, size, frame, fit) {
  const box = { width: Math.max(fit.bar, Math.floor(size.width)), height: Math.max(fit.bar, Math.floor(size.height)) };
  const { rows, cols } = tensor.grid;
  const canvas = el("canvas", { class: box.width < cols || box.height < rows ? "heat fine" : "heat", "aria-hidden": "true" });
  drawHeatmap(canvas, tensor, { max: tensor.stats.maxAbs, theme: frame.state.theme, ...box, numbers: true });
  return el("div", { class: "product-sheet", style: `width:${box.width}px;height:${box.height}px` }, canvas, el("div", { class: "product-mark", "data-mark": name, hidden: true }));
}

/** @param {string[]} names @param {number} width @param {number} size */
function colTicks(names, width, size) {
  const longest = Math.max(...names.map((name) => name.length));
  if (!size || names.length < 2 || longest > LONGEST) return null;
  const need = longest * 6.2 + 4;
  const shown = ticks(names.length, width, need);
  return el("div", { class: "ticks", "aria-hidden": "true" }, ...shown.map((i) => el("span", { style: `left:${((i + 0.5) / names.length) * width}px` }, names[i])));
}

/** @param {string[]} names @param {number} height @param {number} size @param {number} gutter */
function rowTicks(names, height, size, gutter) {
  if (!gutter) return null;
  return el("div", { class: "row-names", "aria-hidden": "true", style: `width:${gutter}px` },
    ...ticks(names.length, height, size).map((i) => el("span", { style: `top:${((i + 0.5) / names.length) * height}px` }, names[i])));
}
