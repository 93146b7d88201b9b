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

/** The terms of a number, largest first: as many as there is room for, the rest behind a button. @param {Acts} acts */
export function mountTerms(acts) {
  const undo = cleanups();
  const head = el("p", { class: "term-head", "aria-hidden": "true" });
  const list = el("ol", { class: "terms", "aria-label": "Terms, the largest first" });
  const more = el("button", { type: "button", class: "more", hidden: true });
  const fold = el("button", { type: "button", class: "more", hidden: true, "aria-label": "show fewer terms" }, "fewer");
  const room = el("div", { class: "terms-room" }, list);
  const root = el("div", { class: "terms-box" }, head, room);
  /** @type {{walk: Walk, answer: Answer}|null} */
  let shown = null;
  /** @type {Term[]} */
  let listed = [];
  let unfolded = 0;
  let rows = 6;

  const observer = new ResizeObserver(() => {
    const one = list.firstElementChild?.getBoundingClientRect().height || 22;
    const next = Math.max(ROWS_AT_LEAST, Math.floor((room.clientHeight + 1) / one));
    if (next === rows) return;
    rows = next;
    if (!unfolded) draw();
  });
  observer.observe(room);
  const focus = roving(list, "button.term");
  undo.add(() => observer.disconnect());
  undo.add(focus.unmount);

  /** @param {Event} event @returns {Term|null} */
  function termAt({ target }) {
    const item = target instanceof Element ? target.closest("li") : null;
    return item ? (listed[[...list.children].indexOf(item)] ?? null) : null;
  }
  undo.on(list, "click", (event) => {
    const term = termAt(event);
    const factor = event.target.closest?.(".factor") !== null;
    if (term && (factor || acts.leads(term))) acts.follow(term, factor);
  });
  undo.on(list, "keydown", (event) => {
    const term = termAt(event);
    if (event.key !== "Enter" || !event.shiftKey || !term?.factor) return;
    event.preventDefault();
    acts.follow(term, true);
  });
  undo.on(list, "mouseover", (event) => acts.hot(termAt(event)));
  undo.on(list, "mouseleave", () => acts.hot(null));
  undo.on(list, "focusin", (event) => acts.hot(termAt(event)));
  undo.on(list, "focusout", () => acts.hot(null));
  undo.on(more, "click", () => {
    const at = listed.length;
    unfolded = Math.max(unfolded, at) + UNFOLD;
    draw();
    /** @type {HTMLElement|null|undefined} */ (list.children[at]?.querySelector("button"))?.focus();
  });

  undo.on(fold, "click", () => {
    unfolded = 0;
    draw();
    room.scrollTop = 0;
    (more.disabled || more.hidden ? list.querySelector("button") : more)?.focus();
  });

  function draw() {
    if (!shown) return;
    const { walk, answer } = shown;
    const had = list.contains(document.activeElement)
      ? listed[[...list.children].findIndex((item) => item.contains(document.activeElement))]
      : null;
    listed = answer.terms.slice(0, unfolded || Math.min(rows, tellingOf(answer)));
    const most = Math.max(0, ...listed.map((term) => Math.abs(term.product ?? 0)).filter(Number.isFinite));
    list.replaceChildren(
      ...listed.map((term) => el("li", {}, ...drawTerm(walk, answer, term, most, acts.leads(term)))),
    );
    const rest = restOf(answer, listed.length);
    more.hidden = rest.count === 0;
    const sum = rest.sum === 0 ? ", zero" : `, together ${numberText(rest.sum ?? 0, 3)}`;
    more.textContent = `${rest.count.toLocaleString("en")} more${rest.sum === null ? "" : sum}`;
    more.disabled = listed.length === answer.terms.length;
    fold.hidden = unfolded === 0;
    if (had) focusOn(had);
  }

  /**
   * @param {Pick<Term, "through"|"cell">|null} wanted
   * @returns {boolean} whether there was a term to focus: this one, or else the first
   */
  function focusOn(wanted) {
    const at = listed.findIndex((term) => term.through === wanted?.through && term.cell.join() === wanted.cell.join());
    const button = list.children[Math.max(0, at)]?.querySelector("button");
    button?.focus({ preventScroll: true });
    button?.scrollIntoView({ block: "nearest" });
    return Boolean(button);
  }

  return {
    root,
    folding: el("span", { class: "folding" }, more, fold),
    focusOn,
    /** @param {Walk} walk @param {Answer} answer */
    update(walk, answer) {
      if (answer !== shown?.answer) unfolded = 0;
      shown = { walk, answer };
      root.classList.toggle("unsummed", !answer.adds);
      head.replaceChildren(...headOf(answer).map((words) => el("span", {}, words)));
      head.hidden = !answer.terms.length;
      draw();
      focus.setCurrent(list.querySelector("button"));
    },
    unmount: undo.run,
  };
}

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
