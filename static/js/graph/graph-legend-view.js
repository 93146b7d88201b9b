import { referenceSizes, widthOf } from "./edge-widths.js";
import { numberText } from "../shared/format.js";
import { cleanups, el, svg } from "../shared/dom/elements.js";
import { recall, remember } from "../shared/dom/remembered.js";

/** A pane of this height has room for the legend from the first visit on. */
const ROOMY = 620;

/**
 * What the signs of the graph mean, and how large the gradients are that its edges stand for. It folds away, and this
 * browser remembers whether it did.
 * @param {HTMLElement} root @param {HTMLElement} fold the button @param {{least: number, largest: number}} scale
 */
export function mountLegend(root, fold, { least, largest }) {
  const undo = cleanups();
  let chosen = recall("legend");
  /** @param {boolean} open */
  function show(open) {
    root.hidden = !open;
    fold.setAttribute("aria-expanded", String(open));
  }
  undo.on(fold, "click", () => {
    show(root.hidden);
    remember("legend", (chosen = root.hidden ? "folded" : "open"));
  });
  root.replaceChildren(
    entry(el("i", { class: "swatch computed" }), "a line’s result"),
    entry(el("i", { class: "swatch" }), "not yet computed"),
    entry(el("i", { class: "swatch pill" }), "parameter"),
    entry(el("i", { class: "swatch pill plain" }), "data, target"),
    entry(line("ahead", 1), "not yet walked"),
    entry(line("walked", 1.6), "value"),
    ...(largest > 0 ? [gradients(least, largest)] : []),
  );
  return {
    /** Before anybody has folded or unfolded it: where the pane has room. */
    fit: () => show((chosen ?? (room(root) >= ROOMY ? "open" : "folded")) === "open"),
    unmount: undo.run,
  };
}

/** @param {HTMLElement} root @returns {number} height of the pane below its heading */
function room(root) {
  return root.parentElement?.clientHeight ?? 0;
}

/** @param {number} least @param {number} largest */
function gradients(least, largest) {
  const samples = referenceSizes(least, largest).map((size) =>
    el("span", { class: "sample" }, line("flowed", widthOf(size, least, largest)), numberText(size, 2)),
  );
  return el("p", { class: "gradients" }, "gradient, by its norm:", ...samples);
}

/** @param {Element} sign @param {string} words */
function entry(sign, words) {
  return el("p", {}, sign, words);
}

/** @param {string} look @param {number} width as in the graph */
function line(look, width) {
  const path = svg("path", { class: look, d: "M0 6H26" });
  path.style.setProperty("--wide", String(width));
  return svg("svg", { class: "graph-edges", viewBox: "0 0 26 12", "aria-hidden": "true" }, path);
}
