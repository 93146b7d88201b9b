import { badge } from "../walk/badge-view.js";
import { drawHeatmap } from "../shared/heatmap-view.js";
import { cleanups, el, reducedMotion } from "../shared/dom/elements.js";
import { prose } from "../shared/prose-view.js";
import { shapeText, shapeWords } from "../shared/format.js";
import { numberIn } from "../shared/json-number.js";
import { Tensor, gridOf } from "../shared/tensor.js";
import { placeByKey } from "./places.js";
import { within } from "../shared/within.js";
import { againstAutograd, freshRuns, headline, spokenStage } from "./derivation.js";
/** @typedef {import("./derivation.js").Derivation} Derivation */
/** @typedef {import("./derivation.js").Check} Check */

/** Milliseconds in which lines fold into one. */
const FOLD = 260;
const MAP = { width: 420, height: 190 };

/**
 * A closed form, stage by stage: the walk's own lines first, then one line after the other.
 * Arrow keys inside it, its buttons and `go` lead through the stages.
 * @param {HTMLElement} host @param {Derivation} made the answer of POST /api/derivation
 * @param {{theme: "light"|"dark", place?: number, moved?: (place: number) => void}} how `place` is the first stage
 *   shown, counted from 1; `moved` hears of another one
 */
export function drawDerivation(host, made, { theme, place = 1, moved = () => undefined }) {
  const undo = cleanups();
  const count = made.stages.length;
  const { root, rail, code, told, checks, figure, end, spoken } = partsOf(headline(made));
  host.replaceChildren(root);
  const buttons = made.stages.map((_, at) => {
    const button = el("button", { type: "button", "aria-label": `Stage ${at + 1} of ${count}` }, String(at + 1));
    undo.on(button, "click", () => show(at, true));
    rail.append(el("li", {}, button));
    return button;
  });
  let shown = -1;

  /** @param {number} at @param {boolean} [tell] */
  function show(at, tell = false) {
    const next = within(at, count);
    if (next === shown) return;
    const [before, first] = [shown, shown < 0];
    shown = next;
    const stage = made.stages[next];
    const old = [...code.querySelectorAll(".derivation-line")].map((line) => line.getBoundingClientRect());
    code.replaceChildren(...withOthers(made, codeLines(made, next)));
    if (!first && next > before) fold(code, old);
    told.replaceChildren(...prose(stage.text));
    checks.replaceChildren(...checkRows(stage.before, stage.autograd, againstAutograd(made)));
    end.replaceChildren(...(next === count - 1 ? prose(made.end) : []));
    drawValue(figure, made, next, theme);
    buttons.forEach((button, number) => {
      if (number === next) button.setAttribute("aria-current", "step");
      else button.removeAttribute("aria-current");
    });
    if (tell) {
      spoken.textContent = spokenStage(made, next).replaceAll("`", "");
      moved(next + 1);
    }
  }

  undo.on(root, "keydown", (event) => {
    const to = placeByKey(event, shown, count);
    if (to === null) return;
    event.preventDefault();
    event.stopPropagation();
    show(to, true);
  });
  show(place - 1);
  return {
    /** @param {number} to counted from 1 */
    go: (to) => show(to - 1),
    focus: () => root.focus({ preventScroll: true }),
    unmount() {
      undo.run();
      host.replaceChildren();
    },
  };
}

/** @param {string} title */
function partsOf(title) {
  const rail = el("ol", { class: "derivation-rail", "aria-label": "Stages" });
  const code = el("div", { class: "derivation-code" });
  const told = el("p", { class: "derivation-told" });
  const checks = el("dl", { class: "derivation-checks" });
  const canvas = el("canvas", { class: "heat", role: "img" });
  const figure = el("figure", { class: "derivation-value" }, canvas, el("figcaption", {}));
  const end = el("p", { class: "derivation-end" });
  const spoken = el("p", { class: "unseen", role: "status" });
  const root = el(
    "div",
    { class: "derivation", role: "group", tabindex: "0", "aria-label": `${title}: arrow keys lead on` },
    el("div", { class: "derivation-head" }, el("h2", {}, title), rail),
    code,
    told,
    el("div", { class: "derivation-evidence" }, el("div", { class: "derivation-words" }, checks, end), figure),
    spoken,
  );
  return { root, rail, code, told, checks, figure, end, spoken };
}

