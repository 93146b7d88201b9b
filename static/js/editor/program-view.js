import { faultAt, mendOf, missingIn, selectionOf } from "./diagnosis.js";
import { byId, cleanups } from "../shared/dom/elements.js";
import { mountComplaint } from "./complaint-view.js";
import { paintLines } from "./highlight-view.js";
import { mountMargin } from "./margin-view.js";
/** @typedef {import("./diagnosis.js").Diagnosis} Diagnosis */
/** @typedef {import("./line-notes.js").LineNote} LineNote */
/**
 * @typedef {{typed: (source: string) => void, undone: () => boolean, open: (line: number) => void, retry: () => void,
 *   add: (name: string) => void, show: (at: number) => void}} Acts
 */
/**
 * @typedef {{source: string, inputs: Set<string>, notes: LineNote[], faults: Diagnosis[], at: number,
 *   needs: import("../walk/types.js").Need[], fresh: boolean}} Sheet the fault that is told is number `at`
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
  const complaint = mountComplaint(byId("complaint"), { ...acts, go: reveal, mend });
  let placed = area.value;
  /** @type {Diagnosis[]} */
  let faults = [];
  let at = 0;

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
    const span = faults[at]?.span;
    if (!span) return false;
    area.focus({ preventScroll: true });
    area.setSelectionRange(...selectionOf(area.value, span));
    const line = mirror.children[span.line - 1];
    line?.scrollIntoView({ block: "nearest" });
    complaint.reveal();
    return true;
  }

  /** To the marked characters; from there to those of the next fault, or the one before. @param {number} step */
  function walk(step) {
    const span = faults[at]?.span;
    const [from, to] = span ? selectionOf(area.value, span) : [0, 0];
    const there = document.activeElement === area && area.selectionStart === from && area.selectionEnd === to;
    if (there) acts.show((at + step + faults.length) % faults.length);
    return reveal();
  }

  /** What the caret is put on is told. */
  function lookUnderCaret() {
    const under = area.selectionStart === area.selectionEnd ? faultAt(faults, area.value, area.selectionStart) : -1;
    if (under >= 0 && under !== at) acts.show(under);
  }

  /** @param {string} text in place of the marked characters, as if it were typed */
  function mend(text) {
    if (reveal()) document.execCommand("insertText", false, text);
  }

  /** @param {KeyboardEvent} event */
  function press(event) {
    if (event.isComposing) return;
    const command = event.ctrlKey || event.metaKey;
    if (event.key === "F8" && walk(event.shiftKey ? -1 : 1)) event.preventDefault();
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
  undo.on(area, "click", lookUnderCaret);
  undo.on(area, "keyup", (event) => event.key.startsWith("Arrow") && lookUnderCaret());

  return {
    place,
    reveal,
    focus: () => area.focus({ preventScroll: true }),
    /** @param {Sheet} sheet */
    update({ source, inputs, notes, needs, fresh, ...told }) {
      place(source);
      ({ faults, at } = told);
      const span = faults[at]?.span ?? null;
      const spans = faults.flatMap((one) => one.span ?? []);
      paintLines(mirror, source, inputs, fresh ? spans : [], span);
      byId("editor").classList.toggle("unfresh", !fresh);
      margin.update(notes, mirror);
      const line = span ? /** @type {HTMLElement} */ (mirror.children[span.line - 1]) : null;
      const missing = faults[at] ? missingIn(faults[at]) : null;
      const need = needs.find(({ name }) => name === missing);
      complaint.update({ ...told, mend: faults[at] ? mendOf(faults[at], source) : null, missing, need }, line);
      area.setAttribute("aria-invalid", String(faults.length > 0));
      if (faults.length) area.setAttribute("aria-describedby", "complaint");
      else area.removeAttribute("aria-describedby");
    },
    unmount() {
      undo.run();
      margin.unmount();
      complaint.unmount();
    },
  };
}
