import { faultAt, missingIn, selectionOf } from "./diagnosis.js";
import { indentAfter } from "../shared/new-line.js";
import { byId, cleanups } from "../shared/dom/elements.js";
import { mountComplaint } from "./complaint-view.js";
import { paintLines } from "./highlight-view.js";
import { mountMargin } from "./margin-view.js";
/** @typedef {import("./diagnosis.js").Diagnosis} Diagnosis */
/** @typedef {import("./line-notes.js").LineNote} LineNote */
/**
 * @typedef {{typed: (source: string, pasted: boolean) => void, undone: () => boolean, open: (line: number) => void,
 *   retry: () => void, add: (name: string) => void, show: (at: number) => void,
 *   fix: (faults: Diagnosis[]) => void}} Acts
 */
/**
 * @typedef {{source: string, inputs: Set<string>, notes: LineNote[], faults: Diagnosis[], at: number,
 *   needs: import("../walk/found-types.js").Need[], fresh: boolean}} Sheet the fault that is told is number `at`
 */

/**
 * The program: a text area over its own highlighted copy, so that caret, selection and undo stay the browser's.
 * @param {Acts} acts
 */
export function mountProgram(acts) {
  return new Program(acts);
}

class Program {
  /** @param {Acts} acts */
  constructor(acts) {
    this.acts = acts;
    this.area = /** @type {HTMLTextAreaElement} */ (byId("source"));
    this.copy = byId("mirror");
    this.margin = mountMargin(byId("margin"), acts.open);
    this.complaint = mountComplaint(byId("complaint"), { ...acts, go: () => this.reveal() });
    this.placed = this.area.value;
    /** @type {Diagnosis[]} */
    this.faults = [];
    this.at = 0;
    this.undo = cleanups();
    this.pasting = false;
    this.undo.on(this.area, "paste", () => (this.pasting = this.isWhole()));
    this.undo.on(this.area, "input", () => {
      acts.typed(this.area.value, this.pasting);
      this.pasting = false;
    });
    this.undo.on(this.area, "keydown", (event) => this.press(event));
    this.undo.on(this.area, "click", () => this.lookUnderCaret());
    this.undo.on(this.area, "keyup", (event) => event.key.startsWith("Arrow") && this.lookUnderCaret());
  }

  /** @param {string} text put in by the page: the browser's own undo does not reach behind it */
  place(text) {
    const { area } = this;
    if (area.value === text) return;
    const at = Math.min(area.selectionStart, text.length);
    area.value = this.placed = text;
    area.setSelectionRange(at, at);
  }

  /** To the marked characters. @returns {boolean} whether there are any */
  reveal() {
    const span = this.faults[this.at]?.span;
    if (!span) return false;
    this.focus();
    this.area.setSelectionRange(...selectionOf(this.area.value, span));
    this.copy.children[span.line - 1]?.scrollIntoView({ block: "nearest" });
    this.complaint.reveal();
    return true;
  }

  focus = () => this.area.focus({ preventScroll: true });

  /** To the marked characters; from there to those of the next fault, or the one before. @param {number} step */
  walk(step) {
    const { area, faults, at } = this;
    const span = faults[at]?.span;
    const [from, to] = span ? selectionOf(area.value, span) : [0, 0];
    const there = document.activeElement === area && area.selectionStart === from && area.selectionEnd === to;
    if (there) this.acts.show((at + step + faults.length) % faults.length);
    return this.reveal();
  }

  /** What the caret is put on is told. */
  lookUnderCaret() {
    const { value, selectionStart, selectionEnd } = this.area;
    const under = selectionStart === selectionEnd ? faultAt(this.faults, value, selectionStart) : -1;
    if (under >= 0 && under !== this.at) this.acts.show(under);
  }

  /** @returns {boolean} whether what is pasted takes the place of everything */
  isWhole() {
    const { selectionStart, selectionEnd, value } = this.area;
    return value.slice(0, selectionStart).trim() === "" && value.slice(selectionEnd).trim() === "";
  }

  /** @param {string} source in place of the text, as if the part that differs were typed */
  retype(source) {
    const { area } = this;
    const old = area.value;
    let [from, more] = [0, 0];
    while (from < Math.min(old.length, source.length) && old[from] === source[from]) from += 1;
    const most = Math.min(old.length, source.length) - from;
    while (more < most && old[old.length - 1 - more] === source[source.length - 1 - more]) more += 1;
    this.focus();
    area.setSelectionRange(from, old.length - more);
    const text = source.slice(from, source.length - more);
    // the old commands are the only way to change text that the browser's undo knows of
    document.execCommand(text ? "insertText" : "delete", false, text);
  }

  /** @param {KeyboardEvent} event */
  press(event) {
    if (event.isComposing) return;
    const command = event.ctrlKey || event.metaKey;
    const undoes = command && event.key.toLowerCase() === "z" && !event.shiftKey && this.area.value === this.placed;
    if (event.key === "F8" && this.walk(event.shiftKey ? -1 : 1)) event.preventDefault();
    else if (undoes && this.acts.undone()) event.preventDefault();
    else if (event.key === "Enter" && !command && !event.altKey && !event.shiftKey) this.indent(event);
  }

  /** @param {KeyboardEvent} event a new line begins where the last one does */
  indent(event) {
    const space = indentAfter(this.area.value.slice(0, this.area.selectionStart));
    // the old command is the only way to insert text that the browser's undo knows of
    if (space && document.execCommand("insertText", false, `\n${space}`)) event.preventDefault();
  }

  /** @param {Sheet} sheet */
  update({ source, inputs, notes, fresh, needs, ...told }) {
    this.place(source);
    ({ faults: this.faults, at: this.at } = told);
    const spans = told.faults.flatMap((one) => one.span ?? []);
    paintLines(this.copy, source, inputs, fresh ? spans : [], this.faults[this.at]?.span ?? null);
    byId("editor").classList.toggle("unfresh", !fresh);
    this.margin.update(notes, this.copy);
    this.complain(needs, told);
    this.area.setAttribute("aria-invalid", String(told.faults.length > 0));
    if (told.faults.length) this.area.setAttribute("aria-describedby", "complaint");
    else this.area.removeAttribute("aria-describedby");
  }

  /** @param {Sheet["needs"]} needs @param {Pick<Sheet, "faults"|"at">} told */
  complain(needs, told) {
    const fault = told.faults[told.at];
    const line = fault?.span ? /** @type {HTMLElement} */ (this.copy.children[fault.span.line - 1]) : null;
    const missing = fault ? missingIn(fault) : null;
    const need = needs.find(({ name }) => name === missing);
    this.complaint.update({ ...told, missing, need }, line);
  }

  unmount = () => {
    this.undo.run();
    this.margin.unmount();
    this.complaint.unmount();
  };
}
