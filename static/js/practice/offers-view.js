import { besideLine } from "../shared/beside-line.js";
import { shapeText } from "../shared/format.js";
import { el } from "../shared/dom/elements.js";
/** @typedef {import("./completion.js").Named} Named */

const GAP = 4;

/** The names that may be meant, in a list below a field, one of them chosen. */
export class Offers {
  /** @param {HTMLTextAreaElement} area where they are typed @param {(named: Named) => void} take one was clicked */
  constructor(area, take) {
    this.area = area;
    this.list = el("ul", { class: "offers", id: `${area.id}-offers`, role: "listbox", popover: "manual" });
    this.list.setAttribute("aria-label", "Names in scope");
    this.list.addEventListener("pointerdown", (event) => {
      event.preventDefault(); // the field keeps the focus
      const option = /** @type {HTMLElement} */ (event.target).closest("[data-at]");
      if (option) take(this.names[Number(/** @type {HTMLElement} */ (option).dataset.at)]);
    });
    /** @type {Named[]} */
    this.names = [];
    this.at = -1;
  }

  /** @returns {boolean} */
  get open() {
    return this.names.length > 0;
  }

  /** @returns {Named|undefined} */
  get chosen() {
    return this.names[this.at];
  }

  /** @param {Named[]} names */
  show(names) {
    this.names = names;
    this.choose(-1);
    if (!names.length) return this.close();
    this.list.replaceChildren(...names.map((named, i) => optionOf(named, i, this.list.id)));
    if (!this.list.matches(":popover-open")) this.list.showPopover();
    this.area.setAttribute("aria-controls", this.list.id);
  }

  close() {
    this.names = [];
    this.area.removeAttribute("aria-activedescendant");
    this.area.removeAttribute("aria-controls");
    if (this.list.matches(":popover-open")) this.list.hidePopover();
  }

  /** @param {1|-1} by */
  move(by) {
    const count = this.names.length;
    this.choose(by > 0 ? (this.at + 1) % count : (this.at <= 0 ? count : this.at) - 1);
  }

  /** @param {number} next */
  choose(next) {
    this.list.children[this.at]?.setAttribute("aria-selected", "false");
    this.at = next;
    const option = this.list.children[next];
    option?.setAttribute("aria-selected", "true");
    option?.scrollIntoView({ block: "nearest" });
    if (option) this.area.setAttribute("aria-activedescendant", option.id);
    else this.area.removeAttribute("aria-activedescendant");
  }

  /** @param {DOMRect} line @param {number} along where the name begins in it */
  place(line, along) {
    const { offsetWidth: width, offsetHeight: height } = this.list;
    const room = { width: innerWidth, height: innerHeight };
    const spot = besideLine(line, line.left + along, { width, height }, room, GAP);
    this.list.style.left = `${spot.left}px`;
    this.list.style.top = `${spot.top}px`;
  }
}

/** @param {Named} named @param {number} i @param {string} id the list's */
function optionOf({ name, shape }, i, id) {
  return el(
    "li",
    { role: "option", id: `${id}-${i}`, "aria-selected": "false", "data-at": i },
    el("span", {}, name),
    el("span", { class: "shape" }, shape ? shapeText(shape) : ""),
  );
}
