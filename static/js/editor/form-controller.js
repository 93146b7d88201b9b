import { lineNotes } from "./line-notes.js";
import { diagnoses, keptAmong, missingIn } from "./diagnosis.js";
import { contentOf, emptyDraft } from "./draft.js";
import { withAdded, withField, withGuesses, without } from "./draft-edits.js";
import { History } from "./undo-history.js";
import { indicesIn, looksLikeNumber, namesIn, offeredTensor, sizesText } from "./program-names.js";
import { withFixes } from "./fixes.js";
import { bodyOf, mistakesIn, outlineOf, shapeOfRow } from "./request.js";
import { rowMistakes } from "./row-mistakes.js";
import { byId, cleanups } from "../shared/dom/elements.js";
import { constantRowView } from "./constant-row-view.js";
import { mountProgram } from "./program-view.js";
import { mountMissing } from "./missing-names-view.js";
import { mountRows } from "./rows-view.js";
import { mountDifference } from "./difference-view.js";
import { mountStatus } from "./status-view.js";
import { mountFound } from "./found-controller.js";
import { tensorRowView } from "./tensor-row-view.js";
import { makeCheckLoader } from "./check-loader.js";
import { loadProgram } from "./starts-loader.js";
import { numel } from "../shared/shape.js";
/** @typedef {import("./draft.js").Draft} Draft */
/** @typedef {import("./draft-edits.js").Added} Added */
/** @typedef {import("./diagnosis.js").Diagnosis} Diagnosis */
/** @typedef {import("../shared/api.js").ApiError} ApiError */
/** @typedef {import("../walk/found-types.js").Need} Need */
/** @typedef {{changed: (draft: Draft) => void, open: (line: number) => void, walk: () => void}} Hears */

/** More numbers than this are not changed by hand. */
const BY_HAND = 4096;

/**
 * The form: program, tensors, numbers; one draft, everything drawn from it, every change undoable.
 * @param {Hears} hears
 */
export function mountForm(hears) {
  return new Form(hears);
}

class Form {
  /** @param {Hears} hears */
  constructor(hears) {
    this.hears = hears;
    this.history = new History(emptyDraft(), contentOf);
    /** @type {{source: string, report: import("./line-notes.js").Report}|null} */
    this.accepted = null;
    /** @type {Diagnosis[]} */
    this.faults = [];
    this.at = 0;
    /** @type {Need[]} */
    this.needs = [];
    this.asked = "";
    this.untouched = "";
    this.filling = this.reading = false;
    this.fresh = false;
    this.checker = makeCheckLoader({
      accepted: (report, source) => {
        this.accepted = { source, report };
        this.needs = report.found?.needs ?? report.needs;
        if (!this.fill()) this.settle([]);
      },
      refused: (error) => this.refused(error),
    });
    this.editor = this.program();
    this.tensors = mountRows(byId("tensors"), tensorRowView, this.rowActs());
    this.constants = mountRows(byId("constants"), constantRowView, this.rowActs());
    this.missing = mountMissing(byId("missing"), {
      add: (names) => this.add(names),
      drop: (names) => this.dropNames(names),
    });
    this.status = mountStatus(byId("status"), hears.walk);
    this.difference = mountDifference(byId("difference"), this.stepBack);
    this.found = mountFound(this);
    this.loss = /** @type {HTMLInputElement} */ (byId("loss"));
    this.dtype = /** @type {HTMLSelectElement} */ (byId("dtype"));
    this.focus = this.editor.focus;
    this.unmount = this.listen();
  }

  program() {
    return mountProgram({
      typed: (source, pasted) => this.typed(source, pasted),
      fix: (faults) => this.rewrite(withFixes(this.draft.source, faults)),
      undone: this.stepBack,
      open: this.hears.open,
      retry: () => this.ask(true),
      add: (name) => this.add([{ name, number: looksLikeNumber(name) }]),
      show: (wanted) => {
        this.at = wanted;
        this.draw();
      },
    });
  }

  /** @returns {import("./rows-view.js").Acts} */
  rowActs() {
    return {
      edit: (id, field, value) => this.editRow(id, field, value),
      drop: (id) => this.change(without(this.draft, (row) => row.id === id)),
      take: (id) => this.takeShape(id),
    };
  }

  /** @returns {() => void} */
  listen() {
    const { loss, dtype } = this;
    const undo = cleanups();
    undo.on(loss, "input", () => this.change({ loss: loss.value }, "loss"));
    undo.on(dtype, "input", () => this.change({ dtype: dtype.value === "float64" ? "float64" : "float32" }));
    undo.on(byId("add-tensor"), "click", () => this.add([{ name: "", number: false }]));
    undo.on(byId("add-constant"), "click", () => this.add([{ name: "", number: true }]));
    undo.on(byId("undo"), "click", this.stepBack);
    undo.on(byId("redo"), "click", this.stepOn);
    const parts = [this.editor, this.tensors, this.constants, this.missing, this.found, this.difference];
    for (const part of parts) undo.add(part.unmount);
    undo.add(this.checker.stop);
    return undo.run;
  }

