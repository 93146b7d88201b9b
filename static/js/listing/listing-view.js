import { listings, unbroken } from "./listing.js";
import { shapeText } from "../shared/format.js";
import { levelAt } from "../walk/frame.js";
import { LEVELS } from "../walk/verdict-levels.js";
import { cleanups, el, icon } from "../shared/dom/elements.js";
import { roving } from "../shared/dom/roving-focus.js";
/** @typedef {import("../walk/frame.js").Frame} Frame */
/** @typedef {import("./listing.js").Row} Row */
/** @typedef {import("./listing.js").Token} Token */
/** @typedef {import("../walk/walk.js").Walk} Walk */
/**
 * @typedef {{row: Row, element: HTMLElement, gutter: HTMLElement, names: {span: HTMLElement, token: Token}[],
 *   was: string}} Line
 */

/**
 * The two listings; each scrolls on its own so that the backward line and the forward line it goes through are both in
 * sight.
 * @param {{forward: HTMLElement, backward: HTMLElement}} roots @param {Walk} walk @param {(step: number) => void} goTo
 */
export function mountListings(roots, walk, goTo) {
  const undo = cleanups();
  const source = listings(walk);
  const forward = mountListing(roots.forward, source.forward, "forward", goTo, undo);
  const backward = mountListing(roots.backward, source.backward, "backward", goTo, undo);
  return {
    /** @param {Frame} frame */
    update(frame) {
      forward.update(frame, (line) => forwardLook(line, frame));
      backward.update(frame, (line) => backwardLook(line, frame));
    },
    reveal() {
      forward.reveal();
      backward.reveal();
    },
    /** @param {HTMLElement} field @returns {boolean} whether there is a line that it can take the place of */
    hold: (field) => backward.hold(field),
    /** @param {import("../lens/highlights.js").Lights|null} lights the lines that an open number comes through */
    light(lights) {
      const lines = new Set(
        [...(lights?.steps ?? [])]
          .map((step) => walk.steps[step])
          .map((step) => (step.direction === "backward" ? step.forward_line : step.line)),
      );
      forward.light((row) => lines.has(row.first));
      backward.light((row) => row.step !== null && (lights?.steps.has(row.step) ?? false));
    },
    /** @param {import("../lens/pickable-cells-view.js").Pointed|null} pointed whose names are outlined in the lines */
    answer(pointed) {
      const named = pointed?.answer.named ?? [];
      forward.point(named);
      backward.point(named);
    },
    unmount() {
      undo.run();
      roots.forward.replaceChildren();
      roots.backward.replaceChildren();
    },
  };
}

/**
 * @param {HTMLElement} root @param {Row[]} rows @param {string} kind @param {(step: number) => void} goTo
 * @param {ReturnType<typeof cleanups>} undo
 */
function mountListing(root, rows, kind, goTo, undo) {
  root.classList.add(`${kind}-listing`);
  const lines = rows.map((row) => drawLine(row));
  root.replaceChildren(el("ol", {}, ...lines.map((line) => el("li", {}, line.element, opener(line.row)))));
  for (const { row, element } of lines) {
    const { step } = row;
    if (step !== null) undo.on(element, "click", () => goTo(step));
  }
  /** @type {Line|null} */
  let shown = null;
  /** @type {HTMLElement[]} */
  const pointed = [];
  const focus = roving(root, "button.row");
  undo.add(focus.unmount);
  return {
    /** @param {Frame} frame @param {(line: Line) => string} look */
    update(frame, look) {
      /** @type {Line|null} */
      let current = null;
      for (const line of lines) {
        const now = look(line);
        if (now !== line.was) setLook(line, now, frame);
        if (!current && (now.includes("here") || now.includes("via"))) current = line;
      }
      focus.setCurrent(current?.element ?? null);
      shown = current;
    },
    reveal() {
      if (shown) keepInView(root, shown.element.parentElement ?? shown.element);
    },
    /** @param {HTMLElement} field stands in the place of the lines that the reader is to write */
    hold(field) {
      const place = lines.find(({ element }) => element.matches(".given-away"))?.element.parentElement ?? null;
      if (place && field.parentElement !== place) place.append(field);
      return place !== null;
    },
    /** @param {(row: Row) => boolean} lit */
    light(lit) {
      for (const { row, element } of lines) element.classList.toggle("in-lens", lit(row));
    },
    /** @param {import("../lens/pointing.js").Named[]} named */
    point(named) {
      for (const span of pointed.splice(0)) span.classList.remove("is-pointed");
      if (!named.length) return;
      for (const { element, names } of lines) {
        if (!element.matches(".here, .via")) continue;
        for (const { span, token } of names) {
          const kind = (/** @type {string} */ of) => (of === "value" ? "name" : "gradient");
          if (!named.some(({ node, of }) => node === token.node && kind(of) === token.kind)) continue;
          span.classList.add("is-pointed");
          pointed.push(span);
        }
      }
    },
  };
}