/**
 * @param {Derivation} made @param {number} at
 * @returns {HTMLElement[]} a stage's lines; what is new in them is marked
 */
function codeLines({ stages }, at) {
  const before = at > 1 ? stages[at - 1].code : null;
  const lines = stages[at].code.split("\n");
  const marked = before === null ? null : freshRuns(before, stages[at].code);
  if (!marked) return lines.map((line) => el("code", { class: "derivation-line" }, line));
  /** @type {HTMLElement[]} */
  const made = [el("code", { class: "derivation-line" })];
  for (const { text, fresh } of marked)
    text.split("\n").forEach((part, number) => {
      if (number > 0) made.push(el("code", { class: "derivation-line" }));
      if (part) made[made.length - 1].append(fresh ? el("mark", {}, part) : part);
    });
  return made;
}

/**
 * @param {Derivation} made @param {HTMLElement[]} lines of a stage
 * @returns {HTMLElement[]} with those that stay beside them, before what is added to and after what is set
 */
function withOthers({ added, stages }, lines) {
  const others = added.flatMap((text) =>
    text.split("\n").map((line) => el("code", { class: "derivation-other", title: "another path" }, line)),
  );
  const adds = stages[stages.length - 1].code.split("\n").some((line) => /^\w+ \+= /.test(line));
  return adds ? [...others, ...lines] : [...lines, ...others];
}

/** @param {Check|null} before @param {Check} autograd @param {string} against @returns {HTMLElement[]} */
function checkRows(before, autograd, against) {
  const rows = /** @type {[string, Check][]} */ ([
    ...(before ? [["against the stage before", before]] : []),
    [against, autograd],
  ]);
  return rows.map(([name, check]) =>
    el("div", {}, el("dt", {}, name), el("dd", {}, badge(check.level), el("span", {}, check.words))),
  );
}

/** @param {HTMLElement} figure @param {Derivation} made @param {number} at @param {"light"|"dark"} theme */
function drawValue(figure, made, at, theme) {
  const tensor = new Tensor(made.stages[at].value);
  const { rows, cols } = gridOf(tensor.shape);
  const side = Math.max(1, Math.min(MAP.width / cols, MAP.height / rows, 40));
  const canvas = /** @type {HTMLCanvasElement} */ (figure.firstElementChild);
  const [width, height] = [Math.max(24, cols * side), Math.max(12, rows * side)];
  drawHeatmap(canvas, tensor, { max: numberIn(made.scale), theme, width, height, numbers: true });
  canvas.setAttribute("aria-label", `${made.variable} of this stage, ${shapeWords(made.shape)}`);
  /** @type {HTMLElement} */ (figure.lastElementChild).replaceChildren(
    ...(made.added.length ? ["what this path adds to "] : []),
    el("code", {}, made.variable),
    ` ${shapeText(made.shape)}`,
  );
}

/**
 * Lines that were there fly together to where the new ones stand.
 * @param {HTMLElement} code @param {DOMRect[]} old where the lines were
 */
function fold(code, old) {
  if (reducedMotion() || old.length === 0) return;
  const box = code.getBoundingClientRect();
  const lines = /** @type {HTMLElement[]} */ ([...code.querySelectorAll(".derivation-line")]);
  const target = lines[lines.length - 1].getBoundingClientRect();
  if (old.length <= lines.length) {
    lines.forEach((line) => line.animate([{ opacity: 0.2 }, { opacity: 1 }], { duration: FOLD }));
    return;
  }
  for (const { top, left, width, height } of old) {
    const ghost = el("span", { class: "derivation-ghost", "aria-hidden": "true" });
    Object.assign(ghost.style, {
      top: `${top - box.top}px`,
      left: `${left - box.left}px`,
      width: `${width}px`,
      height: `${height}px`,
    });
    code.append(ghost);
    const end = { transform: `translateY(${target.top - top}px) scaleY(0.6)`, opacity: 0 };
    const flight = ghost.animate([{ transform: "none", opacity: 0.8 }, end], { duration: FOLD, easing: "ease-in" });
    flight.finished.catch(() => undefined).then(() => ghost.remove());
  }
  lines.forEach((line) => line.animate([{ opacity: 0 }, { opacity: 1 }], { duration: FOLD }));
}