  get draft() {
    return this.history.present;
  }

  /** @param {ApiError} error */
  refused({ problem }) {
    this.needs = problem.needs ?? [];
    if (!this.fill()) this.settle(diagnoses(problem, this.draft));
  }

  /**
   * What was pasted gets its table, as one step with it.
   * @returns {boolean} whether there was something to fill in
   */
  fill() {
    if (!this.filling) return false;
    this.filling = this.needs.length === 0 && this.accepted?.source !== this.draft.source;
    const { run } = this.history;
    const filled = withGuesses(this.draft, this.needs);
    const before = this.history.present;
    this.history.record({ ...this.draft, ...filled }, run.tag || "filled", run.at);
    if (this.history.present === before) return false;
    this.follow();
    return true;
  }

  /**
   * @param {string} source @param {boolean} pasted in the place of all that was there: an example that nobody touched
   *   goes with its tables, and so do guesses
   */
  typed(source, pasted) {
    const { draft } = this;
    this.filling ||= pasted;
    this.reading = pasted;
    this.difference.hide();
    const whole = pasted && contentOf(draft) === this.untouched;
    const none = { tensors: [], constants: [], loss: "", origin: undefined };
    const tables = whole ? none : pasted ? without(draft, ({ guess }) => guess !== "") : {};
    this.change({ source, asWritten: "", ...tables }, pasted ? "paste" : "source");
    // read from its top: the browser goes to the end, where the caret is
    if (pasted) requestAnimationFrame(() => byId("editor").scrollTo(0, 0));
  }

  /** @param {string} source put in by the page, as if it were typed; what has changed is shown */
  rewrite(source) {
    const before = this.draft.source;
    this.editor.retype(source);
    this.difference.show(before, source);
  }

  /** @param {Diagnosis[]} found */
  settle(found) {
    this.at = keptAmong(found, this.faults[this.at]);
    this.faults = found;
    this.fresh = true;
    this.reading = false;
    this.draw();
  }

  /** @param {Partial<Draft>} part @param {string} [tag] */
  change(part, tag) {
    this.history.record({ ...this.draft, ...part }, tag);
    this.follow();
  }

  follow() {
    this.hears.changed(this.draft);
    this.ask();
    this.draw();
  }

  /** @param {boolean} [again] */
  ask(again = false) {
    const { draft } = this;
    // whatever the tables lack: a slip in the program can be told at once
    const body = !draft.source.trim() ? "" : mistakesIn(draft).length ? outlineOf(draft) : bodyOf(draft);
    if (body === this.asked && !again) return;
    this.asked = body;
    this.fresh = false;
    if (body) return this.checker.check(body, draft.source, again);
    this.checker.stop();
    [this.faults, this.needs] = [[], []];
  }

  /** @param {number} id @param {string} field @param {string} value */
  editRow(id, field, value) {
    const drawn = this.draft.tensors.find((row) => row.id === id);
    this.change(withField(this.draft, id, field, value), `${id} ${field}`);
    if (field === "fill" && value === "values" && drawn && !drawn.values.trim()) this.keepNumbers(drawn);
  }

  /** @param {import("./draft.js").TensorRow} drawn whose numbers become values, to be changed one by one */
  async keepNumbers(drawn) {
    const alone = { ...emptyDraft(), tensors: [drawn], dtype: this.draft.dtype };
    const size = numel(shapeOfRow(drawn) ?? []);
    if (size > BY_HAND || mistakesIn(alone).length) return;
    const kept = await loadProgram(bodyOf(alone)).catch(() => null);
    const now = this.draft.tensors.find(({ id }) => id === drawn.id);
    if (!kept || now?.fill !== "values" || now.values.trim()) return;
    const { values } = kept.draft.tensors[0];
    // undone together with the choice that it came of, however long the server took
    const { run } = this.history;
    this.history.record(
      { ...this.draft, ...withField(this.draft, drawn.id, "values", values) },
      `${drawn.id} fill`,
      run.at,
    );
    this.follow();
    const box = document.activeElement;
    // whoever has other numbers to paste pastes them over these
    if (box instanceof HTMLTextAreaElement && box.dataset.row === String(drawn.id)) box.select();
  }

  /** @param {string} name @returns {Need|undefined} what its use tells of it */
  need(name) {
    return this.needs.find((need) => need.name === name);
  }

  /** @param {number} id of a row that takes what its use tells */
  takeShape(id) {
    const row = this.draft.tensors.find((one) => one.id === id);
    const shape = row && this.need(row.name)?.shape;
    if (shape) this.editRow(id, "shape", sizesText(shape));
    this.tensors.focus(id, "shape");
  }