/** @param {Row} row @returns {Line} */
function drawLine(row) {
  /** @type {Line["names"]} */
  const names = [];
  const drawn = (/** @type {Token} */ token, /** @type {boolean} */ isSign) => {
    const span = el("span", { class: `tok-${token.kind}${isSign ? " operator" : ""}` }, token.text);
    if (token.node) names.push({ span, token });
    if (token.node || token.kind === "constant") span.dataset.name = `${token.kind} ${token.node ?? token.text}`;
    return span;
  };
  const side = (/** @type {Token[]} */ tokens, /** @type {string|undefined} */ sign) =>
    unbroken(tokens).flatMap(({ tokens: own, space }) => {
      const spans = own.map((token, i) => drawn(token, i === own.length - 1 && token.text === sign));
      return spans.length ? [el("span", { class: "whole" }, ...spans), space] : [space];
    });
  const indent = /^ */.exec(row.text)?.[0] ?? "";
  const left = side(row.tokens.slice(0, row.head), row.tokens[row.head - 1]?.text);
  const right = side(row.tokens.slice(row.head), undefined);
  // the space before a row is padding: what is too long to stand beside it would leave an empty line
  if (indent) (row.head ? left : right).splice(0, 1, el("span", { class: "indent" }, indent));
  const gutter = el("span", { class: "gutter", "aria-hidden": "true" }, String(row.number));
  const text = el(
    "span",
    { class: "text" },
    el("span", { class: "left" }, ...left),
    el("span", { class: "right" }, ...right),
  );
  if (indent) text.style.setProperty("--indent", `${indent.length}ch`);
  const shape = el("span", { class: "shape" }, row.shape ? shapeText(row.shape) : "");
  const props = { class: "row", "data-line": row.number, "data-step": row.step, "data-planted": row.planted !== "" };
  if (row.planted) text.append(el("span", { class: "planted-mark" }, row.planted));
  const element =
    row.step === null
      ? el("div", props, gutter, text)
      : el("button", { ...props, type: "button", tabindex: -1 }, gutter, text, shape);
  return { row, element, gutter, names, was: "" };
}

/**
 * @param {Row} row
 * @returns {HTMLElement|null} the way into a fused operation; the page that owns the program listens for it
 */
function opener({ number, step, node, opens }) {
  if (!opens) return null;
  const props = {
    type: "button",
    class: "opens",
    "data-open": number,
    "data-step": step,
    "aria-label": `Show the steps inside line ${number}, ${node}`,
    title: "Show the steps inside",
  };
  return el("button", props, icon("open"), el("span", {}, "steps inside"));
}

/** @param {Line} line @param {string} look classes, then what the gutter says @param {Frame} frame */
function setLook(line, look, frame) {
  line.was = look;
  const [classes, gutter] = look.split("|");
  line.element.className = `row ${classes}`;
  line.gutter.textContent = gutter;
  if (classes.includes("here")) line.element.setAttribute("aria-current", "step");
  else line.element.removeAttribute("aria-current");
  // what is hidden from the eye must not be read aloud either
  for (const hidden of line.element.querySelectorAll(".left, .right, .operator")) {
    const left = hidden.matches(".left");
    if (classes.includes(left ? "bare" : "veiled")) hidden.setAttribute("aria-hidden", "true");
    else hidden.removeAttribute("aria-hidden");
  }
  const lively = classes.includes("here") || classes.includes("via");
  for (const { span, token } of line.names) span.classList.toggle("lit", lively && isLit(token, frame, classes));
}

/** @param {Token} token @param {Frame} frame @param {string} classes */
function isLit(token, frame, classes) {
  const wanted = classes.includes("via") || frame.step.direction === "forward" ? "name" : "gradient";
  return token.node === frame.node.name && token.kind === wanted;
}

/** @param {Line} line @param {Frame} frame */
function forwardLook({ row }, frame) {
  const here = row.first === frame.forwardLine;
  const name = frame.step.direction === "backward" && !frame.inspecting ? "via" : "here";
  const ahead = row.step !== null && row.step > frame.step.index ? "ahead " : "";
  // the name is part of the look, so that another node on the same line relights it
  return `${ahead}${here ? `${name} for-${frame.node.variable}` : ""}|${here && name === "here" ? "▸" : row.number}`;
}

/** @param {Line} line @param {Frame} frame */
function backwardLook({ row }, frame) {
  const { step, asking, writing, state, known, walk } = frame;
  const here =
    frame.backwardLines !== null && row.number >= frame.backwardLines[0] && row.number <= frame.backwardLines[1];
  const ahead = row.step === null || row.step > known;
  const hides = state.predict || state.writeIt;
  const unwritten = frame.unwritten?.has(row.node ?? "") || frame.unwritten?.has(String(row.number));
  const veiled = unwritten || (hides && ahead && (row.step !== step.index || asking)) ? " veiled" : "";
  const bare =
    veiled && (unwritten || state.writeIt) && row.tokens.slice(0, row.head).some(({ text }) => text.includes("["));
  const level = !ahead && row.node ? levelAt(walk, row.node, row.step ?? 0) : null;
  const mark = level ? LEVELS[level][0] : String(row.number);
  const done = `${ahead ? "ahead" : "done"}${bare ? " bare" : ""}${level ? ` level-${level}` : ""}`;
  return `${done}${veiled}${here ? " here" : ""}${here && writing ? " given-away" : ""}|${here ? "▸" : mark}`;
}

/** @param {HTMLElement} root @param {HTMLElement} line */
function keepInView(root, line) {
  const top = line.getBoundingClientRect().top - root.getBoundingClientRect().top;
  const rim = Math.min(64, root.clientHeight / 4);
  if (top >= rim && top + line.offsetHeight <= root.clientHeight - rim) return;
  const wanted = root.scrollTop + top - root.clientHeight / 2 + line.offsetHeight / 2;
  // to the beginning of a line, so that none is cut through its middle
  const start = [...root.querySelectorAll("li")].map((item) => item.offsetTop).find((at) => at >= wanted);
  root.scrollTop = start ?? wanted;
}
