import { levelAt } from "../walk/frame.js";
import { shapeWords } from "../shared/format.js";
import { LEVELS } from "../walk/verdict-levels.js";
import { ORIGIN, fitGraph } from "./graph-fit.js";
import { edgeWidths } from "./edge-widths.js";
import { peakOf } from "../walk/picture-peak.js";
import { badgeDot, setDot } from "../walk/badge-view.js";
import { cleanups, el, svg } from "../shared/dom/elements.js";
import { drawHeatmap } from "../shared/heatmap-view.js";
import { roving } from "../shared/dom/roving-focus.js";
/** @typedef {import("../walk/frame.js").Frame} Frame */
/** @typedef {import("../walk/types.js").WalkNode} WalkNode */
/** @typedef {import("../walk/types.js").Edge} Edge */
/** @typedef {import("./graph-fit.js").Rect} Rect */
/** @typedef {import("../walk/walk.js").Walk} Walk */
/**
 * @typedef {{button: HTMLButtonElement, thumb: HTMLCanvasElement, dot: HTMLElement, level: string, shown: string}}
 *   Drawn
 */

/** The sheet's own margins, above and below. */
const RIMS = 12;

/** How far a line goes under a box. */
const RIM = 8;

/**
 * The graph of one walk: dot's positions, group boxes, thumbnails, badges, edges as wide as their gradient.
 * @param {HTMLElement} root @param {Walk} walk @param {(name: string) => void} select
 */
export function mountGraph(root, walk, select) {
  const undo = cleanups();
  const fitted = fitGraph(
    walk.document,
    root.clientWidth || 340,
    root.clientHeight ? root.clientHeight - RIMS : Infinity,
  );
  const sheet = el("div", {
    class: "graph-sheet",
    style: `width:${fitted.width}px;height:${fitted.height}px;zoom:${fitted.zoom.toFixed(3)}`,
  });
  const edges = drawEdges(walk, fitted);
  sheet.append(
    ...fitted.groups.map((group) => el("div", { class: "group-box", style: styleOf(group.rect) })),
    edges.picture,
  );
  sheet.append(
    ...fitted.groups.map((group) => el("div", { class: "group-name", style: styleOf(group.label) }, group.name)),
  );
  /** @type {Map<string, Drawn>} */
  const drawn = new Map();
  for (const node of walk.document.nodes) {
    const place = fitted.nodes.get(node.name);
    if (!place) continue; // given, and not used by the program
    const made = drawNode(node, styleOf(place));
    undo.on(made.button, "click", () => select(node.name));
    drawn.set(node.name, made);
    sheet.append(made.button);
  }
  root.replaceChildren(sheet);

  /** @param {Frame} frame @returns {HTMLButtonElement} a part of a line stands where the line does */
  function buttonOf({ node, step }) {
    const through = step.direction === "backward" ? step.through : null;
    return /** @type {Drawn} */ (drawn.get(node.inner && through ? through : node.name)).button;
  }
  const focus = roving(sheet, ".node");
  undo.add(focus.unmount);
  return {
    /** @param {Frame} frame */
    update(frame) {
      sheet.classList.toggle("is-backward-step", frame.step.direction === "backward");
      for (const [name, one] of drawn) updateNode(one, walk.node(name), frame);
      edges.update(frame);
      focus.setCurrent(buttonOf(frame));
    },
    /** @param {import("../lens/highlights.js").Lights|null} lights the nodes that an open number comes through */
    light(lights) {
      for (const [name, { button }] of drawn) button.classList.toggle("in-lens", lights?.nodes.has(name) ?? false);
    },
    /** @param {Frame} frame */
    reveal: (frame) => keepInView(root, buttonOf(frame)),
    unmount() {
      undo.run();
      root.replaceChildren();
    },
  };
}

/** @param {Rect} rect @returns {string} */
function styleOf({ left, top, width, height }) {
  return `left:${left.toFixed(1)}px;top:${top.toFixed(1)}px;width:${width.toFixed(1)}px;height:${height.toFixed(1)}px`;
}

/** @param {WalkNode} node @param {string} place @returns {Drawn} */
function drawNode(node, place) {
  const kind = node.role === "intermediate" ? "" : node.role === "parameter" ? " input" : " input plain";
  const thumb = el("canvas", { class: "thumb", width: 1, height: 1 });
  const dot = badgeDot("none");
  const button = el(
    "button",
    { type: "button", class: `node${kind}`, tabindex: -1, "data-node": node.name, style: place },
    thumb,
    el("span", { class: "label" }, node.variable),
    node.gradient ? dot : null,
  );
  return { button, thumb, dot, level: "none", shown: "" };
}

/** @param {Drawn} drawn @param {WalkNode} node @param {Frame} frame */
function updateNode(drawn, node, frame) {
  const { walk, known, state, step } = frame;
  const backward = step.direction === "backward";
  const level = levelAt(walk, node.name, known);
  if (level !== drawn.level) setDot(drawn.dot, (drawn.level = level));
  const tensor = backward ? walk.gradientAt(node.name, known).tensor : walk.valueAt(node.name, step.index);
  const shown = tensor ? `${backward ? `d${level}` : "v"}${state.theme}` : "";
  if (shown !== drawn.shown)
    paintThumb(drawn, tensor, frame, shown, { tensor: node.name, of: backward ? "gradient" : "value" });
  drawn.button.classList.toggle("computed", tensor !== null);
  drawn.button.classList.toggle("through", backward && step.through === node.name && !frame.inspecting);
  if (node === frame.node) drawn.button.setAttribute("aria-current", "step");
  else drawn.button.removeAttribute("aria-current");
  drawn.button.setAttribute("aria-label", nodeWords(node, level, backward, tensor !== null));
}

