import { boxesOf } from "../walk/boxes.js";
import { drawBoxes } from "./boxes-view.js";
import { layOutBoxes, wiresOf } from "./boxes-layout.js";
import { makeCamera } from "./camera-view.js";
import { edgeWidths } from "./edge-widths.js";
import { mountLegend } from "./graph-legend-view.js";
import { rowsOf } from "./graph-rows.js";
import { Lines } from "./lines-view.js";
import { setRect } from "./set-rect-view.js";
import { byId, cleanups, el } from "../shared/dom/elements.js";
import { roving } from "../shared/dom/roving-focus.js";
/** @typedef {import("../walk/frame.js").Frame} Frame */
/** @typedef {import("./graph-layout.js").Layout} Layout */
/** @typedef {import("./graph-layout.js").Rect} Rect */
/** @typedef {import("../walk/walk.js").Walk} Walk */
/** @typedef {import("../lens/pickable-cells-view.js").Pointed} Pointed */
/**
 * How the graph is drawn: at which distance, and which box is open. @typedef {{distance: Frame["distance"],
 *   open: string|null}} View
 */

/** Of the letters of the page, the largest in the graph. */
const TYPE = 0.8125;
/** The room of a graph that is folded away. */
const FOLDED = { width: 340, height: 560 };
/** What the keyboard comes to in it. */
const STOPS = ".box-face, .node:not([hidden])";

/**
 * The graph of one walk, at three distances: its boxes, the lines of the box in which the walk is, all lines. It fits
 * its pane, whatever the pane's size.
 */
class Graph {
  /** @param {HTMLElement} root @param {Walk} walk @param {(name: string) => void} select */
  constructor(root, walk, select) {
    this.root = root;
    this.walk = walk;
    this.undo = cleanups();
    /** @type {Frame|null} */
    this.frame = null;
    /** @type {View} */
    this.view = { distance: null, open: null };
    /** @type {Map<string, Rect>} where each box is, or the band of its lines */
    this.rects = new Map();
    const rows = rowsOf(walk.document);
    const widths = edgeWidths(walk, rows.spine);
    this.legend = mountLegend(byId("graph-legend"), byId("legend"), widths);
    this.sheet = el("div", { class: "graph-sheet" });
    this.lines = new Lines(this.sheet, walk, widths, rows, select);
    this.boxes = boxesOf(walk.document);
    this.wires = wiresOf(walk.document, this.boxes);
    this.far = drawBoxes(this.sheet, walk, this.boxes, widths.flows);
    this.camera = makeCamera();
    /** @type {HTMLElement|undefined} */
    this.here = undefined;
    this.scrolls = false;
    root.replaceChildren(this.sheet);
    const watch = new ResizeObserver(() => this.frame && this.#place());
    watch.observe(root);
    this.focus = roving(this.sheet, STOPS);
    for (const undo of [this.legend.unmount, () => watch.disconnect(), this.focus.unmount, this.lines.unmount])
      this.undo.add(undo);
    this.undo.add(this.camera.arrive);
  }

  #place() {
    const { root, sheet, view } = this;
    this.legend.fit();
    const type = TYPE * parseFloat(getComputedStyle(document.documentElement).fontSize);
    const room = { ...(root.clientHeight ? { width: root.clientWidth, height: root.clientHeight } : FOLDED), type };
    const far = view.distance === "boxes" || view.distance === "box";
    sheet.querySelectorAll(".group").forEach((group) => group.remove());
    sheet.style.setProperty("--type", `${type}px`);
    this.far.show(far);
    const { height } = far ? this.#placeBoxes(room) : this.#placeLines(room);
    this.scrolls = height > room.height;
  }

