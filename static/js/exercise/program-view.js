import { listings } from "../listing/listing.js";
import { usesOf } from "./uses.js";
import { shapeText } from "../shared/format.js";
import { el } from "../shared/dom/elements.js";
/** @typedef {import("../walk/walk.js").Walk} Walk */

/**
 * The forward pass beside the exercise; the lines that use the tensor whose gradient is written are marked.
 * @param {HTMLElement} root @param {Walk} walk
 */
export function mountProgram(root, walk) {
  const rows = listings(walk).forward;
  const lines = rows.map((row) => {
    const tokens = row.tokens.map(({ text, kind, node }) =>
      el("span", { class: `tok-${kind}`, "data-node": node }, text),
    );
    return el(
      "li",
      { class: "row", "data-line": row.number },
      el("span", { class: "gutter", "aria-hidden": "true" }, String(row.number)),
      el("span", { class: "text" }, ...tokens),
      el("span", { class: "shape" }, row.shape ? shapeText(row.shape) : ""),
    );
  });
  root.replaceChildren(el("ol", {}, ...lines));
  return {
    /** @param {string|null} name the node whose gradient is written */
    update(name) {
      const used = new Set(name === null ? [] : usesOf(walk, name).map(({ line }) => line));
      for (const line of lines) {
        line.classList.toggle("via", used.has(Number(line.dataset.line)));
        for (const token of line.querySelectorAll("[data-node]"))
          token.classList.toggle("lit", token.getAttribute("data-node") === name && line.matches(".via"));
      }
      const first = lines.find((line) => line.matches(".via"));
      if (first) reveal(root, first);
    },
    unmount: () => root.replaceChildren(),
  };
}

/** @param {HTMLElement} root @param {HTMLElement} line */
function reveal(root, line) {
  const [box, own] = [root.getBoundingClientRect(), line.getBoundingClientRect()];
  if (own.top < box.top || own.bottom > box.bottom) root.scrollTop += own.top - box.top - root.clientHeight / 3;
}
