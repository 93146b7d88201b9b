import { shortIn } from "../walk/called.js";
import { levelAt } from "../walk/frame.js";
import { badgeDot, setDot } from "../walk/badge-view.js";
import { peakOf } from "../walk/picture-peak.js";
import { drawnOf } from "../walk/live.js";
import { numberIn } from "../shared/json-number.js";
import { numberText, shapeText, shapeWords } from "../shared/format.js";
import { counted } from "../shared/plural.js";
import { el, icon } from "../shared/dom/elements.js";
import { differing } from "../shared/differing.js";
import { drawHeatmap } from "../shared/heatmap-view.js";
/** @typedef {import("../walk/boxes.js").Box} Box */
/** @typedef {import("../walk/frame.js").Frame} Frame */
/** @typedef {import("../walk/walk.js").Walk} Walk */

/** Of a thumbnail, before it is drawn as large as its box allows. */
const PIXELS = 64;
const HINT = "Enter or a double click opens it";

/**
 * A box of the graph: what it makes, in what shape, and on the way back the size of its gradient; of the line that is
 * walked in it, its name. Open, it is the frame around its lines.
 * @param {Walk} walk @param {Box} box
 */
export function drawBox(walk, box) {
  const output = walk.node(box.output);
  const lines = counted(box.lines.length, "line");
  const { root, face, open, thumb, dot, now, size } = elementsOf(walk, box, lines);
  const words = `${box.name}, ${lines}, makes ${output.variable}, ${shapeWords(output.shape)}`;
  const paint = painter(walk, output.name, thumb);
  const differs = differing();
  let level = "none";

  /** @param {Frame} frame */
  function say(frame) {
    const here = frame.box === box;
    const back = frame.step.direction === "backward";
    const next = levelAt(walk, output.name, frame.known);
    const flows = back && next !== "none" ? sizeOf(walk, box) : "";
    const at = here ? (back ? "d" : "") + frame.node.variable : "";
    if (!differs(here, back, flows, next, at)) return;
    if (next !== level) setDot(dot, (level = next));
    root.classList.toggle("here", here);
    if (here) face.setAttribute("aria-current", "step");
    else face.removeAttribute("aria-current");
    now.textContent = at ? `▸ ${at}` : "";
    size.replaceChildren(...(flows ? [el("span", {}, "gradient "), flows] : []));
    face.setAttribute(
      "aria-label",
      [words, at && `now ${at}`, flows && `gradient ${flows}`].filter(Boolean).join(", "),
    );
  }

  return {
    ...{ box, root, face, open },
    /** @param {boolean} opened */
    setOpen: (opened) => {
      root.classList.toggle("open", opened);
      face.setAttribute("aria-expanded", String(opened));
      const title = opened ? `Close ${box.name}` : `Open ${box.name}: its ${lines}`;
      open.title = title;
      open.setAttribute("aria-label", title);
    },
    /** @param {Frame} frame @param {boolean} opened */
    update(frame, opened) {
      if (!opened) paint(frame);
      say(frame);
    },
  };
}

/** @param {Walk} walk @param {Box} box @param {string} lines how many it has */
function elementsOf(walk, box, lines) {
  const output = walk.node(box.output);
  const thumb = el("canvas", { class: "thumb", width: 1, height: 1 });
  const dot = badgeDot("none");
  const [now, size] = [el("span", { class: "box-now" }), el("span", { class: "box-size" })];
  const face = el(
    "button",
    { type: "button", class: "box-face", tabindex: -1, "data-box": box.key, "aria-expanded": "false", title: HINT },
    thumb,
    el("span", { class: "box-name" }, el("span", {}, box.name), dot),
    el(
      "span",
      { class: "box-what" },
      el("span", { "data-made": box.output }, output.variable),
      " ",
      el("span", { class: "shape" }, shapeText(output.shape)),
    ),
    now,
    el("span", { class: "box-given" }, ...box.given.map((name) => givenOf(walk, name))),
    size,
  );
  const open = el("button", { type: "button", class: "box-open", tabindex: -1 }, el("span", {}, lines), icon("next"));
  return { ...{ face, open, thumb, dot, now, size }, root: el("div", { class: "box" }, face, open) };
}

/** @param {Walk} walk @param {string} name @param {HTMLCanvasElement} thumb @returns {(frame: Frame) => void} */
function painter(walk, name, thumb) {
  let shown = "";
  /** @type {import("../shared/tensor.js").Tensor|null} */
  let drawn = null;
  return (frame) => {
    const back = frame.step.direction === "backward";
    const { step, known, state } = frame;
    /** @type {import("../walk/pick.js").Of} */
    const of = back ? "gradient" : "value";
    const there = back ? walk.gradientAt(name, known).tensor : walk.valueAt(name, step.index);
    const tensor = there && drawnOf(frame, walk.thumbnailAt(name, step.index) ?? there);
    const look = tensor ? `${of}${state.theme}` : "";
    if (tensor === drawn && look === shown) return;
    [drawn, shown] = [tensor, look];
    if (tensor)
      drawHeatmap(thumb, tensor, {
        max: peakOf(walk, { tensor: name, of }, tensor),
        ...{ theme: state.theme, width: PIXELS, height: PIXELS },
      });
    else thumb.width = 1;
    thumb.style.width = thumb.style.height = "";
  };
}

/** @param {Walk} walk @param {string} name @returns {HTMLElement} a given tensor that is read in the box */
function givenOf(walk, name) {
  const { role, variable } = walk.node(name);
  return el("span", { class: role === "parameter" ? "given" : "given plain" }, shortIn(walk, variable));
}

/** @param {Walk} walk @param {Box} box @returns {string} the norm of what its output receives */
function sizeOf(walk, { output }) {
  const { gradient } = walk.node(output);
  return gradient ? numberText(numberIn(gradient.size.norm)) : "";
}
