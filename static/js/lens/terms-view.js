import { numberText } from "../shared/format.js";
import { factorName, factorsText, placeShort, restOf, tellingOf, termName, termPlace, termWords } from "./lens.js";
import { cleanups, el } from "../shared/dom/elements.js";
import { roving } from "../shared/dom/roving-focus.js";
/** @typedef {import("./lens.js").Answer} Answer */
/** @typedef {import("./lens.js").Term} Term */
/** @typedef {import("../walk/walk.js").Walk} Walk */
/**
 * `follow` leads through a term, or to the `factor` beside it.
 * @typedef {{follow: (term: Term, factor?: boolean) => void, leads: (term: Term) => boolean,
 *   hot: (term: Term|null) => void}} Acts
 */

const ROWS_AT_LEAST = 2;
const UNFOLD = 100;

/** The terms of a number, largest first: as many as there is room for, the rest behind a button. */
class Terms {
  /** @param {Acts} acts */
  constructor(acts) {
    this.acts = acts;
    this.head = el("p", { class: "term-head", "aria-hidden": "true" });
    this.list = el("ol", { class: "terms", "aria-label": "Terms, the largest first" });
    const props = { type: "button", class: "more", hidden: true };
    this.more = el("button", props);
    this.fold = el("button", { ...props, "aria-label": "show fewer terms" }, "fewer");
    this.room = el("div", { class: "terms-room" }, this.list);
    this.root = el("div", { class: "terms-box" }, this.head, this.room);
    this.folding = el("span", { class: "folding" }, this.more, this.fold);
    /** @type {{walk: Walk, answer: Answer}|null} */
    this.shown = null;
    /** @type {Term[]} */
    this.listed = [];
    this.unfolded = 0;
    this.rows = 6;
    this.undo = cleanups();
    const observer = new ResizeObserver(() => this.#fit());
    observer.observe(this.room);
    this.focus = roving(this.list, "button.term");
    this.undo.add(() => observer.disconnect());
    this.undo.add(this.focus.unmount);
    this.#listen();
  }

  #listen() {
    const { list, acts, undo } = this;
    undo.on(list, "click", (event) => {
      const term = this.#termAt(event);
      const factor = event.target.closest?.(".factor") !== null;
      if (term && (factor || acts.leads(term))) acts.follow(term, factor);
    });
    undo.on(list, "keydown", (event) => {
      const term = this.#termAt(event);
      if (event.key !== "Enter" || !event.shiftKey || !term?.factor) return;
      event.preventDefault();
      acts.follow(term, true);
    });
    for (const type of ["mouseover", "focusin"]) undo.on(list, type, (event) => acts.hot(this.#termAt(event)));
    for (const type of ["mouseleave", "focusout"]) undo.on(list, type, () => acts.hot(null));
    undo.on(this.more, "click", () => this.#unfold());
    undo.on(this.fold, "click", () => this.#foldUp());
  }

  /** @param {Event} event @returns {Term|null} */
  #termAt({ target }) {
    const item = target instanceof Element ? target.closest("li") : null;
    return item ? (this.listed[[...this.list.children].indexOf(item)] ?? null) : null;
  }

  #fit() {
    const one = this.list.firstElementChild?.getBoundingClientRect().height || 22;
    const next = Math.max(ROWS_AT_LEAST, Math.floor((this.room.clientHeight + 1) / one));
    if (next === this.rows) return;
    this.rows = next;
    if (!this.unfolded) this.#draw();
  }

  #unfold() {
    const at = this.listed.length;
    this.unfolded = Math.max(this.unfolded, at) + UNFOLD;
    this.#draw();
    /** @type {HTMLElement|null|undefined} */ (this.list.children[at]?.querySelector("button"))?.focus();
  }

  #foldUp() {
    const { more, list } = this;
    this.unfolded = 0;
    this.#draw();
    this.room.scrollTop = 0;
    (more.disabled || more.hidden ? list.querySelector("button") : more)?.focus();
  }

