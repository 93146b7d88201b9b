import { byId, cleanups, el } from "../shared/dom/elements.js";
import { mountPopover } from "../shared/dom/popover.js";
import { Glossary } from "./glossary.js";
/** @typedef {import("./glossary.js").Entry} Entry */

/** What is no running text, or is a control of its own. */
const LEFT_OUT =
  "button, a, summary, label, math, svg, h1, .kicker, .current-line, #picture, .unseen, [hidden], [aria-hidden=true]";

/**
 * A technical word is explained where it first stands on a screen, and there alone: underlined with dots, by pointing
 * or focus in a pop-over, and to a voice by its description.
 * @param {HTMLElement} root
 * @param {{still?: boolean, leftOut?: string}} [how] `still`: its texts do not change; `leftOut`: parts of it that are
 *   no text, either
 */
export function mountGlossary(root, { still = false, leftOut = "" } = {}) {
  const undo = cleanups();
  const glossary = new Glossary(entriesOf(byId("glossary")));
  const popover = mountPopover("[data-term]", explanation);
  undo.add(popover.unmount);
  const observer = new MutationObserver(mark);
  undo.add(() => observer.disconnect());

  function mark() {
    observer.disconnect();
    markFirst(root, glossary, [LEFT_OUT, leftOut].filter(Boolean).join(", "));
    oneStop(root);
    if (still) return;
    observer.observe(root, { childList: true, subtree: true, characterData: true });
  }

  undo.on(root, "keydown", (event) => {
    if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
    const words = wordsOf(root);
    const at = words.indexOf(/** @type {HTMLElement} */ (document.activeElement));
    const next = words[at + (event.key === "ArrowDown" ? 1 : -1)];
    if (at < 0 || !next) return;
    event.preventDefault();
    next.focus();
    oneStop(root);
  });
  mark();
  return { unmount: undo.run };
}

/** @param {HTMLElement} root @returns {HTMLElement[]} */
function wordsOf(root) {
  return [.../** @type {NodeListOf<HTMLElement>} */ (root.querySelectorAll(".glossed"))];
}

/** One tab stop for all the words of a screen; ↑ and ↓ go from one to the next. @param {HTMLElement} root */
function oneStop(root) {
  const words = wordsOf(root);
  const stop = words.find((word) => word === document.activeElement) ?? words[0];
  for (const word of words) {
    const index = word === stop ? 0 : -1;
    if (word.tabIndex !== index) word.tabIndex = index;
  }
}

/** @param {HTMLElement} list @returns {Entry[]} */
function entriesOf(list) {
  return [...list.children].map((entry) => {
    const { forms = "", where = "" } = /** @type {HTMLElement} */ (entry).dataset;
    return { term: entry.children[0].textContent ?? "", id: entry.children[1].id, forms: forms.split("|"), where };
  });
}

/** @param {HTMLElement} root @param {Glossary} glossary @param {string} leftOut */
function markFirst(root, glossary, leftOut) {
  /** @type {Set<Entry>} */
  const seen = new Set();
  for (const node of textsOf(root, leftOut)) {
    const parent = /** @type {Element} */ (node.parentElement);
    const marked = parent.closest(".glossed");
    const wanted = (/** @type {Entry} */ entry) => {
      if (seen.has(entry) || (entry.where && !parent.closest(entry.where))) return false;
      if (entry.where !== "code" && parent.closest("code")) return false; // the name of a tensor
      seen.add(entry);
      return true;
    };
    if (marked && marked.textContent === node.data) {
      if (!glossary.pieces(node.data, wanted)) marked.replaceWith(node); // it stands somewhere before, by now
      continue;
    }
    const pieces = glossary.pieces(node.data, wanted);
    if (pieces) node.replaceWith(...pieces.map(({ text, entry }) => (entry ? termOf(text, entry) : text)));
  }
}

/**
 * @param {HTMLElement} root @param {string} leftOut
 * @returns {Text[]} its texts in order, as they are before any is marked
 */
function textsOf(root, leftOut) {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT, (node) =>
    node instanceof Element
      ? node.matches(leftOut)
        ? NodeFilter.FILTER_REJECT
        : NodeFilter.FILTER_SKIP
      : NodeFilter.FILTER_ACCEPT,
  );
  const found = [];
  while (walker.nextNode()) found.push(/** @type {Text} */ (walker.currentNode));
  return found;
}

/** @param {string} text @param {Entry} entry */
function termOf(text, { id }) {
  return el("span", { class: "glossed", tabindex: -1, "data-term": id, "aria-describedby": id }, text);
}

/** @param {HTMLElement} anchor @returns {Node[]|null} */
function explanation(anchor) {
  const said = document.getElementById(anchor.dataset.term ?? "");
  if (!said) return null;
  const copy = /** @type {HTMLElement} */ (said.cloneNode(true));
  return [el("p", { class: "term-name" }, said.previousElementSibling?.textContent), el("p", {}, ...copy.childNodes)];
}
