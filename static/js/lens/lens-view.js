import { button } from "../shared/dom/button.js";
import { numberText } from "../shared/format.js";
import { blockText, checkOf, collapseText, pathsText, readsText, titleOf } from "./lens.js";
import { checkParts, formulaParts } from "./sum-view.js";
import { stripOf } from "./term-strip.js";
import { cleanups, el, icon } from "../shared/dom/elements.js";
import { prose } from "../shared/prose-view.js";
import { mountStrip } from "./term-strip-view.js";
import { mountTerms } from "./terms-view.js";
import { mountTrail } from "./trail-view.js";
import { rootScale } from "../shared/dom/root-scale.js";
import { watchWidth } from "../shared/dom/watch-width.js";
/** @typedef {import("../walk/frame.js").Frame} Frame */
/** @typedef {import("./lens.js").Answer} Answer */
/** @typedef {import("./lens.js").Term} Term */
/** @typedef {import("../walk/pick.js").Pick} Pick */
/** @typedef {import("../walk/types.js").Problem} Problem */
/**
 * `whole` shows every cell of the tensor, `hand` takes the number up; neither is offered where a page has no place for
 * it.
 * @typedef {{follow: (term: Term) => void, leads: (term: Term) => boolean, back: (position: number) => void,
 *   close: () => void, hot: (term: Term|null) => void, retry: () => void, whole?: () => void, hand?: () => void}} Acts
 */

const HAND = "Take it in your hand (m)";

/** One number opened: its name and place, the sum it is, with this minibatch's numbers, and every term of it. */
class Lens {
  /** @param {HTMLElement} root @param {Acts} acts */
  constructor(root, acts) {
    this.root = root;
    this.acts = acts;
    /** @type {{answer: Answer, frame: Frame}|null} */
    this.shown = null;
    this.trail = mountTrail(acts.back);
    this.strip = mountStrip(acts.follow, acts.hot);
    this.terms = mountTerms(acts);
    this.parts = partsOf(root, this.trail, this.strip, this.terms, acts.hand !== undefined);
    this.width = watchWidth(root, () => this.shown && this.#write(this.shown.answer, this.shown.frame));
    this.undo = cleanups();
    const { close, hand } = this.parts;
    this.undo.on(close, "click", acts.close);
    if (hand && acts.hand) this.undo.on(hand, "click", acts.hand);
    for (const part of [this.trail, this.strip, this.terms, this.width]) this.undo.add(part.unmount);
  }

  /** @param {Frame} frame @param {Pick} pick @param {boolean} busy while what it is made of is still to come */
  #head(frame, pick, busy) {
    const { name, kind, place, note, hand, trouble, body } = this.parts;
    const { walk, state } = frame;
    const title = titleOf(walk, pick);
    name.textContent = title.name;
    kind.textContent = title.kind;
    place.textContent = title.place;
    note.replaceChildren(...noteOf(frame, pick, this.acts.whole));
    Object.assign(this.root.dataset, { tensor: pick.tensor, which: pick.which, index: pick.index.join(",") });
    this.trail.update(walk, state.trail, title.name);
    if (hand) hand.textContent = state.hand ? "its terms" : "move it";
    hand?.setAttribute("aria-expanded", String(Boolean(state.hand)));
    this.root.hidden = false;
    this.root.setAttribute("aria-busy", String(busy));
    trouble.hidden = true;
    body.hidden = false;
  }

