import { at } from "./address.js";
import { formulaOf, piecesOf } from "./mathml.js";
import { runsOf } from "./prose.js";
import { el } from "./dom/elements.js";
/** @typedef {import("./mathml.js").Part} Part */

const TAGS = /** @type {const} */ ({ code: "code", strong: "strong" });

/**
 * @param {string} address
 * @returns {HTMLElement} in a tab of its own: what is being written here stays as it is, its undo too
 */
function link(address) {
  return el("a", { href: at(address), target: "_blank", rel: "noopener" }, address);
}

/** @param {string} text with `code` and **bold** @returns {Node[]} the same as nodes; never parsed as HTML */
export function prose(text) {
  return runsOf(text).map((run) => {
    if (run.mark === "plain") return document.createTextNode(run.text);
    return run.mark === "page" ? link(run.text) : el(TAGS[run.mark], {}, run.text);
  });
}

/**
 * @param {string} source a formula of the server, in MathML
 * @returns {(Node|string)[]} with places between its parts where a line may end; none if it is no formula
 */
export function mathNodes(source) {
  const formula = formulaOf(source);
  return formula ? piecesOf(formula).flatMap((piece, i) => (i ? ["\u200b", partNode(piece)] : [partNode(piece)])) : [];
}

/** @param {Part} part @returns {Element} */
function partNode({ tag, attributes, children }) {
  const element = document.createElementNS("http://www.w3.org/1998/Math/MathML", tag);
  for (const [name, value] of attributes) element.setAttribute(name, value);
  element.append(...children.map((child) => (typeof child === "string" ? child : partNode(child))));
  return element;
}
