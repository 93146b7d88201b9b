import { drawEdges } from "./edges-view.js";
import { layOut } from "./graph-layout.js";
import { rowsOf } from "./graph-rows.js";
import { shortIn } from "../walk/called.js";
import { drawNode, drawRepeat, forgetNode, updateNode } from "./node-view.js";
import { setRect } from "./set-rect-view.js";
import { cleanups } from "../shared/dom/elements.js";
/** @typedef {import("../walk/frame.js").Frame} Frame */
/** @typedef {import("../walk/walk.js").Walk} Walk */
/** @typedef {import("./graph-layout.js").Layout} Layout */
/** @typedef {import("./graph-layout.js").Rect} Rect */
/** @typedef {import("./graph-rows.js").Rows} Rows */
/** @typedef {import("./node-view.js").Drawn} Drawn */
/** Some of the lines, and where. @typedef {{names: string[], at: Rect, sheet: {width: number, height: number}}} Part */

/**
 * The lines of a walk, all of them or those of one box: a row for each, lanes between them, what is given beside the
 * lines that read it.
 */
export class Lines {
  /**
   * @param {HTMLElement} sheet @param {Walk} walk
   * @param {ReturnType<typeof import("./edge-widths.js").edgeWidths>} widths
   * @param {Rows} rows @param {(name: string) => void} select
   */
  constructor(sheet, walk, widths, rows, select) {
    this.sheet = sheet;
    this.walk = walk;
    this.rows = rows;
    this.select = select;
    this.undo = cleanups();
    this.labels = new Map(
      walk.document.nodes.map((node) => [
        node.name,
        { text: shortIn(walk, node.variable), badge: node.gradient !== null },
      ]),
    );
    this.keys = edgesOf(rows);
    this.edges = drawEdges(this.keys, widths.flows);
    sheet.append(this.edges.picture);
    /** @type {Map<string, Drawn>} */
    this.drawn = new Map();
    /** @type {Map<string, HTMLElement>} "given>row" → where it stands there */
    this.pills = new Map();
    /** @type {Map<string, Rect>} where each node and pill stands */
    this.places = new Map();
    for (const row of rows.rows) this.#drawRow(row);
  }

  /** @param {import("./graph-rows.js").Row} row */
  #drawRow({ name, inputs }) {
    this.sheet.append(this.#nodeFor(name));
    for (const input of inputs) {
      const pill = input.again ? drawRepeat(this.walk, this.walk.node(input.name)) : this.#nodeFor(input.name);
      if (input.again) this.undo.on(pill, "click", () => this.select(input.name));
      this.pills.set(`${input.name}>${name}`, pill);
      this.sheet.append(pill);
    }
  }

  /** @param {string} name @returns {HTMLButtonElement} */
  #nodeFor(name) {
    const made = drawNode(this.walk, this.walk.node(name));
    this.undo.on(made.button, "click", () => this.select(name));
    this.drawn.set(name, made);
    return made.button;
  }

  /**
   * @param {import("./graph-sizes.js").Room} room @param {Part|null} only these lines, there on the sheet
   * @returns {Layout}
   */
  place(room, only) {
    const rows = only ? rowsOf(partOf(this.walk.document, only.names)) : this.rows;
    const layout = layOut(rows, this.labels, only ? { ...room, width: only.at.width, height: only.at.height } : room);
    const spare = only ? Math.max(0, (only.at.height - layout.height) / 2) : 0;
    const [dx, dy] = only ? [only.at.left, only.at.top + spare] : [0, 0];
    const move = (/** @type {Rect} */ rect) => ({ ...rect, left: rect.left + dx, top: rect.top + dy });
    this.places.clear();
    for (const [name, rect] of layout.nodes) this.places.set(name, move(rect));
    for (const pill of layout.pills) this.places.set(`${pill.name}>${pill.to}`, move(pill.rect));
    const paths = new Map(
      [...layout.rails.map((rail) => ({ ...rail, name: rail.from })), ...layout.pills].map((edge) => [
        `${edge.name}>${edge.to}`,
        edge.path,
      ]),
    );
    const { width, height } = only?.sheet ?? layout;
    this.edges.picture.toggleAttribute("hidden", false);
    this.edges.place(
      { left: -dx, top: -dy, width, height },
      this.keys.map(({ from, to }) => paths.get(`${from}>${to}`) ?? ""),
    );
    return layout;
  }

  /** Out of sight. */
  leave() {
    this.places.clear();
    this.edges.picture.toggleAttribute("hidden", true);
  }

  /** Puts what has a place there, and hides the rest. @param {number} width of the sheet */
  settle(width) {
    for (const [key, element, pill] of this.#elements()) {
      const rect = this.places.get(key);
      element.hidden = !rect;
      // what grows when it is pointed at grows to the left
      if (rect) setRect(element, rect, pill ? width : undefined);
    }
  }

  /** @returns {[string, HTMLElement, boolean][]} every node and pill by the key of its place */
  #elements() {
    const rows = this.rows.rows.flatMap(({ name }) => {
      const drawn = this.drawn.get(name);
      return drawn ? [/** @type {[string, HTMLElement, boolean]} */ ([name, drawn.button, false])] : [];
    });
    return [
      ...rows,
      ...[...this.pills].map(([key, pill]) => /** @type {[string, HTMLElement, boolean]} */ ([key, pill, true])),
    ];
  }

  /** @returns {{line: string, element: HTMLElement, rect: Rect}[]} all that is in sight, by the line that has it */
  get shown() {
    return this.#elements().flatMap(([key, element]) => {
      const rect = this.places.get(key);
      return rect ? [{ line: key.split(">").at(-1) ?? key, element, rect }] : [];
    });
  }

  /** @param {Frame} frame @returns {HTMLElement|undefined} a part of a line stands where the line does */
  hereOf({ node, step }) {
    const through = step.direction === "backward" ? step.through : null;
    const name = node.inner && through ? through : node.name;
    return this.pills.get(`${node.name}>${through}`) ?? this.drawn.get(name)?.button;
  }

  /** @param {Frame} frame */
  update(frame) {
    for (const [name, one] of this.drawn)
      if (one.button.hidden) forgetNode(one);
      else updateNode(one, this.walk.node(name), frame);
    if (this.places.size) this.edges.update(frame);
  }

  unmount = () => this.undo.run();
}

/**
 * @param {import("../walk/types.js").WalkDocument} document @param {string[]} names of lines
 * @returns {Pick<import("../walk/types.js").WalkDocument, "nodes"|"loss">} a program of these lines alone
 */
function partOf({ nodes, loss }, names) {
  return { nodes: nodes.filter((node) => node.line === null || names.includes(node.name)), loss };
}

/** @param {Rows} graph @returns {{from: string, to: string, leftwards?: boolean}[]} */
function edgesOf({ rows, rails }) {
  return [
    ...rails.map(({ from, to }) => ({ from: rows[from].name, to: rows[to].name })),
    ...rows.flatMap(({ name, inputs }) => inputs.map((input) => ({ from: input.name, to: name, leftwards: true }))),
  ];
}