  /** @param {string[]} names */
  dropNames(names) {
    this.change(without(this.draft, ({ name }) => names.includes(name)));
    byId("add-tensor").focus();
  }

  /** @param {Added[]} added */
  add(added) {
    const { first, ...tables } = withAdded(this.draft, added, (name) => offeredTensor(name, this.need(name)));
    this.change(tables);
    if (first) this.focusRow(first.id, first.field);
  }

  /** @param {number} id @param {string} field @returns {boolean} */
  focusRow(id, field) {
    return this.tensors.focus(id, field) || this.constants.focus(id, field);
  }

  /** @returns {boolean} */
  stepBack = () => {
    const moved = this.history.undo();
    if (moved) this.follow();
    return moved;
  };

  stepOn = () => {
    if (this.history.redo()) this.follow();
  };

  /** To the first thing that is wrong, wherever it is. */
  toMistake = () => {
    if (this.editor.reveal()) return true;
    const [first] = rowMistakes(this.draft, this.faults);
    return first !== undefined && this.focusRow(first.id, first.field || "name");
  };

  draw() {
    const { draft, faults, at, fresh } = this;
    const mistakes = rowMistakes(draft, faults);
    const known = this.accepted?.source === draft.source && !faults.length;
    const found = known ? this.accepted?.report.found : undefined;
    const names = namesIn(draft.source);
    // code as found reads settings by any word, such as `vocab_size` of `config.vocab_size`
    const used = found ? new Set(`${found.source}\n${draft.source}`.match(/\w+/g)) : names.used;
    const unused = (/** @type {{name: string}} */ { name }) =>
      name !== "" && draft.source.trim() !== "" && !used.has(name);
    const rows = [...draft.tensors, ...draft.constants];
    const defined = new Set(rows.map(({ name }) => name));
    const outside = faults.filter(({ row }) => row === null);
    this.drawProgram(defined, outside);
    this.tensors.update(draft.tensors, mistakes, unused, indicesIn(draft.source), this.needs);
    this.constants.update(draft.constants, mistakes, unused);
    const offers = missingNames(outside, this.needs).filter(
      (name) => !defined.has(name) && (fresh || names.used.has(name)),
    );
    this.missing.update(
      offers.map((name) => ({ name, number: isNumber(name, this.need(name)), need: this.need(name) })),
      rows.filter(unused).map(({ name }) => name),
    );
    this.found.update({ found: found ?? null, defined, chunks: this.accepted?.report.chunks ?? [] });
    const report = this.accepted?.report ?? null;
    this.status.update({ draft, mistakes, faults: outside, at, fresh, reading: this.reading, report });
    this.drawChoices();
  }

  /** @param {Set<string>} inputs @param {Diagnosis[]} faults those of the program */
  drawProgram(inputs, faults) {
    const { draft, accepted, at, needs, fresh } = this;
    const whole = accepted !== null && accepted.report.loss !== null;
    const wrong = faults[0]?.span?.line ?? null;
    const found = accepted?.report.found; // whose shapes stand beside what is walked
    const notes = found ? [] : lineNotes(accepted, draft.source, wrong, fresh && whole && !this.faults.length);
    this.editor.update({ source: draft.source, inputs, fresh, faults, at, needs, notes });
  }

  drawChoices() {
    const { draft, loss, dtype, history } = this;
    if (loss.value !== draft.loss) loss.value = draft.loss;
    dtype.value = draft.dtype;
    byId("undo").setAttribute("aria-disabled", String(!history.past.length));
    byId("redo").setAttribute("aria-disabled", String(!history.future.length));
  }

  /** @param {Draft} draft @param {Draft|null} [before] which Undo brings back */
  begin(draft, before = null) {
    this.history.present = before ?? draft;
    this.history.record(draft);
    this.untouched = contentOf(draft);
    this.follow();
  }

  /** @param {Partial<Draft>} part all of a new program, or its text */
  replace(part) {
    this.change(part);
    if (part.tensors) this.untouched = contentOf(this.draft);
  }

  /** @param {boolean} exact @returns {string|null} the walk request, null if the form has mistakes */
  body(exact) {
    return mistakesIn(this.draft).length ? null : bodyOf(this.draft, exact);
  }

  /** @param {ApiError} error what came of walking, opening or exporting it */
  refuse(error) {
    this.checker.stop();
    this.asked = bodyOf(this.draft);
    this.refused(error);
    this.toMistake();
  }
}

/** @param {Diagnosis[]} faults @param {Need[]} needs @returns {string[]} names that nothing gives a value, each once */
function missingNames(faults, needs) {
  return [...new Set([...needs.map(({ name }) => name), ...faults.flatMap((fault) => missingIn(fault) ?? [])])];
}

/** @param {string} name @param {Need|undefined} need */
function isNumber(name, need) {
  return need ? need.kind === "number" : looksLikeNumber(name);
}
