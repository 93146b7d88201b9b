import { labelOf } from "../shared/axis-labels.js";
import { cleanups, el, icon } from "../shared/dom/elements.js";
import { numberText } from "../shared/format.js";
import { prose } from "../shared/prose-view.js";
import { Tensor } from "../shared/tensor.js";
import {
  blockNames,
  blocksWords,
  cellBeside,
  partialText,
  partialWords,
  questionOf,
  sideTitle,
  waysOf,
} from "./jacobian.js";
import { drawProduct, placeOf } from "./product-view.js";
/** @typedef {import("../walk/frame.js").Frame} Frame */
/** @typedef {import("./jacobian.js").Jacobian} Jacobian */
/** @typedef {import("./jacobian.js").TooLarge} TooLarge */
/** @typedef {import("./product-view.js").Drawn} Drawn */
/** @typedef {{row: number, col: number}} Cell */
/**
 * @typedef {{cell: (cell: number[]) => void, view?: (view: string|null) => void, jacobians: ReturnType<typeof
 *   import("./jacobian-loader.js").makeJacobianLoader>}} Acts
 */

/**
 * The step as a product: arriving gradient · local Jacobian = what this path brings.
 * @param {HTMLElement} root @param {{width: () => number, height: () => number}} room @param {Acts} acts
 */
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
  /** @type {Cell} which the arrow keys move */
  const cursor = { row: 0, col: 0 };
  /** @type {{pair: string, along: import("./jacobian.js").Pair}|null} the axes that somebody chose, and for what */
  let chosen = null;

  /** @param {Frame} next @returns {import("./jacobian.js").Question} */
  function ask(next) {
    const question = questionOf(next);
    return chosen?.pair === `${question.node} ${question.input}` ? questionOf(next, chosen.along) : question;
  }

  /** @param {import("./jacobian.js").Pair|null} along none for the whole */
  function choose(along) {
    if (!frame) return;
    const { node, input } = questionOf(frame);
    chosen = along && { pair: `${node} ${input}`, along };
    update(frame);
  }

  /** @param {Frame} next */
  function update(next) {
    const question = ask(next);
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
    const { view } = acts;
    note(words, "", "show the equation", view ? () => view(next.tug ? "equation" : null) : null);
  }

  /**
   * @param {string} message @param {string} hint @param {string} label
   * @param {(() => void)|null} act what can be done instead
   */
  function note(message, hint, label, act) {
    root.firstElementChild?.setAttribute("aria-busy", "false");
    const button = el("button", { type: "button", class: "button" }, label);
    if (act) button.addEventListener("click", act);
    said.replaceChildren();
    readout.replaceChildren();
    product.className = "product";
    product.replaceChildren(
      el(
        "div",
        { class: "product-note", role: "status" },
        el("p", {}, ...prose(message)),
        hint ? el("p", { class: "hint-text" }, ...prose(hint)) : null,
        act ? button : null,
      ),
    );
  }

  /** @param {Frame} next @param {Jacobian|TooLarge} answer */
  function draw(next, answer) {
    if (answer.jacobian === null) return tooLarge(next, answer.words);
    root.firstElementChild?.setAttribute("aria-busy", "false");
    const focused =
      document.activeElement instanceof HTMLElement && root.contains(document.activeElement)
        ? document.activeElement.dataset.part
        : null;
    const drawn = {
      answer,
      matrix: new Tensor(answer.jacobian),
      arriving: new Tensor(answer.arriving),
      result: new Tensor(answer.result),
    };
    const { rows, cols } = drawn.matrix.grid;
    Object.assign(cursor, { row: Math.min(cursor.row, rows - 1), col: Math.min(cursor.col, cols - 1) });
    said.replaceChildren(
      el(
        "p",
        {},
        ...prose(wordsOf(next, answer)),
        ...noteOf(answer, next.walk.node(answer.node).variable, next.node.gradient?.verdict.level === "zero"),
      ),
      stepper(next, answer, acts.cell, choose),
    );
    const map = drawProduct(product, next, drawn, { width: room.width() - 10, height: room.height() });
    listen(map, drawn.matrix.grid, cursor, (cell) => read(next, drawn, cell));
    read(next, drawn, null);
    if (focused)
      /** @type {HTMLElement|null} */ (root.querySelector(`[data-part="${focused}"]`))?.focus({ preventScroll: true });
  }

  /** @param {Frame} at @param {Drawn} drawn @param {Cell|null} cell the cell that is read, marked in all three */
  function read(at, drawn, cell) {
    const { rows, cols } = drawn.matrix.grid;
    for (const mark of product.querySelectorAll(".product-mark")) {
      if (!(mark instanceof HTMLElement)) continue;
      mark.hidden = cell === null;
      if (cell) mark.style.cssText = placeOf(mark.dataset.mark ?? "", cell, rows, cols);
    }
    readout.replaceChildren(...(cell ? readWords(at, drawn, cell) : axesWords(at, drawn)));
    product
      .querySelector(".product-map")
      ?.setAttribute(
        "aria-label",
        cell ? (readout.textContent ?? "") : `Jacobian, ${rows} by ${cols}; arrow keys read a cell`,
      );
  }

  undo.add(jacobians.stop);
  return {
    update,
    /** @param {Frame} next another cell is picked: its example is shown */
    point(next) {
      if (wanted !== null && JSON.stringify(ask(next)) !== wanted) update(next);
    },
    unmount() {
      undo.run();
      root.replaceChildren();
    },
  };
}

