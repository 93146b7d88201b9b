import { termsIn } from "./highlights.js";
import { beside, boxOfCell, cellUnder } from "./drawn-cells.js";
import { ARROWS } from "../shared/arrow-keys.js";
import { markIn, reachIn } from "../walk/pick.js";
import { cleanups } from "../shared/dom/elements.js";
import { mountLongPress } from "../shared/dom/long-press.js";
import { drawAnswer } from "./highlights-view.js";
import { drawMarks } from "./marks-view.js";
/** @typedef {import("../walk/frame.js").Frame} Frame */
/** @typedef {import("./lens.js").Term} Term */
/** @typedef {import("./highlights.js").Lights} Lights */
/** @typedef {import("../walk/pick.js").Subject} Subject */
/** @typedef {import("../shared/tensor.js").Tensor} Tensor */
/**
 * A drawn tensor; `stretch` is the shape it is copied to. One without a subject is an expression: its cells are read,
 * but do not open.
 * @typedef {import("./pointing.js").Sheet & {element: HTMLElement, stretch: number[]|null, width: number,
 *   height: number}} Map
 */
/** @typedef {{map: Map, cell: number[], answer: import("./pointing.js").Answer}} Pointed */
/** @typedef {import("./drawn-cells.js").Place} Place */
/**
 * @typedef {{point: (map: Map, cell: number[], at: Place) => void, shows: (map: Map, cell: number[]) => boolean,
 *   clear: () => void}} Pointing
 */
/**
 * @typedef {{pick: (subject: Subject, cell: number[]) => void, enter: (subject: Subject, tensor: Tensor) => void,
 *   extend: (subject: Subject, cell: number[]) => void,
 *   follow: (term: Term) => void, pointing: Pointing, hold?: (tensor: string, cell: number[]) => void,
 *   letGo?: () => void}} Acts `hold`: a cell is pressed for longer than a click, until it is let go
 */

/**
 * Cells that can be picked, in every `[data-map]` inside `root`: with the pointer, with the arrow keys, with Enter;
 * with Shift several of them.
 */
class PickableCells {
  /** @param {HTMLElement} root @param {Acts} acts */
  constructor(root, acts) {
    this.root = root;
    this.acts = acts;
    /** @type {Map[]} */
    this.maps = [];
    /** @type {Frame|null} */
    this.frame = null;
    /** @type {Lights|null} */
    this.lights = null;
    /** @type {Term|null} */
    this.hot = null;
    /** @type {Place|null} where the pointer rests */
    this.over = null;
    /** @type {{map: Map, cell: number[]}|null} the cell of an expression that the keyboard has come to */
    this.read = null;
    this.undo = cleanups();
    this.holding = this.undo.part(mountLongPress(() => acts.letGo?.()));
    this.#listen();
  }

  #listen() {
    const hear = (/** @type {string} */ type, /** @type {(event: any) => void} */ act) =>
      this.undo.on(this.root, type, act);
    hear("click", (event) => this.#click(event));
    hear("pointermove", (event) => this.#move(event));
    hear("pointerleave", (/** @type {PointerEvent} */ { pointerType }) => {
      if (pointerType === "touch") return;
      this.over = null;
      this.acts.pointing.clear();
    });
    hear("focusin", (event) => {
      const map = this.#mapOf(event);
      if (map?.element.matches(":focus-visible")) this.#pointAtFocus(map);
    });
    hear("focusout", () => !this.over && this.acts.pointing.clear());
    hear("keydown", (event) => this.#press(event));
    hear("pointerdown", (event) => this.#holdOn(event));
    hear("mousedown", (event) => {
      if (event.shiftKey && this.#mapOf(event)) event.preventDefault(); // chooses cells, and no text
    });
  }

  /** @param {Event} event @returns {Map|undefined} */
  #mapOf({ target }) {
    const element = target instanceof Element ? target.closest("[data-map]") : null;
    return this.maps.find((map) => map.element === element);
  }

  /** A press that lasts holds the cell. @param {PointerEvent} event */
  #holdOn(event) {
    const map = this.#mapOf(event);
    const { hold } = this.acts;
    if (!map?.subject || !hold) return this.holding.begin(event, null);
    const { tensor } = map.subject;
    const cell = cellAt(map, placeOf(event));
    this.holding.begin(event, () => hold(tensor, cell));
  }

  /** @param {PointerEvent} event */
  #click(event) {
    const { acts, lights } = this;
    const map = this.#mapOf(event);
    if (!map || this.holding.took(event)) return;
    const at = placeOf(event);
    const cell = cellAt(map, at);
    // a finger has nothing to point with: its first tap does
    if (event.pointerType === "touch" && !acts.pointing.shows(map, cell)) return acts.pointing.point(map, cell, at);
    const { subject } = map;
    if (!subject) return;
    if (event.shiftKey) return acts.extend(subject, cell);
    const term = lights && termsIn(lights, subject).find((one) => one.cell.join() === cell.join());
    if (term) acts.follow(term);
    else acts.pick(subject, cell);
  }

  /** @param {PointerEvent} event */
  #move(event) {
    if (event.pointerType === "touch") return;
    this.over = placeOf(event);
    const map = this.#mapOf(event);
    if (map) this.acts.pointing.point(map, cellAt(map, this.over), this.over);
    else this.acts.pointing.clear();
  }

