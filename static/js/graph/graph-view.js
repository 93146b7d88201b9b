import { rowsOf } from "./graph-rows.js";
import { layOut } from "./graph-layout.js";
import { edgeWidths } from "./edge-widths.js";
import { drawEdges } from "./edges-view.js";
import { mountLegend } from "./graph-legend-view.js";
import { drawNode, drawRepeat, updateNode } from "./node-view.js";
import { byId, cleanups, el } from "../shared/dom/elements.js";
import { roving } from "../shared/dom/roving-focus.js";
/** @typedef {import("../walk/frame.js").Frame} Frame */
/** @typedef {import("./graph-layout.js").Layout} Layout */
/** @typedef {import("./graph-layout.js").Rect} Rect */
/** @typedef {import("./node-view.js").Drawn} Drawn */
/** @typedef {import("../walk/walk.js").Walk} Walk */
/** @typedef {import("../lens/pickable-cells-view.js").Pointed} Pointed */

/** Of the letters of the page, the largest in the graph. */
const TYPE = 0.8125;
/** The room of a graph that is folded away. */
const FOLDED = { width: 340, height: 560 };

/**
 * The graph of one walk: a row for each line, lanes between them, what is given beside the lines that read it;
 * thumbnails, badges, edges as wide as their gradient. It fits its pane, whatever the pane's size.
 * @param {HTMLElement} root @param {Walk} walk @param {(name: string) => void} select
 */
export function mountGraph(root, walk, select) {
  const undo = cleanups();
  const graph = rowsOf(walk.document);
  const labels = new Map(
    walk.document.nodes.map((node) => [node.name, { text: node.variable, badge: node.gradient !== null }]),
  );
  const read = graph.rows.flatMap(({ name, inputs }) => inputs.map((input) => ({ ...input, to: name })));
  const widths = edgeWidths(walk, graph.spine);
  const legend = mountLegend(byId("graph-legend"), byId("legend"), widths);
  undo.add(legend.unmount);
  const edges = drawEdges(
    [
      ...graph.rails.map(({ from, to }) => ({ from: graph.rows[from].name, to: graph.rows[to].name })),
      ...read.map(({ name, to }) => ({ from: name, to, leftwards: true })),
    ],
    widths.flows,
  );
  /** @type {Map<string, Drawn>} */
  const drawn = new Map();
  /** @type {Map<string, HTMLElement>} "given>row" → where it stands there */
  const pills = new Map();
  const sheet = el("div", { class: "graph-sheet" }, edges.picture);

  /** @param {string} name @returns {HTMLButtonElement} */
  function nodeFor(name) {
    const made = drawNode(walk.node(name));
    undo.on(made.button, "click", () => select(name));
    drawn.set(name, made);
    return made.button;
  }
  for (const { name, inputs } of graph.rows) {
    sheet.append(nodeFor(name));
    for (const input of inputs) {
      const pill = input.again ? drawRepeat(walk.node(input.name)) : nodeFor(input.name);
      if (input.again) undo.on(pill, "click", () => select(input.name));
      pills.set(`${input.name}>${name}`, pill);
      sheet.append(pill);
    }
  }
  root.replaceChildren(sheet);

  function place() {
    legend.fit();
    const type = TYPE * parseFloat(getComputedStyle(document.documentElement).fontSize);
    const room = root.clientHeight ? { width: root.clientWidth, height: root.clientHeight } : FOLDED;
    const layout = layOut(graph, labels, { ...room, type });
    setSizes(sheet, layout);
    byId("graph-legend").style.setProperty("--edge", `${layout.sizes.edge}`);
    sheet.querySelectorAll(".group").forEach((group) => group.remove());
    sheet.prepend(...layout.bands.map((band) => bandOf(band, layout.headings)));
    for (const [name, rect] of layout.nodes) setRect(drawn.get(name)?.button, rect);
    for (const pill of layout.pills) setRect(pills.get(`${pill.name}>${pill.to}`), pill.rect, layout.width);
    edges.place(
      layout.width,
      layout.height,
      [...layout.rails, ...layout.pills].map(({ path }) => path),
    );
  }
  place();
  const watch = new ResizeObserver(place);
  watch.observe(root);
  undo.add(() => watch.disconnect());

  const focus = roving(sheet, ".node");
  undo.add(focus.unmount);

  /** @param {Frame} frame @returns {HTMLElement|undefined} a part of a line stands where the line does */
  function hereOf({ node, step }) {
    const through = step.direction === "backward" ? step.through : null;
    return pills.get(`${node.name}>${through}`) ?? drawn.get(node.inner && through ? through : node.name)?.button;
  }
  /** @type {HTMLElement|undefined} */
  let here;
  return {
    /** @param {Frame} frame */
    update(frame) {
      sheet.classList.toggle("is-backward-step", frame.step.direction === "backward");
      for (const [name, one] of drawn) updateNode(one, walk.node(name), frame);
      edges.update(frame);
      here?.classList.remove("here");
      here = hereOf(frame);
      here?.classList.add("here");
      focus.setCurrent(drawn.get(frame.node.name)?.button ?? null);
    },
    /** @param {import("../lens/highlights.js").Lights|null} lights the nodes that an open number comes through */
    light(lights) {
      for (const [name, { button }] of drawn) button.classList.toggle("in-lens", lights?.nodes.has(name) ?? false);
    },
    /** @param {import("../walk/types.js").Step} step whose edge is walked @param {import("./pulse-view.js").How} how */
    pulse: (step, how) => edges.pulse(step, how),
    reveal: () => here && keepInView(root, here),
    /** @param {Pointed|null} pointed a cell: the nodes in which it and its partners lie are outlined */
    answer(pointed) {
      const names = new Set(pointed?.answer.named.map(({ node }) => node));
      for (const [name, { button }] of drawn) button.classList.toggle("is-pointed", names.has(name));
    },
    unmount() {
      undo.run();
      root.replaceChildren();
    },
  };
}