  /** @param {import("./graph-sizes.js").Room} room */
  #placeLines(room) {
    const { sheet, lines } = this;
    const layout = lines.place(room, null);
    setSizes(sheet, layout, layout);
    sheet.prepend(...layout.bands.map((band) => bandOf(band, layout.headings)));
    lines.settle(layout.width);
    this.rects = new Map(
      this.boxes.flatMap(({ key, name, lines: own }) => {
        const band = layout.bands.find((one) => one.name === name);
        const row = layout.nodes.get(own[0]);
        return band || row ? [[key, band?.rect ?? /** @type {Rect} */ (row)]] : [];
      }),
    );
    return layout;
  }

  /** @param {import("./graph-sizes.js").Room} room */
  #placeBoxes(room) {
    const { sheet, lines, view } = this;
    const layout = layOutBoxes(this.boxes, this.wires, view.open, room);
    this.far.place(layout, view.open);
    sheet.classList.toggle("one-open", view.open !== null);
    const opened = this.boxes.find(({ key }) => key === view.open);
    lines.leave();
    const inner =
      opened && layout.inside && lines.place(room, { names: opened.lines, at: layout.inside, sheet: layout });
    setSizes(sheet, layout, inner);
    lines.settle(layout.width);
    this.rects = layout.boxes;
    return layout;
  }

  /** Comes nearer, or goes further away. @param {View} view */
  #travel(view) {
    const { boxes, lines, far, rects: before, sheet } = this;
    const focused = sheet.contains(document.activeElement) ? /** @type {HTMLElement} */ (document.activeElement) : null;
    const first = this.view.distance === null && !this.rects.size;
    this.view = view;
    this.#place();
    if (first || view.distance === null) return;
    if (focused) this.#focusNear(focused);
    const boxOf = (/** @type {string} */ line) => boxes.find((box) => box.lines.includes(line))?.key ?? "";
    const near = view.distance === "lines";
    this.camera.glide(before, this.rects, {
      boxes: new Map(near ? [] : far.drawn.map(({ box, root }) => [box.key, root])),
      parts: lines.shown.map(({ line, element, rect }) => ({ element, rect, box: boxOf(line) })),
      fading: [...sheet.querySelectorAll(".graph-edges:not([hidden]), .group")],
    });
  }

  /** The focus stays in the box where it was. @param {HTMLElement} focused */
  #focusNear(focused) {
    const line = focused.dataset.node ?? "";
    const held = this.boxes.find(({ key, lines, given }) => {
      return (
        key === focused.closest(".box")?.querySelector(".box-face")?.getAttribute("data-box") ||
        [...lines, ...given].includes(line)
      );
    });
    const face = this.far.drawn.find(({ box }) => box === held)?.face;
    const near =
      this.view.distance === "boxes" ? face : (this.lines.drawn.get(this.frame?.node.name ?? "")?.button ?? face);
    if (this.view.distance !== "boxes" || !focused.checkVisibility()) near?.focus({ preventScroll: true });
  }

  update = (/** @type {Frame} */ frame) => {
    const { sheet, far, lines } = this;
    this.frame = frame;
    const open = frame.distance === "box" ? (frame.box?.key ?? null) : null;
    const moved = frame.distance !== this.view.distance || open !== this.view.open || !this.rects.size;
    sheet.classList.toggle("is-backward-step", frame.step.direction === "backward");
    if (moved) this.#travel({ distance: frame.distance, open });
    lines.update(frame);
    if (frame.distance === "boxes" || frame.distance === "box") far.update(frame, open);
    this.here?.classList.remove("here");
    const node = lines.hereOf(frame);
    const face = far.drawn.find(({ box }) => box === frame.box)?.face;
    this.here = node && !node.hidden ? node : undefined;
    this.here?.classList.add("here");
    this.focus.setCurrent(
      this.here?.matches(".node") ? this.here : ((frame.distance === "lines" ? null : face) ?? null),
    );
  };

  follow = this.update;

  /** @param {import("../lens/highlights.js").Lights|null} lights the nodes that an open number comes through */
  light = (lights) => {
    for (const [name, { button }] of this.lines.drawn)
      button.classList.toggle("in-lens", lights?.nodes.has(name) ?? false);
  };

  /** @param {import("../walk/types.js").Step} step whose edge is walked @param {import("./pulse-view.js").How} how */
  pulse = (step, how) => this.view.distance !== "boxes" && this.lines.edges.pulse(step, how);

  /** To read positions makes the browser lay out the page: only where something can be out of sight. */
  reveal = () => this.scrolls && this.here && keepInView(this.root, this.here);

  /** @param {Pointed|null} pointed a cell: the nodes in which it and its partners lie are outlined */
  answer = (pointed) => {
    const names = new Set(pointed?.answer.named.map(({ node }) => node));
    for (const [name, { button }] of this.lines.drawn) button.classList.toggle("is-pointed", names.has(name));
  };

  /** @returns {{name: string, element: HTMLElement}[]} thumbnails in sight, of lines and of boxes that are closed */
  marks = () => [
    ...[...this.lines.drawn].flatMap(([name, { button, thumb }]) =>
      button.hidden ? [] : [{ name, element: button.matches(".pill") ? button : thumb }],
    ),
    ...this.far.drawn.flatMap(({ box, root, face }) => {
      const element = root.hidden || box.key === this.view.open ? null : face.querySelector("canvas");
      return element ? [{ name: box.output, element }] : [];
    }),
  ];

  unmount = () => {
    this.undo.run();
    this.root.replaceChildren();
  };
}

/** @param {HTMLElement} root @param {Walk} walk @param {(name: string) => void} select */
export const mountGraph = (root, walk, select) => new Graph(root, walk, select);

/**
 * @param {HTMLElement} sheet @param {{width: number, height: number}} size
 * @param {Layout|null|undefined} lines that are drawn on it
 */
function setSizes(sheet, { width, height }, lines) {
  Object.assign(sheet.style, { width: `${width}px`, height: `${height}px` });
  if (!lines) return;
  const { sizes } = lines;
  sheet.style.fontSize = `${sizes.font}px`;
  sheet.style.setProperty("--small", `${sizes.small}px`);
  sheet.style.setProperty("--names", `${sizes.names}px`);
  sheet.style.setProperty("--thumb", `${sizes.thumb}px`);
  sheet.style.setProperty("--edge", `${sizes.edge}`);
  byId("graph-legend").style.setProperty("--edge", `${sizes.edge}`);
  sheet.classList.toggle("bare", sizes.saving.bare === true);
  sheet.classList.toggle("plain-pills", sizes.saving.plain === true);
}

/** @param {import("./graph-layout.js").Band} band @param {boolean} heading */
function bandOf({ name, rect }, heading) {
  const band = el("div", { class: "group", title: name }, heading ? el("span", { class: "group-name" }, name) : null);
  setRect(band, rect);
  return band;
}

/** @param {HTMLElement} root @param {HTMLElement} node scrolls only when the node comes near the rim */
function keepInView(root, node) {
  const [box, view] = [node.getBoundingClientRect(), root.getBoundingClientRect()];
  if (!view.height) return;
  const rim = Math.min(120, view.height / 4);
  const above = box.top < view.top + rim;
  if (above || box.bottom > view.bottom - rim) root.scrollTop += box.top + box.height / 2 - view.top - view.height / 2;
}