  #draw() {
    if (!this.shown) return;
    const { list, listed: before } = this;
    const { walk, answer } = this.shown;
    const at = [...list.children].findIndex((item) => item.contains(document.activeElement));
    const had = at < 0 ? null : before[at];
    const listed = answer.terms.slice(0, this.unfolded || Math.min(this.rows, tellingOf(answer)));
    const most = Math.max(0, ...listed.map((term) => Math.abs(term.product ?? 0)).filter(Number.isFinite));
    this.listed = listed;
    list.replaceChildren(
      ...listed.map((term) => el("li", {}, ...drawTerm(walk, answer, term, most, this.acts.leads(term)))),
    );
    this.#drawRest(answer);
    if (had) this.focusOn(had);
  }

  /** @param {Answer} answer */
  #drawRest(answer) {
    const { more, fold, listed } = this;
    const rest = restOf(answer, listed.length);
    more.hidden = rest.count === 0;
    const sum = rest.sum === 0 ? ", zero" : `, together ${numberText(rest.sum ?? 0, 3)}`;
    more.textContent = `${rest.count.toLocaleString("en")} more${rest.sum === null ? "" : sum}`;
    more.disabled = listed.length === answer.terms.length;
    fold.hidden = this.unfolded === 0;
  }

  /**
   * @param {Pick<Term, "through"|"cell">|null} wanted
   * @returns {boolean} whether there was a term to focus: this one, or else the first
   */
  focusOn(wanted) {
    const at = this.listed.findIndex(
      (term) => term.through === wanted?.through && term.cell.join() === wanted.cell.join(),
    );
    const button = this.list.children[Math.max(0, at)]?.querySelector("button");
    button?.focus({ preventScroll: true });
    button?.scrollIntoView({ block: "nearest" });
    return Boolean(button);
  }

  /** @param {Walk} walk @param {Answer} answer */
  update(walk, answer) {
    if (answer !== this.shown?.answer) this.unfolded = 0;
    this.shown = { walk, answer };
    this.root.classList.toggle("unsummed", !answer.adds);
    this.head.replaceChildren(...headOf(answer).map((words) => el("span", {}, words)));
    this.head.hidden = !answer.terms.length;
    this.#draw();
    this.focus.setCurrent(this.list.querySelector("button"));
  }

  unmount = () => this.undo.run();
}

/** @param {Acts} acts */
export const mountTerms = (acts) => new Terms(acts);

/** @param {Answer} answer @returns {string[]} */
function headOf({ adds, which }) {
  if (!adds) return ["", "slope", "of this input · at"];
  return ["", "product", which === "value" ? "factor × input · at" : "slope × arriving · from cell"];
}

/**
 * @param {Walk} walk @param {Answer} answer @param {Term} term @param {number} most @param {boolean} leads
 * @returns {HTMLElement[]} the term, a button where it leads on, and one for its other factor
 */
function drawTerm(walk, answer, term, most, leads) {
  const { local, arriving, product } = term;
  const parts = [
    product === null ? el("span", { class: "term-bar" }) : barOf(product, most),
    el("span", { class: "product" }, numberText(product ?? local, 4)),
    el("span", { class: "factors" }, product === null ? numberText(arriving, 4) : factorsText(term)),
    el("span"), // where the other factor stands, which is a button of its own
    el("span", { class: "from" }, termName(walk, answer, term)),
    el("span", { class: "where" }, placeShort(termPlace(walk, answer, term))),
  ];
  const props = {
    class: "term",
    "data-through": term.through,
    "data-cell": term.cell.join(","),
    "data-product": String(product),
  };
  const by = factorName(walk, term);
  const other = by
    ? [el("button", { type: "button", class: "factor", tabindex: -1, title: `${by}: open it` }, by)]
    : [];
  if (!leads) return [el("div", props, ...parts), ...other];
  const label = `${termWords(walk, answer, term)}; follow`;
  const button = el(
    "button",
    { ...props, type: "button", tabindex: -1, "aria-label": label, title: termPlace(walk, answer, term) },
    ...parts,
  );
  return [button, ...other];
}

/**
 * @param {number} product @param {number} most @returns {HTMLElement} a bar from the middle: to the left when negative
 */
function barOf(product, most) {
  const part = Number.isFinite(product) && most > 0 ? (Math.abs(product) / most) * 50 : 0;
  const side = product < 0 ? `right:50%;width:${part}%` : `left:50%;width:${part}%`;
  return el("span", { class: "term-bar" }, el("i", { class: product < 0 ? "down" : "up", style: side }));
}
