import { shapeText } from "../shared/format.js";
import { cleanups, el, icon } from "../shared/dom/elements.js";
import { markShown } from "../shared/dom/shown.js";
/** @typedef {import("./line-notes.js").LineNote} LineNote */

/**
 * The shapes beside the lines, and the buttons that show the steps inside a line.
 * @param {HTMLElement} root @param {(line: number) => void} open
 */
export function mountMargin(root, open) {
  const undo = cleanups();
  /** @type {{notes: LineNote[], mirror: HTMLElement}|null} */
  let last = null;

  /** @param {LineNote[]} notes @param {HTMLElement} mirror */
  function update(notes, mirror) {
    last = { notes, mirror };
    if (markShown(root, notes)) root.replaceChildren(...notes.map(draw));
    notes.forEach(({ line }, i) => {
      const row = /** @type {HTMLElement|undefined} */ (mirror.children[line - 1]);
      const note = /** @type {HTMLElement} */ (root.children[i]);
      if (row) note.style.top = `${row.offsetTop}px`;
    });
  }

  undo.on(root, "click", (event) => {
    const button = event.target.closest(".opens");
    if (button) open(Number(button.dataset.line));
  });
  const watch = new ResizeObserver(() => last && update(last.notes, last.mirror));
  watch.observe(root);
  undo.add(() => watch.disconnect());
  return { update, unmount: undo.run };
}

/** @param {LineNote} note */
function draw({ line, name, shape, opens, stale }) {
  const size = shapeText(shape);
  const label = `line ${line}: ${name} has shape ${size}`;
  return el(
    "div",
    { class: `note${stale ? " stale" : ""}` },
    opens ? opener(line, name) : null,
    el("span", { class: "shape", "aria-label": label, role: "note" }, size),
  );
}

/** @param {number} line @param {string} name */
function opener(line, name) {
  const label = `Show the steps inside line ${line}, ${name}`;
  const props = { class: "opens", "data-line": line, "aria-label": label, title: "Show the steps inside" };
  return el("button", { type: "button", ...props }, icon("open"), el("span", {}, "steps inside"));
}