  /** @param {Answer} answer @param {Frame} frame */
  #write(answer, frame) {
    const { formula, check } = this.parts;
    const { fits } = checkOf(answer);
    const letters = (this.width.now * 16) / (frame.state.projector ? 290 : 128) / rootScale();
    formula.replaceChildren(...formulaParts(answer, Math.floor(letters)));
    check.className = `lens-check${fits ? "" : " wrong"}`;
    check.replaceChildren(...checkParts(answer, readsText(frame.walk, answer)));
  }

  /** @param {Frame} frame @param {Pick} pick its name is known at once, what it is made of is still to come */
  wait(frame, pick) {
    this.#head(frame, pick, true);
    const known = shownThere(frame, pick);
    this.parts.value.textContent = known === undefined ? "" : numberText(known, 5);
  }

  /** @param {Frame} frame @param {Pick} pick @param {Answer} answer @param {boolean} moves */
  show(frame, pick, answer, moves) {
    const { value, check } = this.parts;
    const { walk, state } = frame;
    const same = this.shown?.answer === answer && !moves;
    this.#head(frame, pick, false);
    value.textContent = numberText(answer.shown, 5);
    if (walk.thumbnails) this.follow(frame, pick);
    value.dataset.number = String(answer.shown);
    check.dataset.sum = String(answer.sum);
    if (!same || this.shown?.frame.state.theme !== state.theme)
      this.strip.update(stripOf(walk, answer), answer.sum, collapseText(walk, answer), state.theme, moves);
    this.shown = { answer, frame };
    this.#write(answer, frame);
    if (!same) this.terms.update(walk, answer);
  }

  /** @param {Frame} frame @param {Pick} pick its value, which is known again and again while numbers move */
  follow(frame, pick) {
    const now = shownThere(frame, pick);
    if (now !== undefined) this.parts.value.textContent = numberText(now, 5);
  }

  /** @param {Problem} problem */
  fail(problem) {
    const { trouble, body } = this.parts;
    const retry = button({ class: "button" }, this.acts.retry, "Try again");
    this.root.setAttribute("aria-busy", "false");
    body.hidden = true;
    const hint = problem.hint ? el("p", { class: "aside" }, ...prose(problem.hint)) : "";
    trouble.replaceChildren(el("p", {}, ...prose(problem.message)), hint, retry);
    trouble.hidden = false;
  }

  hide() {
    this.root.hidden = true;
    this.shown = null;
  }

  /** @param {Pick|null} [from] the number one comes back from: its term, else the first one, gets the focus */
  focus(from = null) {
    const { root } = this;
    const ready = !root.hidden && root.getAttribute("aria-busy") === "false" && !this.parts.body.hidden;
    root.scrollIntoView({ block: "nearest" });
    if (!ready || !this.terms.focusOn(from && { through: from.tensor, cell: from.index }))
      root.focus({ preventScroll: true });
  }

  get focused() {
    return this.root.contains(document.activeElement);
  }

  unmount = () => {
    this.undo.run();
    this.root.replaceChildren();
    this.root.hidden = true;
  };
}

/** @param {HTMLElement} root @param {Acts} acts */
export const mountLens = (root, acts) => new Lens(root, acts);

/**
 * @param {HTMLElement} root @param {ReturnType<typeof mountTrail>} trail @param {ReturnType<typeof mountStrip>} strip
 * @param {ReturnType<typeof mountTerms>} terms @param {boolean} movable whether it can be taken in the hand
 */
function partsOf(root, trail, strip, terms, movable) {
  const name = el("h2", { class: "lens-name", id: `${root.id}-title` });
  const kind = el("span", { class: "lens-kind" });
  const value = el("span", { class: "lens-value" });
  const shuts = { type: "button", class: "quiet", title: "Close (Escape)", "aria-label": "Close this number" };
  const close = el("button", shuts, icon("close"));
  const hand = movable ? el("button", { type: "button", class: "link lens-move", title: HAND }) : null;
  const place = el("p", { class: "lens-place" });
  const note = el("p", { class: "lens-note" });
  const formula = el("div", { class: "lens-formula" });
  const check = el("p", { class: "lens-check" });
  const figure = el("div", { class: "lens-figure" }, strip.root, strip.caption);
  const foot = el("div", { class: "lens-foot" }, terms.folding, check);
  const body = el("div", { class: "lens-body" }, figure, formula, terms.root, foot);
  const trouble = el("div", { class: "lens-trouble", role: "alert", hidden: true });
  const head = el("div", { class: "lens-head" }, name, kind, hand, value, close);
  root.replaceChildren(trail.root, head, place, note, body, trouble);
  return { name, kind, value, close, hand, place, note, formula, check, body, trouble };
}

/**
 * @param {Frame} frame @param {Pick} pick @param {(() => void)} [whole] shows every cell
 * @returns {(Node|string)[]} what this number is a part of
 */
function noteOf(frame, pick, whole) {
  const paths = pathsText(frame.walk, pick, frame.known);
  const block = blockText(shownIn(frame, pick), pick.index);
  if (!block || !whole) return [[paths, block].filter(Boolean).join(" ")];
  return [paths && `${paths} `, `${block} `, button({ class: "link" }, whole, "every cell")];
}

/**
 * @param {Frame} frame @param {Pick} pick
 * @returns {import("../shared/tensor.js").Tensor|null} the tensor it lies in, as the walk holds it
 */
function shownIn({ walk, known }, { tensor, which, step }) {
  const path = step === undefined ? null : walk.steps[step];
  if (which === "contribution") return path?.direction === "backward" ? walk.brought(path) : null;
  return which === "value" ? walk.tensor(walk.node(tensor).value) : walk.gradientAt(tensor, known).tensor;
}

/**
 * @param {Frame} frame @param {Pick} pick
 * @returns {number|undefined} the number as the walk holds it; not that of a tile, which is a mean
 */
function shownThere(frame, pick) {
  return exactly(shownIn(frame, pick), pick.index);
}

/** @param {import("../shared/tensor.js").Tensor|null} tensor @param {number[]} index */
function exactly(tensor, index) {
  return tensor && !tensor.block ? tensor.at(index) : undefined;
}