/** @param {HTMLElement} sheet @param {Layout} layout */
function setSizes(sheet, { width, height, sizes }) {
  Object.assign(sheet.style, { width: `${width}px`, height: `${height}px`, fontSize: `${sizes.font}px` });
  sheet.style.setProperty("--small", `${sizes.small}px`);
  sheet.style.setProperty("--names", `${sizes.names}px`);
  sheet.style.setProperty("--thumb", `${sizes.thumb}px`);
  sheet.style.setProperty("--edge", `${sizes.edge}`);
  sheet.classList.toggle("bare", sizes.saving.bare === true);
  sheet.classList.toggle("plain-pills", sizes.saving.plain === true);
}

/** @param {import("./graph-layout.js").Band} band @param {boolean} heading */
function bandOf({ name, rect }, heading) {
  const band = el("div", { class: "group", title: name }, heading ? el("span", { class: "group-name" }, name) : null);
  setRect(band, rect);
  return band;
}

/**
 * @param {HTMLElement|undefined} element @param {Rect} rect
 * @param {number} [from] the sheet's width: what grows when it is pointed at grows to the left
 */
function setRect(element, { left, top, width, height }, from) {
  if (!element) return;
  const side = from === undefined ? { left: `${left}px` } : { right: `${from - left - width}px` };
  Object.assign(element.style, { ...side, top: `${top}px`, width: `${width}px`, height: `${height}px` });
}

/** @param {HTMLElement} root @param {HTMLElement} node scrolls only when the node comes near the rim */
function keepInView(root, node) {
  const [box, view] = [node.getBoundingClientRect(), root.getBoundingClientRect()];
  if (!view.height) return;
  const rim = Math.min(120, view.height / 4);
  const above = box.top < view.top + rim;
  if (above || box.bottom > view.bottom - rim) root.scrollTop += box.top + box.height / 2 - view.top - view.height / 2;
}