const MOVES = /** @type {Record<string, [number, number]>} */ ({
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
});

/**
 * Cells of the matrix are read with the pointer and with the arrow keys.
 * @param {HTMLElement} map @param {{rows: number, cols: number}} grid @param {Cell} cursor
 * @param {(cell: Cell|null) => void} read
 */
function listen(map, { rows, cols }, cursor, read) {
  const within = (/** @type {number} */ at, /** @type {number} */ count) => Math.max(0, Math.min(count - 1, at));
  /** @param {PointerEvent} event */
  const under = (event) => {
    const box = map.getBoundingClientRect();
    const [y, x] = [(event.clientY - box.top) / box.height, (event.clientX - box.left) / box.width];
    return { row: within(Math.floor(y * rows), rows), col: within(Math.floor(x * cols), cols) };
  };
  map.addEventListener("pointermove", (event) => read(under(event)));
  map.addEventListener("pointerdown", (event) => read(Object.assign(cursor, under(event))));
  map.addEventListener("pointerleave", () => read(document.activeElement === map ? cursor : null));
  map.addEventListener("focus", () => read(cursor));
  map.addEventListener("blur", () => read(null));
  map.addEventListener("keydown", (event) => {
    const move = MOVES[event.key];
    if (!move || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    read(Object.assign(cursor, { row: within(cursor.row + move[0], rows), col: within(cursor.col + move[1], cols) }));
  });
}

/** @param {Frame} frame @param {Drawn} drawn @param {Cell} cell @returns {(Node|string)[]} */
function readWords(frame, { answer, matrix, arriving }, { row, col }) {
  const { labels } = frame.walk.document;
  const variables = /** @type {[string, string]} */ (
    [answer.node, answer.input].map((name) => frame.walk.node(name).variable)
  );
  const [local, upstream] = [matrix.data[row * matrix.grid.cols + col], arriving.data[row]];
  const words = partialWords(labels, answer, row, col);
  return [
    el("b", {}, `${partialText(answer, variables, row, col)} = ${numberText(local, 4)}`),
    words ? ` · ${words}` : "",
    ` · times ${numberText(upstream, 3)} adds ${numberText(local * upstream, 3)}`,
  ];
}

/** @param {Frame} frame @param {Drawn} drawn */
function axesWords(frame, { answer }) {
  const { rows, columns } = answer;
  const [above, below] = [answer.node, answer.input].map((node) => frame.walk.node(node).variable);
  const of = (/** @type {string} */ variable, /** @type {string} */ axes) =>
    axes ? `${axes} of ${variable}` : `${variable}, a single number`;
  const axes = `Rows: ${of(above, sideTitle(rows))}. Columns: ${of(below, sideTitle(columns))}.`;
  return [axes, el("span", { class: "how" }, " Point at a cell to read it.")];
}

/**
 * @param {Frame} frame @param {Jacobian} answer
 * @returns {string} what it looks like; of a block, how many there are and what it is
 */
function wordsOf(frame, answer) {
  const [blocks, itself] = [blocksWords(frame, answer), answer.itself ? ` It is \`${answer.itself}\` itself.` : ""];
  const { words } = answer;
  const lower = /^[A-Z][a-z]/.test(words) ? words[0].toLowerCase() + words.slice(1) : words;
  return blocks ? `${blocks} In this one: ${lower}${itself}` : words + itself;
}

/**
 * @param {Jacobian} answer @param {string} variable @param {boolean} zero whether the gradient's true value is zero
 * @returns {(Node|string)[]}
 */
function noteOf({ across, at, agrees, shown }, variable, zero) {
  if (across)
    return [
      " ",
      el(
        "span",
        { class: "across" },
        `Other cells of ${variable} read this part, too: this is only what entry ${at.join(", ")} brings.`,
      ),
    ];
  if (!agrees && zero) return [" ", el("span", {}, "The true value is zero: the line gives other roundings.")];
  if (!agrees) return [" ", el("strong", { class: "broken" }, "✕ The line of this step gives something else.")];
  return shown ? [" ", el("span", { class: "fits" }, "✓ equals the line’s result")] : [];
}

/**
 * @param {Frame} frame @param {Jacobian} answer @param {(along: import("./jacobian.js").Pair|null) => void} cut
 * @returns {HTMLElement|null} along which axis it is cut into blocks, where more than one will do
 */
function cutter(frame, answer, cut) {
  const ways = waysOf(frame, answer);
  if (!ways.length) return null;
  const buttons = ways.map(({ along, text, now }) => {
    const part = `cut ${along ?? "whole"}`;
    const button = el("button", { type: "button", class: "way", "aria-pressed": String(now), "data-part": part }, text);
    button.addEventListener("click", () => cut(along));
    return button;
  });
  return el(
    "div",
    { class: "ways", role: "group", "aria-label": "Along which axis it is cut into blocks" },
    ...buttons,
  );
}

/**
 * @param {Frame} frame @param {Jacobian} answer @param {(cell: number[]) => void} choose
 * @param {(along: import("./jacobian.js").Pair|null) => void} cut
 */
function stepper(frame, answer, choose, cut) {
  const ways = cutter(frame, answer, cut);
  if (!answer.along.length) return el("div", { class: "stepper" }, ways);
  const { node, walk } = frame;
  const label =
    answer.along.length === 1 ? labelOf(walk.document.labels, node.dims[answer.along[0][1]], answer.at[0]) : null;
  const arrow = (/** @type {string} */ name, /** @type {string} */ words, /** @type {number} */ by) => {
    const button = el("button", { type: "button", class: "quiet", "aria-label": words, "data-part": name }, icon(name));
    button.addEventListener("click", () => choose(cellBeside(frame, answer, by)));
    return button;
  };
  return el(
    "div",
    { class: "stepper", role: "group", "aria-label": "Which block" },
    ways,
    arrow("back", "the block before", -1),
    el(
      "span",
      { "aria-live": "polite" },
      // beside the axes to choose from, the one that is chosen needs no name
      ...blockNames(frame, answer).flatMap((name, i) => [
        el("span", { class: ways ? "unseen" : null }, name.slice(0, name.lastIndexOf(" ") + 1)),
        `${answer.at[i]}${i < answer.at.length - 1 ? ", " : ""}`,
      ]),
      label ? el("code", {}, label) : null,
    ),
    arrow("next", "the next block", 1),
  );
}
