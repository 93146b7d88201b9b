import { cleanups, el, icon } from "../shared/dom/elements.js";
import { counted } from "../shared/plural.js";
import { prose } from "../shared/prose-view.js";
import { paintLines } from "./highlight-view.js";
import { mountMargin } from "./margin-view.js";
/** @typedef {import("../walk/found-types.js").Found} Found */
/** @typedef {import("../walk/found-types.js").FoundNote} FoundNote */
/** @typedef {{keep: (place: string) => void, rewrite: () => void, edit: () => void}} Acts */

/**
 * What is walked of code as found: its lines, and what was done to get them, each note with its way back.
 * @param {HTMLElement} root @param {Acts} acts
 */
export function mountWalked(root, acts) {
  const undo = cleanups();
  const lines = el("pre", { class: "mirror walked-lines", "aria-label": "What is walked" });
  const notes = el("ul", { class: "walked-notes" });
  const head = el("div", { class: "walked-head" });
  const kept = el("p", { class: "walked-kept" });
  const shapes = el("div", { class: "margin" });
  const margin = undo.part(mountMargin(shapes, () => undefined));
  const paper = el("div", { class: "walked-paper" }, lines, shapes);
  root.replaceChildren(head, paper, notes, kept);
  undo.on(root, "click", ({ target }) => {
    const button = target.closest("button");
    if (!button) return;
    if (button.dataset.place) acts.keep(button.dataset.place);
    else (button.dataset.act === "edit" ? acts.edit : acts.rewrite)();
  });
  let key = "";
  return {
    /**
     * @param {{found: Found|null, source: string, asWritten: string, chunks: import("./types.js").CheckedLine[]}} frame
     *   `source` is what was pasted
     */
    update({ found, source, asWritten, chunks }) {
      root.hidden = !found && !asWritten;
      root.parentElement?.classList.toggle("has-walked", found !== null);
      const now = JSON.stringify([found, asWritten, chunks]);
      if (now === key) return;
      key = now;
      paper.hidden = notes.hidden = !found;
      head.replaceChildren(...(found ? heading(found) : []));
      if (found) {
        const given = [...Object.keys(found.lifted), ...found.needs.map(({ name }) => name)];
        paintLines(lines, found.source, new Set(given), [], null);
        const last = new Map(chunks.map((chunk) => [chunk.line, chunk])); // of a loop's turns
        margin.update(
          [...last.values()].map((chunk) => ({ ...chunk, opens: false, stale: false })),
          lines,
        );
        notes.replaceChildren(...found.notes.map((note) => item(note, source)));
      }
      kept.hidden = !asWritten;
      kept.replaceChildren(...(asWritten ? [again(asWritten)] : []));
    },
    unmount: undo.run,
  };
}

/** @param {Found} found */
function heading(found) {
  const edit = el("button", { type: "button", class: "link", "data-act": "edit" }, "edit this instead");
  const title = el("h3", {}, "this is what is walked");
  return [title, el("span", { class: "pane-note" }, `${counted(found.notes.length, "change")} noted below`), edit];
}

/** @param {FoundNote} note @param {string} source */
function item({ text, line, column, code }, source) {
  const place = `${line}:${column}`;
  const label = `Leave line ${line} as it is written`;
  const props = { type: "button", class: "quiet", "data-place": place, "aria-label": label, title: label };
  const back = code === "entry" ? null : el("button", props, icon("undo"));
  const quoted = source.split("\n")[line - 1]?.trim() ?? "";
  return el("li", {}, el("span", { class: "at", title: quoted }, `${line}`), el("span", {}, ...prose(text)), back);
}

/** @param {string} asWritten */
function again(asWritten) {
  const count = asWritten.split(" ").length;
  const button = el("button", { type: "button", class: "link", "data-act": "rewrite" }, "rewrite again");
  return el("span", {}, `${counted(count, "place")} left as written. `, button);
}
