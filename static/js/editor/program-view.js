import { mendOf, selectionOf } from "./diagnosis.js";
import { byId, cleanups } from "../shared/dom/elements.js";
import { mountComplaint } from "./complaint-view.js";
import { paintLines } from "./highlight-view.js";
import { mountMargin } from "./margin-view.js";
/** @typedef {import("./diagnosis.js").Diagnosis} Diagnosis */
/** @typedef {import("./line-notes.js").LineNote} LineNote */
/**
 * @typedef {{typed: (source: string) => void, undone: () => boolean, open: (line: number) => void, retry: () => void}}
 *   Acts
 */
/**
 * @typedef {{source: string, inputs: Set<string>, notes: LineNote[], diagnosis: Diagnosis|null, fresh: boolean}} Sheet
 */

const INDENT = "    ";

/**
 * The program: a text area over its own highlighted copy, so that caret, selection and undo stay the browser's.
 * @param {Acts} acts
 */
export function mountProgram(acts) {
  const undo = cleanups();
  const area = /** @type {HTMLTextAreaElement} */ (byId("source"));
  const mirror = byId("mirror");
  const margin = mountMargin(byId("margin"), acts.open);
  const complaint = mountComplaint(byId("complaint"), { go: reveal, retry: acts.retry, mend });
  let placed = area.value;
  /** @type {Diagnosis|null} */
  let shown = null;

  /** @param {string} text put in by the page: the browser's own undo does not reach behind it */
  function place(text) {
    if (area.value === text) return;
    const at = area.selectionStart;
    area.value = text;
    placed = text;
    area.setSelectionRange(Math.min(at, text.length), Math.min(at, text.length));
  }

  /** To the marked characters. @returns {boolean} whether there are any */
  function reveal() {
    if (!shown?.span) return false;
    area.focus({ preventScroll: true });
    area.setSelectionRange(...selectionOf(area.value, shown.span));
    const line = mirror.children[shown.span.line - 1];
    line?.scrollIntoView({ block: "nearest" });
    complaint.reveal();
    return true;
  }

  /** @param {string} text in place of the marked characters, as if it were typed */
  function mend(text) {
    if (reveal()) document.execCommand("insertText", false, text);
  }

  /** @param {KeyboardEvent} event */
  function press(event) {
    if (event.isComposing) return;
    const command = event.ctrlKey || event.metaKey;
    if (event.key === "F8" && reveal()) event.preventDefault();
    else if (command && event.key.toLowerCase() === "z" && !event.shiftKey && area.value === placed && acts.undone())
      event.preventDefault();
    else if (event.key === "Enter" && !command && !event.altKey && !event.shiftKey) indent(event);
  }

  /** @param {KeyboardEvent} event a new line begins where the last one does */
  function indent(event) {
    const line = area.value.slice(0, area.selectionStart).split("\n").pop() ?? "";
    const space = (/^\s*/.exec(line)?.[0] ?? "") + (/:\s*(?:#.*)?$/.test(line) ? INDENT : "");
    // the old command is the only way to insert text that the browser's undo knows of
    if (space && document.execCommand("insertText", false, `\n${space}`)) event.preventDefault();
  }
  undo.on(area, "input", () => acts.typed(area.value));
  undo.on(area, "keydown", press);

  return {
    place,
    reveal,
    focus: () => area.focus({ preventScroll: true }),
    /** @param {Sheet} sheet */
    update({ source, inputs, notes, diagnosis, fresh }) {
      place(source);
      shown = diagnosis;
      const span = diagnosis?.span ?? null;
      paintLines(mirror, source, inputs, fresh ? span : null);
      byId("editor").classList.toggle("unfresh", !fresh);
      margin.update(notes, mirror);
      const line = span ? /** @type {HTMLElement} */ (mirror.children[span.line - 1]) : null;
      complaint.update(diagnosis, line, diagnosis && mendOf(diagnosis, source));
      area.setAttribute("aria-invalid", String(diagnosis !== null));
      if (diagnosis) area.setAttribute("aria-describedby", "complaint");
      else area.removeAttribute("aria-describedby");
    },
    unmount() {
      undo.run();
      margin.unmount();
      complaint.unmount();
    },
  };
}
