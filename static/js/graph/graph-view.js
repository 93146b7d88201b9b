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
 */
class Graph {
  /** @param {HTMLElement} root @param {Walk} walk @param {(name: string) => void} select */
  constructor(root, walk, select) {
    this.root = root;
    this.walk = walk;
    this.select = select;
    this.undo = cleanups();
    this.rows = rowsOf(walk.document);
    this.labels = new Map(
      walk.document.nodes.map((node) => [node.name, { text: node.variable, badge: node.gradient !== null }]),
    );
    const widths = edgeWidths(walk, this.rows.spine);
    this.legend = mountLegend(byId("graph-legend"), byId("legend"), widths);
    this.edges = drawEdges(edgesOf(this.rows), widths.flows);
    /** @type {Map<string, Drawn>} */
    this.drawn = new Map();
    /** @type {Map<string, HTMLElement>} "given>row" → where it stands there */
    this.pills = new Map();
    /** @type {HTMLElement|undefined} */
    this.here = undefined;
    this.sheet = el("div", { class: "graph-sheet" }, this.edges.picture);
    for (const row of this.rows.rows) this.#drawRow(row);
    root.replaceChildren(this.sheet);
    this.#place();
    const watch = new ResizeObserver(() => this.#place());
    watch.observe(root);
    this.focus = roving(this.sheet, ".node");
    for (const undo of [this.legend.unmount, () => watch.disconnect(), this.focus.unmount]) this.undo.add(undo);
  }

  /** @param {import("./graph-rows.js").Row} row */
  #drawRow({ name, inputs }) {
    this.sheet.append(this.#nodeFor(name));
    for (const input of inputs) {
      const pill = input.again ? drawRepeat(this.walk.node(input.name)) : this.#nodeFor(input.name);
      if (input.again) this.undo.on(pill, "click", () => this.select(input.name));
      this.pills.set(`${input.name}>${name}`, pill);
      this.sheet.append(pill);
    }
  }

  /** @param {string} name @returns {HTMLButtonElement} */
  #nodeFor(name) {
    const made = drawNode(this.walk.node(name));
    this.undo.on(made.button, "click", () => this.select(name));
    this.drawn.set(name, made);
    return made.button;
  }

  #place() {
    const { root, sheet } = this;
    this.legend.fit();
    const type = TYPE * parseFloat(getComputedStyle(document.documentElement).fontSize);
    const room = root.clientHeight ? { width: root.clientWidth, height: root.clientHeight } : FOLDED;
    const layout = layOut(this.rows, this.labels, { ...room, type });
    setSizes(sheet, layout);
    byId("graph-legend").style.setProperty("--edge", `${layout.sizes.edge}`);
    sheet.querySelectorAll(".group").forEach((group) => group.remove());
    sheet.prepend(...layout.bands.map((band) => bandOf(band, layout.headings)));
    for (const [name, rect] of layout.nodes) setRect(this.drawn.get(name)?.button, rect);
    for (const pill of layout.pills) setRect(this.pills.get(`${pill.name}>${pill.to}`), pill.rect, layout.width);
    const paths = [...layout.rails, ...layout.pills].map(({ path }) => path);
    this.edges.place(layout.width, layout.height, paths);
  }

  /** @param {Frame} frame @returns {HTMLElement|undefined} a part of a line stands where the line does */
  #hereOf({ node, step }) {
    const through = step.direction === "backward" ? step.through : null;
    const name = node.inner && through ? through : node.name;
    return this.pills.get(`${node.name}>${through}`) ?? this.drawn.get(name)?.button;
  }

  update = (/** @type {Frame} */ frame) => {
    this.sheet.classList.toggle("is-backward-step", frame.step.direction === "backward");
    for (const [name, one] of this.drawn) updateNode(one, this.walk.node(name), frame);
    this.edges.update(frame);
    this.here?.classList.remove("here");
    this.here = this.#hereOf(frame);
    this.here?.classList.add("here");
    this.focus.setCurrent(this.drawn.get(frame.node.name)?.button ?? null);
  };

  follow = this.update;

  /** @param {import("../lens/highlights.js").Lights|null} lights the nodes that an open number comes through */
  light = (lights) => {
    for (const [name, { button }] of this.drawn) button.classList.toggle("in-lens", lights?.nodes.has(name) ?? false);
  };

  /** @param {import("../walk/types.js").Step} step whose edge is walked @param {import("./pulse-view.js").How} how */
  pulse = (step, how) => this.edges.pulse(step, how);

  reveal = () => this.here && keepInView(this.root, this.here);

  /** @param {Pointed|null} pointed a cell: the nodes in which it and its partners lie are outlined */
  answer = (pointed) => {
    const names = new Set(pointed?.answer.named.map(({ node }) => node));
    for (const [name, { button }] of this.drawn) button.classList.toggle("is-pointed", names.has(name));
  };

  unmount = () => {
    this.undo.run();
    this.root.replaceChildren();
  };
}

/** @param {HTMLElement} root @param {Walk} walk @param {(name: string) => void} select */
export const mountGraph = (root, walk, select) => new Graph(root, walk, select);

/** @param {ReturnType<typeof rowsOf>} graph @returns {Parameters<typeof drawEdges>[0]} */
function edgesOf({ rows, rails }) {
  return [
    ...rails.map(({ from, to }) => ({ from: rows[from].name, to: rows[to].name })),
    ...rows.flatMap(({ name, inputs }) => inputs.map((input) => ({ from: input.name, to: name, leftwards: true }))),
  ];
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
