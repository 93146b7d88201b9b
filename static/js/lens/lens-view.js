import { numberText } from "../shared/format.js";
import { blockText, checkOf, collapseText, formulaOf, numbersText, pathsText, readsText, titleOf } from "./lens.js";
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

/**
 * One number opened: its name and place, the sum it is, with this minibatch's numbers, and every term of it.
 * @param {HTMLElement} root @param {Acts} acts
 */
export function mountLens(root, acts) {
  const undo = cleanups();
  const trail = mountTrail(acts.back);
  const name = el("h2", { class: "lens-name", id: `${root.id}-title` });
  const kind = el("span", { class: "lens-kind" });
  const value = el("span", { class: "lens-value" });
  const close = el(
    "button",
    { type: "button", class: "quiet", title: "Close (Escape)", "aria-label": "Close this number" },
    icon("close"),
  );
  const hand = acts.hand ? el("button", { type: "button", class: "link lens-move", title: HAND }) : null;
  const place = el("p", { class: "lens-place" });
  const note = el("p", { class: "lens-note" });
  const strip = mountStrip(acts.follow, acts.hot);
  const formula = el("div", { class: "lens-formula" });
  const terms = mountTerms(acts);
  const check = el("p", { class: "lens-check" });
  const body = el(
    "div",
    { class: "lens-body" },
    el("div", { class: "lens-figure" }, strip.root, strip.caption),
    formula,
    terms.root,
    el("div", { class: "lens-foot" }, terms.folding, check),
  );
  const trouble = el("div", { class: "lens-trouble", role: "alert", hidden: true });
  root.replaceChildren(
    trail.root,
    el("div", { class: "lens-head" }, name, kind, hand, value, close),
    place,
    note,
    body,
    trouble,
  );
  const width = watchWidth(root, () => shown && write(shown.answer, shown.frame));
  /** @type {{answer: Answer, frame: Frame}|null} */
  let shown = null;
  undo.on(close, "click", acts.close);
  if (hand && acts.hand) undo.on(hand, "click", acts.hand);
  for (const part of [trail, strip, terms, width]) undo.add(part.unmount);

  /** @param {Frame} frame @param {Pick} pick */
  function head(frame, pick) {
    const { walk, state } = frame;
    const title = titleOf(walk, pick);
    name.textContent = title.name;
    kind.textContent = title.kind;
    place.textContent = title.place;
    note.replaceChildren(...noteOf(frame, pick));
    Object.assign(root.dataset, { tensor: pick.tensor, which: pick.which, index: pick.index.join(",") });
    trail.update(walk, state.trail, title.name);
    if (hand) hand.textContent = state.hand ? "its terms" : "move it";
    hand?.setAttribute("aria-expanded", String(Boolean(state.hand)));
    root.hidden = false;
  }

  /** @param {Frame} frame @param {Pick} pick @returns {(Node|string)[]} what this number is a part of */
  function noteOf(frame, pick) {
    const paths = pathsText(frame.walk, pick, frame.known);
    const block = blockText(shownIn(frame, pick), pick.index);
    if (!block || !acts.whole) return [[paths, block].filter(Boolean).join(" ")];
    const every = el("button", { type: "button", class: "link" }, "every cell");
    every.addEventListener("click", acts.whole);
    return [paths && `${paths} `, `${block} `, every];
  }

  /** @param {Answer} answer @param {Frame} frame */
  function write(answer, frame) {
    const { fits, text } = checkOf(answer);
    const reads = readsText(frame.walk, answer);
    const letters = formulaOf(answer);
    const room =
      Math.floor((width.now * 16) / (frame.state.projector ? 290 : 128) / rootScale()) -
      (letters?.name.length ?? 0) -
      3;
    const sum = numbersText(answer, Math.max(24, room));
    const numbers = sum === letters?.right.map(({ text }) => text).join("") ? "" : sum;
    formula.replaceChildren(
      ...(letters || numbers ? [el("span", {}, letters?.name ?? "")] : []),
      ...(letters
        ? [
            el(
              "span",
              {},
              `${letters.sign} `,
              ...letters.right.map(({ text, low }) => (low ? el("sub", {}, text) : text)),
              letters.letters ? el("span", { class: "letters" }, letters.letters) : "",
            ),
          ]
        : []),
      ...(numbers ? [el("span", { class: "numbers" }, `= ${numbers}`)] : []),
    );
    check.className = `lens-check${fits ? "" : " wrong"}`;
    check.replaceChildren(
      ...(fits ? [reads ? `${reads} ` : ""] : [el("b", { class: "alarm" }, "✕ ")]),
      ...(answer.terms.length || !fits ? verdictOf(answer, fits, text) : []),
      ...(answer.because ? [". ", ...prose(answer.because)] : []),
    );
  }

  return {
    /** @param {Frame} frame @param {Pick} pick its name is known at once, what it is made of is still to come */
    wait(frame, pick) {
      head(frame, pick);
      const known = shownThere(frame, pick);
      value.textContent = known === undefined ? "" : numberText(known, 5);
      root.setAttribute("aria-busy", "true");
      trouble.hidden = true;
      body.hidden = false;
    },
    /** @param {Frame} frame @param {Pick} pick @param {Answer} answer @param {boolean} moves */
    show(frame, pick, answer, moves) {
      const same = shown?.answer === answer && !moves;
      head(frame, pick);
      root.setAttribute("aria-busy", "false");
      trouble.hidden = true;
      body.hidden = false;
      value.textContent = numberText(answer.shown, 5);
      if (frame.walk.thumbnails) this.follow(frame, pick);
      value.dataset.number = String(answer.shown);
      check.dataset.sum = String(answer.sum);
      if (!same || shown?.frame.state.theme !== frame.state.theme)
        strip.update(
          stripOf(frame.walk, answer),
          answer.sum,
          collapseText(frame.walk, answer),
          frame.state.theme,
          moves,
        );
      shown = { answer, frame };
      write(answer, frame);
      if (!same) terms.update(frame.walk, answer);
    },
    /** @param {Frame} frame @param {Pick} pick its value, which is known again and again while numbers move */
    follow(frame, pick) {
      const now = shownThere(frame, pick);
      if (now !== undefined) value.textContent = numberText(now, 5);
    },
    /** @param {Problem} problem */
    fail(problem) {
      const retry = el("button", { type: "button", class: "button" }, "Try again");
      retry.addEventListener("click", acts.retry);
      root.setAttribute("aria-busy", "false");
      body.hidden = true;
      trouble.replaceChildren(
        el("p", {}, ...prose(problem.message)),
        problem.hint ? el("p", { class: "aside" }, ...prose(problem.hint)) : "",
        retry,
      );
      trouble.hidden = false;
    },
    hide() {
      root.hidden = true;
      shown = null;
    },
    /** @param {Pick|null} [from] the number one comes back from: its term, else the first one, gets the focus */
    focus(from = null) {
      const ready = !root.hidden && root.getAttribute("aria-busy") === "false" && !body.hidden;
      root.scrollIntoView({ block: "nearest" });
      if (!ready || !terms.focusOn(from && { through: from.tensor, cell: from.index }))
        root.focus({ preventScroll: true });
    },
    get focused() {
      return root.contains(document.activeElement);
    },
    unmount() {
      undo.run();
      root.replaceChildren();
      root.hidden = true;
    },
  };
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

/** @param {Answer} answer @param {boolean} fits @param {string} text @returns {(Node|string)[]} */
function verdictOf({ adds, sum }, fits, text) {
  if (!fits) return [text];
  return [
    ...(adds ? [el("span", {}, "Σ = "), el("b", {}, numberText(sum, 5)), " "] : []),
    el("span", { class: "tick-word" }, "✓ "),
    text,
  ];
}
