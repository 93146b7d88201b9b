import { numberText, shapeText, shapeWords } from "../shared/format.js";
import { el, svg } from "../shared/dom/elements.js";
import { mountLongPress } from "../shared/dom/long-press.js";
import { graphOf } from "./drawn-graph.js";
import { layOut } from "./drawn-graph-layout.js";
/** @typedef {import("../walk/walk.js").Walk} Walk */
/** @typedef {import("./drawn-graph.js").DrawnGraph} DrawnGraph */
/** @typedef {import("./drawn-graph-layout.js").Room} Room */
/** @typedef {{path: SVGElement, to: string, from: string}} Line */

/** In a node that is less high only the name has room. */
const TWO_LINES = 34;

/**
 * The graph with a node for each tensor and an arrow for each line that reads it; whole, or as far as a step has come.
 * @param {Walk} walk @param {{choose: (name: string) => void, hold?: (name: string) => void, letGo?: () => void}} acts
 */
export function drawGraphOf(walk, { choose, hold, letGo = () => {} }) {
  const graph = graphOf(walk.document);
  const nodes = new Map([...graph.nodes.keys()].map((name) => [name, nodeFor(walk, graph, name)]));
  const arrows = graph.arrows.map((arrow) => ({ ...arrow, group: svg("g", { class: "arrow" }) }));
  const picture = svg("svg", { "aria-hidden": "true" }, ...arrows.map(({ group }) => group));
  for (const { group, from, to } of arrows) Object.assign(group.dataset, { from, to });
  const root = el("div", { class: "drawn-graph" }, picture, ...nodes.values());
  const press = mountLongPress(letGo);
  const nameAt = (/** @type {Event} */ { target }) =>
    /** @type {Element} */ (target).closest("button")?.dataset.node ?? "";
  root.addEventListener("pointerdown", (event) => {
    const name = nameAt(event);
    press.begin(event, name && hold ? () => hold(name) : null);
  });
  root.addEventListener("click", (event) => {
    const name = nameAt(event);
    if (name && !press.took(event)) choose(name);
  });

  return {
    root,
    marks: () => [...nodes].map(([name, element]) => ({ name, element })),
    unmount: press.unmount,
    /** @param {Room} room */
    place(room) {
      const layout = layOut(graph, room);
      Object.assign(root.style, { width: `${layout.width}px`, height: `${layout.height}px` });
      picture.setAttribute("viewBox", `0 0 ${layout.width} ${layout.height}`);
      for (const [name, rect] of layout.nodes) {
        const node = nodes.get(name);
        const sides = Object.entries(rect).map(([side, pixels]) => [side, `${pixels}px`]);
        if (node) Object.assign(node.style, Object.fromEntries(sides));
        node?.classList.toggle("name-alone", rect.height < TWO_LINES);
      }
      arrows.forEach(({ group }, i) => {
        const { path, head, tail } = layout.arrows[i];
        group.replaceChildren(
          svg("path", { class: "line", d: path }),
          svg("path", { class: "head", d: head }),
          svg("path", { class: "tail", d: tail }),
        );
      });
    },
    /** @param {Walk} now @param {number|null} step how far it is walked; null for all of it, at rest */
    update(now, step) {
      for (const [name, node] of nodes) {
        node.className = `graph-node ${roleOf(now, name)} ${stateOf(now, name, step)}`;
        node.children[1].textContent = contentOf(now, name);
      }
      for (const { group, from, to } of arrows) group.setAttribute("class", `arrow ${walked(now, from, to, step)}`);
    },
  };
}

/** @param {Walk} walk @param {DrawnGraph} graph @param {string} name @returns {HTMLButtonElement} */
function nodeFor(walk, graph, name) {
  const { label, shape } = graph.nodes.get(name) ?? { label: name, shape: [] };
  const read = graph.arrows.flatMap(({ from, to }) => (to === name ? [walk.node(from).variable] : []));
  const words = `${label}, ${shapeWords(shape)}${read.length ? `, made from ${read.join(", ")}` : ""}`;
  return el(
    "button",
    { type: "button", "data-node": name, "aria-label": words },
    el("span", { class: "label" }, label),
    el("span", { class: "content" }),
  );
}

/** @param {Walk} walk @param {string} name @returns {string} a number as it is, of more their shape */
function contentOf(walk, name) {
  const { shape, value } = walk.node(name);
  return shape.length ? shapeText(shape) : numberText(walk.tensor(value).data[0]);
}

/** @param {Walk} walk @param {string} name */
function roleOf(walk, name) {
  const { role } = walk.node(name);
  return role === "intermediate" ? "is-made" : role === "parameter" ? "is-parameter" : "is-given";
}

/** @param {Walk} walk @param {string} name @param {number|null} step */
function stateOf(walk, name, step) {
  if (step === null) return "";
  const now = walk.steps[step];
  const here = now.node === name ? `here on-${now.direction}` : "";
  if (now.direction === "forward") return here || ((walk.forwardIndex.get(name) ?? -1) > step ? "ahead" : "");
  return here || (walk.gradientAt(name, step).stage === "none" ? "" : "arrived");
}

/** @param {Walk} walk @param {string} from @param {string} to @param {number|null} step */
function walked(walk, from, to, step) {
  if (step === null) return "";
  const now = walk.steps[step];
  if (now.direction === "forward")
    return to === now.node ? "now on-forward" : (walk.forwardIndex.get(to) ?? -1) > step ? "ahead" : "";
  const back = (walk.backwardIndex.get(from) ?? []).find((index) => goesThrough(walk, index, to));
  if (back === undefined || back > step) return "";
  return `on-backward${back === step ? " now" : ""}`;
}

/** @param {Walk} walk @param {number} index @param {string} line */
function goesThrough(walk, index, line) {
  const step = walk.steps[index];
  return step.direction === "backward" && step.through === line;
}
