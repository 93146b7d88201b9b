import { doubled } from "./beginning.js";
import { offers, offersAt, placeAt } from "./completion.js";
import { marked } from "./marks.js";
import { Offers } from "./offers-view.js";
import { indentAfter } from "../shared/new-line.js";
import { cleanups, el } from "../shared/dom/elements.js";
/** @typedef {import("./completion.js").Named} Named */
/** @typedef {import("./marks.js").Where} Where */
/**
 * @typedef {{check: (text: string) => void, typed: (text: string) => void, leave?: () => void}} Acts `check`: Enter
 *   was pressed; `leave`: Escape was
 */

const LETTER = 0.6; // of the letters' size is how wide one is
const TEXT = {
  class: "field-text",
  rows: 1,
  "aria-autocomplete": "list",
  "aria-haspopup": "listbox",
  spellcheck: "false",
  autocapitalize: "off",
  autocomplete: "off",
  autocorrect: "off",
  enterkeyhint: "go",
};
let fields = 0;

/**
 * A field for a line or several: a text area over its own copy, where characters can be marked, with the names in scope
 * offered while one is typed. Enter checks, Shift+Enter begins a line; undo stays the browser's.
 * @param {{label: string, beginning: string}} about `beginning` is put into an empty field that gets the focus
 * @param {Acts} acts
 */
export function mountField(about, acts) {
  return new Field(about, acts);
}

class Field {
  /** @param {{label: string, beginning: string}} about @param {Acts} acts */
  constructor({ label, beginning }, acts) {
    this.acts = acts;
    this.beginning = beginning;
    this.copy = el("pre", { class: "field-copy", "aria-hidden": "true" });
    this.area = el("textarea", { ...TEXT, id: `field-${(fields += 1)}`, "aria-label": label });
    this.offers = new Offers(this.area, (named) => this.take(named));
    this.root = el("div", { class: "field" }, this.copy, this.area, this.offers.list);
    /** @type {Named[]} */
    this.names = [];
    /** @type {Where|null} */
    this.where = null;
    this.undo = cleanups();
    this.listen();
    this.paint();
  }

  listen() {
    const { undo, area, offers } = this;
    undo.on(area, "keydown", (event) => this.press(event));
    undo.on(area, "input", () => this.typed());
    undo.on(area, "focus", () => this.begin());
    undo.on(area, "blur", () => this.left());
    undo.on(area, "scroll", () => offers.close());
    undo.on(window, "resize", () => offers.close());
    undo.on(document, "scroll", (event) => !offers.list.contains(event.target) && offers.open && this.align(), true);
  }

  paint() {
    this.copy.replaceChildren(...marked(this.area.value, this.where).map(copyOf));
    this.root.classList.toggle("empty", this.area.value.trim() === "" || this.area.value === this.beginning);
  }

  changed() {
    this.where = null;
    this.paint();
    this.acts.typed(this.area.value);
  }

  /** @param {string} text so that the browser's undo knows of it */
  insert(text) {
    // the old command is the only way to do that
    if (!document.execCommand("insertText", false, text)) {
      this.area.setRangeText(text, this.area.selectionStart, this.area.selectionEnd, "end");
      this.changed();
    }
  }

  /** @param {Named[]} names */
  offer(names) {
    this.offers.show(names);
    if (names.length) this.align();
  }

  /** The names go below the line of the caret, at the beginning of the word. */
  align() {
    const { value, selectionStart } = this.area;
    const above = value.slice(0, placeAt(value, selectionStart)?.from ?? selectionStart).split("\n");
    const line = this.copy.children[above.length - 1]?.getBoundingClientRect();
    const letter = parseFloat(getComputedStyle(this.copy).getPropertyValue("font-size")) * LETTER;
    if (line) this.offers.place(line, above[above.length - 1].length * letter);
  }

  /** @param {Named} named takes the place of what is being typed */
  take({ name }) {
    const spot = placeAt(this.area.value, this.area.selectionStart);
    this.offers.close();
    if (!spot) return;
    this.area.setSelectionRange(spot.from, spot.to);
    this.insert(name);
    this.offers.close();
  }

  newLine() {
    this.insert(`\n${indentAfter(this.area.value.slice(0, this.area.selectionStart))}`);
    this.offers.close();
  }

  check() {
    this.offers.close();
    this.acts.check(this.area.value);
  }

  /** @param {KeyboardEvent} event */
  press(event) {
    if (event.isComposing || event.altKey || event.metaKey) return;
    const acted = this.meant(event.ctrlKey ? `Ctrl+${event.key}` : event.key, event.shiftKey);
    if (!acted) return;
    event.preventDefault();
    event.stopPropagation();
    acted();
  }

  /** @param {string} key @param {boolean} shifted @returns {(() => void)|undefined} what it does here */
  meant(key, shifted) {
    const { offers: list, acts, area } = this;
    const { chosen } = list;
    const always = {
      Enter: chosen ? () => this.take(chosen) : shifted ? () => this.newLine() : () => this.check(),
      "Ctrl+Enter": () => acts.check(area.value),
      "Ctrl+ ": () => this.offer(offers(this.names, placeAt(area.value, area.selectionStart)?.word ?? "")),
    };
    const choosing = { ArrowDown: () => list.move(1), ArrowUp: () => list.move(-1), Escape: () => list.close() };
    return /** @type {Record<string, () => void>} */ ({
      ...always,
      ...(list.open ? choosing : acts.leave && { Escape: acts.leave }),
    })[key];
  }

  typed() {
    this.beginOnce();
    this.changed();
    this.offer(offersAt(this.names, this.area.value, this.area.selectionStart));
  }

  /** A whole line behind the beginning brings its own: the first goes, and the caret stays where it is. */
  beginOnce() {
    const { area } = this;
    const [twice, caret] = [doubled(area.value, this.beginning), area.selectionStart];
    if (!twice) return;
    area.setSelectionRange(0, twice);
    if (!document.execCommand("delete")) area.setRangeText("", 0, twice, "end");
    area.setSelectionRange(caret - twice, caret - twice);
  }

  begin() {
    if (this.area.value !== "") return;
    this.area.value = this.beginning;
    this.area.setSelectionRange(this.beginning.length, this.beginning.length);
    this.changed();
  }

  left() {
    this.offers.close();
    if (this.area.value !== this.beginning) return;
    this.area.value = "";
    this.changed();
  }

  /** @param {string} text put in by the page */
  place(text) {
    const { area } = this;
    if (area.value === text || (text === "" && area.value === this.beginning && document.activeElement === area))
      return;
    area.value = text;
    this.where = null;
    this.paint();
  }

  /** @param {Where|null} next the characters that a diagnosis speaks of */
  mark(next) {
    if (JSON.stringify(next) === JSON.stringify(this.where)) return;
    this.where = next;
    this.paint();
  }

  /** @param {Named[]} names */
  scope(names) {
    this.names = names;
  }

  unmount = () => {
    this.offers.close();
    this.undo.run();
  };
}

/** @param {ReturnType<typeof marked>[number]} pieces a line's */
function copyOf(pieces) {
  const spans = pieces.map(({ text, marked }) => (marked ? el("span", { class: "mistake" }, text) : text));
  return el("span", { class: "field-line" }, ...spans, "\u200b");
}