/** @param {WalkNode} node @param {string} level @param {boolean} backward @param {boolean} computed */
function nodeWords(node, level, backward, computed) {
  const state =
    backward && node.gradient ? `gradient ${LEVELS[level][1]}` : computed || backward ? node.role : "not yet computed";
  return `${node.variable}, ${shapeWords(node.shape)}, ${state}`;
}

/**
 * @param {Drawn} drawn @param {import("../shared/tensor.js").Tensor|null} tensor @param {Frame} frame
 * @param {string} shown @param {import("../walk/pick.js").Subject} subject
 */
function paintThumb(drawn, tensor, frame, shown, subject) {
  drawn.shown = shown;
  if (tensor)
    drawHeatmap(drawn.thumb, tensor, {
      max: peakOf(frame.walk, subject, tensor),
      theme: frame.state.theme,
      width: 18,
      height: 18,
    });
  else drawn.thumb.width = 1;
  drawn.thumb.style.width = drawn.thumb.style.height = "";
}

/** @param {Walk} walk @param {import("./graph-fit.js").Fitted} fitted */
function drawEdges(walk, fitted) {
  const widths = edgeWidths(walk);
  const picture = svg("svg", {
    class: "graph-edges",
    viewBox: `0 0 ${fitted.width} ${fitted.height}`,
    "aria-hidden": "true",
  });
  const lines = walk.document.edges.map((edge) => {
    const path = svg("path", { d: pathOf(edge, fitted) });
    picture.append(path);
    return { edge, path, was: "" };
  });
  /** @param {Frame} frame */
  function update(frame) {
    for (const line of lines) {
      const look = edgeLook(line.edge, frame, widths);
      if (look === line.was) continue;
      line.was = look;
      const [name, stroke] = look.split("|");
      line.path.setAttribute("class", name);
      line.path.style.strokeWidth = stroke;
    }
  }
  return { picture, update };
}

/**
 * @param {Edge} edge @param {Frame} frame @param {Map<string, {step: number, width: number}>} widths
 * @returns {string} class|stroke width
 */
function edgeLook(edge, frame, widths) {
  const { step, walk, known } = frame;
  if (step.direction === "forward") {
    const made = walk.forwardIndex.get(edge.to) ?? -1;
    const now = made === step.index && !frame.inspecting ? " now" : "";
    return made > step.index ? "ahead|1.2" : `walked${now}|${now ? 2 : 1.4}`;
  }
  const flow = widths.get(`${edge.from}>${edge.to}`);
  if (!flow) return "|1";
  if (flow.step > known) return `ahead${flow.step === step.index ? " now" : ""}|1.2`;
  return `flowed${flow.step === step.index ? " now" : ""}|${flow.width.toFixed(1)}`;
}

/**
 * @param {Edge} edge @param {import("./graph-fit.js").Fitted} fitted
 * @returns {string} from box to box: those drawn here are narrower than those dot has led its line to
 */
function pathOf({ from, to, path }, { scale, nodes }) {
  const [start, ...rest] = path.map(
    ([x, y]) => `${(x * scale.x + ORIGIN).toFixed(1)} ${(y * scale.y + ORIGIN).toFixed(1)}`,
  );
  if (!rest.length) return "";
  const [leaves, enters] = [
    inside(nodes.get(from), path[0], scale),
    inside(nodes.get(to), path[path.length - 1], scale),
  ];
  return `M${leaves}L${start}C${rest.join(" ")}L${enters}`;
}

/**
 * @param {Rect|undefined} rect @param {number[]} point where a line ends @param {{x: number, y: number}} scale
 * @returns {string} the nearest place under the box
 */
function inside(rect, [px, py], scale) {
  const [x, y] = [px * scale.x + ORIGIN, py * scale.y + ORIGIN];
  const near = (/** @type {number} */ at, /** @type {number} */ low, /** @type {number} */ size) =>
    Math.max(low + RIM, Math.min(low + size - RIM, at));
  return rect
    ? `${near(x, rect.left, rect.width).toFixed(1)} ${near(y, rect.top, rect.height).toFixed(1)}`
    : `${x.toFixed(1)} ${y.toFixed(1)}`;
}

/** @param {HTMLElement} root @param {HTMLElement} node scrolls only when the node comes near the rim */
function keepInView(root, node) {
  const [box, view] = [node.getBoundingClientRect(), root.getBoundingClientRect()];
  if (!view.height) return;
  const rim = Math.min(120, view.height / 4);
  const above = box.top < view.top + rim;
  if (above || box.bottom > view.bottom - rim) root.scrollTop += box.top + box.height / 2 - view.top - view.height / 2;
  if (box.left < view.left || box.right > view.right)
    root.scrollLeft += box.left + box.width / 2 - view.left - view.width / 2;
}
