import { calledIn, shortIn } from "../walk/called.js";
import { levelAt } from "../walk/frame.js";
import { drawnOf } from "../walk/live.js";
import { shapeText, shapeWords } from "../shared/format.js";
import { LEVELS } from "../walk/verdict-levels.js";
import { peakOf } from "../walk/picture-peak.js";
import { badgeDot, setDot } from "../walk/badge-view.js";
import { el } from "../shared/dom/elements.js";
import { differing } from "../shared/differing.js";
import { drawHeatmap } from "../shared/heatmap-view.js";
/** @typedef {import("../walk/frame.js").Frame} Frame */
/** @typedef {import("../walk/types.js").WalkNode} WalkNode */
/** @typedef {import("../walk/walk.js").Walk} Walk */
/**
 * @typedef {{button: HTMLButtonElement, thumb: HTMLCanvasElement, dot: HTMLElement, level: string, shown: string,
 *   words: string, differs: ReturnType<typeof differing>,
 *   tensor: import("../shared/tensor.js").Tensor|null}} Drawn `words`: its name and shape, as they are said
 */

/** Of a thumbnail, before it is drawn as large as its row allows. */
const PIXELS = 24;

/**
 * @param {Walk} walk @param {WalkNode} node @returns {Drawn} a row's name, badge and thumbnail; of a given one a pill
 */
export function drawNode(walk, node) {
  const thumb = el("canvas", { class: "thumb", width: 1, height: 1 });
  const dot = badgeDot("none");
  const words = `${calledIn(walk, node.variable)}, ${shapeWords(node.shape)}`;
  const button = el(
    "button",
    {
      type: "button",
      class: `node${pillClass(node)}`,
      tabindex: -1,
      "data-node": node.name,
      title: titleOf(walk, node),
    },
    el(
      "span",
      { class: "named" },
      el("span", { class: "label" }, shortIn(walk, node.variable)),
      node.gradient ? dot : null,
    ),
    thumb,
  );
  return { button, thumb, dot, level: "none", shown: "", words, differs: differing(), tensor: null };
}

/**
 * A given tensor beside a further line that reads it: the keyboard and a voice have it once, where it stands first.
 * @param {Walk} walk @param {WalkNode} node @returns {HTMLElement}
 */
export function drawRepeat(walk, node) {
  const props = { class: `again${pillClass(node)}`, title: titleOf(walk, node), "aria-hidden": "true" };
  return el("span", props, shortIn(walk, node.variable));
}

/** @param {WalkNode} node */
function pillClass({ role }) {
  if (role === "intermediate") return "";
  return role === "parameter" ? " pill" : " pill plain";
}

/** @param {Walk} walk @param {WalkNode} node */
function titleOf(walk, node) {
  return `${calledIn(walk, node.variable)} ${shapeText(node.shape)}`;
}

/** Out of sight it is not where the walk is. @param {Drawn} drawn */
export function forgetNode(drawn) {
  if (!drawn.button.hasAttribute("aria-current")) return;
  drawn.button.removeAttribute("aria-current");
  drawn.differs = differing();
}

/** @param {Drawn} drawn @param {WalkNode} node @param {Frame} frame */
export function updateNode(drawn, node, frame) {
  const { walk, known, state, step } = frame;
  const backward = step.direction === "backward";
  const level = levelAt(walk, node.name, known);
  if (level !== drawn.level) setDot(drawn.dot, (drawn.level = level));
  const there = backward ? walk.gradientAt(node.name, known).tensor : walk.valueAt(node.name, step.index);
  const tensor = there && drawnOf(frame, walk.thumbnailAt(node.name, step.index) ?? there);
  const shown = tensor ? `${backward ? `d${level}` : "v"}${state.theme}` : "";
  if (shown !== drawn.shown || tensor !== drawn.tensor)
    paintThumb(drawn, tensor, frame, shown, { tensor: node.name, of: backward ? "gradient" : "value" });
  const through = backward && step.through === node.name && !frame.inspecting;
  const words = `${drawn.words}, ${stateWords(node, level, backward, tensor !== null)}`;
  if (drawn.differs(tensor !== null, through, node === frame.node, words))
    setLook(drawn.button, tensor !== null, through, node === frame.node, words);
}

/**
 * @param {HTMLElement} button @param {boolean} computed @param {boolean} through @param {boolean} current
 * @param {string} words
 */
function setLook(button, computed, through, current, words) {
  button.classList.toggle("computed", computed);
  button.classList.toggle("through", through);
  if (current) button.setAttribute("aria-current", "step");
  else button.removeAttribute("aria-current");
  button.setAttribute("aria-label", words);
}

/** @param {WalkNode} node @param {string} level @param {boolean} backward @param {boolean} computed */
function stateWords(node, level, backward, computed) {
  if (backward && node.gradient) return `gradient ${LEVELS[level][1]}`;
  return computed || backward ? node.role : "not yet computed";
}

/**
 * @param {Drawn} drawn @param {import("../shared/tensor.js").Tensor|null} tensor @param {Frame} frame
 * @param {string} shown @param {import("../walk/pick.js").Subject} subject
 */
function paintThumb(drawn, tensor, frame, shown, subject) {
  Object.assign(drawn, { shown, tensor });
  if (tensor)
    drawHeatmap(drawn.thumb, tensor, {
      max: peakOf(frame.walk, subject, tensor),
      theme: frame.state.theme,
      width: PIXELS,
      height: PIXELS,
    });
  else drawn.thumb.width = 1;
  drawn.thumb.style.width = drawn.thumb.style.height = "";
}