  /** @param {KeyboardEvent} event */
  #press(event) {
    const map = this.#mapOf(event);
    const move = ARROWS[event.key];
    if (!map || !this.frame || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key !== "Enter" && !move) return;
    event.preventDefault();
    event.stopPropagation();
    this.over = null;
    const { acts, frame } = this;
    const { subject, tensor } = map;
    if (!subject) this.#readOn(map, move ?? [0, 0]);
    else if (!move) acts.enter(subject, tensor);
    else if (event.shiftKey)
      acts.extend(subject, beside(tensor, reachIn(frame, subject) ?? markIn(frame, subject), move));
    else acts.pick(subject, beside(tensor, markIn(frame, subject), move));
  }

  /** @param {Map} map of an expression @param {[number, number]} move */
  #readOn(map, move) {
    this.read = { map, cell: beside(map.tensor, this.read?.map === map ? this.read.cell : null, move) };
    this.#pointAtFocus(map);
  }

  /** @param {Map} map with the focus: the cell that is picked in it answers, or the one that is read */
  #pointAtFocus(map) {
    const { frame, read } = this;
    const cell = map.subject ? frame && markIn(frame, map.subject) : read?.map === map ? read.cell : null;
    const flat = cell ? map.tensor.flatOf(cell) : -1;
    if (!cell || flat < 0) return;
    const { left, top, width, height } = boxOfCell(map, map.element.getBoundingClientRect(), flat);
    this.acts.pointing.point(map, cell, { x: left + width, y: top + height });
  }

  /** After the pictures have changed under a pointer that rests, or under the focus. */
  #pointAgain() {
    const { over } = this;
    const map = this.maps.find(({ element }) => element.matches(over ? ":hover" : ":focus-visible"));
    if (!map) return;
    if (over) this.acts.pointing.point(map, cellAt(map, over), over);
    else this.#pointAtFocus(map);
  }

  #mark() {
    if (this.frame) drawMarks(this.frame, this.maps, this.lights, this.hot);
  }

  /** @param {Map[]} drawn anew @param {Frame} next */
  set = (drawn, next) => {
    const { frame } = this;
    const same = frame !== null && frame.step === next.step && frame.node === next.node;
    [this.maps, this.frame, this.read] = [drawn, next, null];
    this.#mark();
    if (same || !this.over) this.#pointAgain();
  };

  /** @param {Frame} next @param {Lights|null} lights @param {Term|null} hot the term that is pointed at */
  point = (next, lights, hot) => {
    [this.frame, this.lights, this.hot] = [next, lights, hot];
    this.#mark();
    this.#pointAgain();
  };

  /** @param {Pointed|null} pointed outlines what belongs to the cell that is pointed at */
  answer = (pointed) => {
    for (const map of this.maps) drawAnswer(map, pointed);
  };

  /** @returns {string|null} the map that has the focus */
  focused = () => {
    if (!this.root.contains(document.activeElement)) return null;
    return /** @type {HTMLElement} */ (document.activeElement).dataset.map ?? null;
  };

  /** @returns {import("../wobble/wobble-view.js").Mark[]} what is drawn here of tensors that have a name */
  marks = () =>
    this.maps.flatMap(({ subject, element }) =>
      subject ? [{ name: subject.tensor, element, backward: subject.of !== "value" }] : [],
    );

  unmount = () => this.undo.run();
}

/** @param {HTMLElement} root @param {Acts} acts */
export const mountPickableCells = (root, acts) => new PickableCells(root, acts);

/** @param {MouseEvent} event @returns {Place} */
function placeOf({ clientX, clientY }) {
  return { x: clientX, y: clientY };
}

/** @param {Map} map @param {Place} at @returns {number[]} */
function cellAt(map, at) {
  return cellUnder(map, map.element.getBoundingClientRect(), at);
}
