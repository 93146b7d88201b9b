import { lineNotes } from "./line-notes.js";
import { diagnoses, keptAmong } from "./diagnosis.js";
import { constantRow, contentOf, emptyDraft, tensorRow } from "./draft.js";
import { History } from "./undo-history.js";
import { indicesIn, looksLikeNumber, namesIn, nextSeed, offeredTensor, sizesText } from "./program-names.js";
import { bodyOf, mistakesIn, outlineOf, shapeOfRow } from "./request.js";
import { byId, cleanups } from "../shared/dom/elements.js";
import { constantRowView } from "./constant-row-view.js";
import { mountProgram } from "./program-view.js";
import { mountMissing } from "./missing-names-view.js";
import { mountRows } from "./rows-view.js";
import { mountStatus } from "./status-view.js";
import { tensorRowView } from "./tensor-row-view.js";
import { makeCheckLoader } from "./check-loader.js";
import { loadProgram } from "./starts-loader.js";
/** @typedef {import("./draft.js").Draft} Draft */
/** @typedef {import("./request.js").Mistake} Mistake */
/** @typedef {import("./diagnosis.js").Diagnosis} Diagnosis */
/** @typedef {import("../shared/api.js").ApiError} ApiError */
/** @typedef {{changed: (draft: Draft) => void, open: (line: number) => void, walk: () => void}} Hears */

/** More numbers than this are not changed by hand. */
const BY_HAND = 4096;

/**
 * The form: program, tensors, numbers; one draft, everything drawn from it, every change undoable.
 * @param {Hears} hears
 */
export function mountForm(hears) {
  const undo = cleanups();
  const history = new History(emptyDraft(), contentOf);
  /** @type {{source: string, report: import("./line-notes.js").Report}|null} */
  let accepted = null;
  /** @type {Diagnosis[]} */
  let faults = [];
  let at = 0;
  /** @type {import("../walk/types.js").Need[]} */
  let needs = [];
  let asked = "";
  let fresh = false;
  let whole = false;

  const editor = mountProgram({
    typed: (source) => change({ source }, "source"),
    undone: stepBack,
    open: hears.open,
    retry: () => ask(true),
    add: (name) => add([{ name, number: looksLikeNumber(name) }]),
    show(wanted) {
      at = wanted;
      draw();
    },
  });
  const tensors = mountRows(byId("tensors"), tensorRowView, { edit: editRow, drop: dropRow, take: takeShape });
  const constants = mountRows(byId("constants"), constantRowView, { edit: editRow, drop: dropRow });
  const missing = mountMissing(byId("missing"), { add, drop: dropNames });
  const status = mountStatus(byId("status"), hears.walk);
  const loss = /** @type {HTMLInputElement} */ (byId("loss"));
  const dtype = /** @type {HTMLSelectElement} */ (byId("dtype"));
  const checker = makeCheckLoader({
    accepted(report, source) {
      whole = report.loss !== null;
      accepted = { source, report };
      needs = report.needs;
      settle([]);
    },
    refused,
  });

  /** @param {ApiError} error */
  function refused({ problem }) {
    needs = problem.needs ?? [];
    settle(diagnoses(problem, history.present));
  }

  /** @param {Diagnosis[]} found */
  function settle(found) {
    at = keptAmong(found, faults[at]);
    faults = found;
    fresh = true;
    draw();
  }

  /** @param {Partial<Draft>} part @param {string} [tag] */
  function change(part, tag) {
    history.record({ ...history.present, ...part }, tag);
    follow();
  }

  function follow() {
    hears.changed(history.present);
    ask();
    draw();
  }

  /** @param {boolean} [again] */
  function ask(again = false) {
    const draft = history.present;
    // whatever the tables lack: a slip in the program can be told at once
    const body = !draft.source.trim() ? "" : mistakesIn(draft).length ? outlineOf(draft) : bodyOf(draft);
    if (body === asked && !again) return;
    asked = body;
    fresh = false;
    if (body) return checker.check(body, draft.source, again);
    checker.stop();
    [faults, needs] = [[], []];
  }

  /** @param {number} id @param {string} field @param {string} value */
  function editRow(id, field, value) {
    const edit = (/** @type {any} */ row) => (row.id === id ? { ...row, [field]: value } : row);
    const { tensors, constants } = history.present;
    const drawn = tensors.find((row) => row.id === id);
    change({ tensors: tensors.map(edit), constants: constants.map(edit) }, `${id} ${field}`);
    if (field === "fill" && value === "values" && drawn && !drawn.values.trim()) keepNumbers(drawn);
  }

  /** @param {import("./draft.js").TensorRow} drawn whose numbers become values, to be changed one by one */
  async function keepNumbers(drawn) {
    const alone = { ...emptyDraft(), tensors: [drawn], dtype: history.present.dtype };
    const size = (shapeOfRow(drawn) ?? []).reduce((a, b) => a * b, 1);
    if (size > BY_HAND || mistakesIn(alone).length) return;
    const kept = await loadProgram(bodyOf(alone)).catch(() => null);
    const now = history.present.tensors.find(({ id }) => id === drawn.id);
    if (!kept || now?.fill !== "values" || now.values.trim()) return;
    const [{ values }] = kept.draft.tensors;
    const rows = history.present.tensors.map((row) => (row.id === drawn.id ? { ...row, values } : row));
    // undone together with the choice that it came of, however long the server took
    history.record({ ...history.present, tensors: rows }, `${drawn.id} fill`, history.run.at);
    follow();
    const box = document.activeElement;
    // whoever has other numbers to paste pastes them over these
    if (box instanceof HTMLTextAreaElement && box.dataset.row === String(drawn.id)) box.select();
  }

  /** @param {number} id of a row that takes what its use tells */
  function takeShape(id) {
    const row = history.present.tensors.find((one) => one.id === id);
    const shape = needs.find(({ name }) => name === row?.name)?.shape;
    if (shape) editRow(id, "shape", sizesText(shape));
    tensors.focus(id, "shape");
  }

  /** @param {number} id */
  function dropRow(id) {
    const { tensors, constants } = history.present;
    change({ tensors: tensors.filter((row) => row.id !== id), constants: constants.filter((row) => row.id !== id) });
  }

  /** @param {string[]} names */
  function dropNames(names) {
    const { tensors, constants } = history.present;
    change({
      tensors: tensors.filter(({ name }) => !names.includes(name)),
      constants: constants.filter(({ name }) => !names.includes(name)),
    });
    byId("add-tensor").focus();
  }

  /** @param {{name: string, number: boolean}[]} names */
  function add(names) {
    const [numbers, others] = [names.filter(({ number }) => number), names.filter(({ number }) => !number)];
    const { present } = history;
    const seed = nextSeed(present.tensors);
    const rows = others.map(({ name }, i) => tensorRow({ ...offered(name), seed: String(seed + i) }));
    const values = numbers.map(({ name }) => constantRow({ name }));
    change({ tensors: [...present.tensors, ...rows], constants: [...present.constants, ...values] });
    if (rows.length) tensors.focus(rows[0].id, rows[0].name ? "shape" : "name");
    else if (values.length) constants.focus(values[0].id, values[0].name ? "value" : "name");
  }

  /** @param {string} name */
  const offered = (name) =>
    offeredTensor(
      name,
      needs.find((need) => need.name === name),
    );

  /** @returns {boolean} */
  function stepBack() {
    const moved = history.undo();
    if (moved) follow();
    return moved;
  }

  function stepOn() {
    if (history.redo()) follow();
  }

  /** @param {Draft} draft @returns {Mistake[]} those of the form, and what the server said about a row */
  function mistakes(draft) {
    const own = mistakesIn(draft);
    const [first = null] = faults;
    const row = first?.row ?? null;
    return row === null || own.length
      ? own
      : [{ id: row, field: fieldIn(first), message: first?.problem.message ?? "" }];
  }

  function draw() {
    const draft = history.present;
    const names = namesIn(draft.source);
    const defined = new Set([...draft.tensors, ...draft.constants].map(({ name }) => name));
    const found = mistakes(draft);
    const outside = faults.filter(({ row }) => row === null);
    const unused = (/** @type {{name: string}} */ { name }) =>
      name !== "" && draft.source.trim() !== "" && !names.used.has(name);
    editor.update({
      source: draft.source,
      inputs: defined,
      fresh,
      faults: outside,
      at,
      needs,
      notes: lineNotes(accepted, draft.source, outside[0]?.span?.line ?? null, fresh && whole && !faults.length),
    });
    tensors.update(draft.tensors, found, unused, indicesIn(draft.source), needs);
    constants.update(draft.constants, found, unused);
    const slips = new Set(outside.map(({ problem }) => (problem.code === "name-near" ? problem.where?.text : "")));
    const offers = names.needed
      .filter((name) => !defined.has(name) && !(fresh && slips.has(name)))
      .map((name) => ({ name, number: looksLikeNumber(name), need: needs.find((need) => need.name === name) }));
    missing.update(
      offers,
      [...draft.tensors, ...draft.constants].filter(unused).map(({ name }) => name),
    );
    status.update({ draft, mistakes: found, faults: outside, at, fresh, report: accepted?.report ?? null });
    if (loss.value !== draft.loss) loss.value = draft.loss;
    dtype.value = draft.dtype;
    byId("undo").setAttribute("aria-disabled", String(!history.past.length));
    byId("redo").setAttribute("aria-disabled", String(!history.future.length));
  }

  /** To the first thing that is wrong, wherever it is. */
  function toMistake() {
    if (editor.reveal()) return true;
    const [first] = mistakes(history.present);
    return (
      first !== undefined &&
      (tensors.focus(first.id, first.field || "name") || constants.focus(first.id, first.field || "name"))
    );
  }

  undo.on(loss, "input", () => change({ loss: loss.value }, "loss"));
  undo.on(dtype, "input", () => change({ dtype: dtype.value === "float64" ? "float64" : "float32" }));
  undo.on(byId("add-tensor"), "click", () => add([{ name: "", number: false }]));
  undo.on(byId("add-constant"), "click", () => add([{ name: "", number: true }]));
  undo.on(byId("undo"), "click", stepBack);
  undo.on(byId("redo"), "click", stepOn);
  for (const part of [editor, tensors, constants, missing]) undo.add(part.unmount);
  undo.add(checker.stop);

  return {
    get draft() {
      return history.present;
    },
    stepBack,
    stepOn,
    toMistake,
    focus: editor.focus,
    /** @param {Draft} draft @param {Draft|null} [before] which Undo brings back */
    begin(draft, before = null) {
      history.present = before ?? draft;
      history.record(draft);
      follow();
    },
    /** @param {Partial<Draft>} part all of a new program, or its text */
    replace: (part) => change(part),
    /** @param {boolean} exact @returns {string|null} the walk request, null if the form has mistakes */
    body: (exact) => (mistakesIn(history.present).length ? null : bodyOf(history.present, exact)),
    /** @param {ApiError} error what came of walking, opening or exporting it */
    refuse(error) {
      checker.stop();
      asked = bodyOf(history.present);
      refused(error);
      toMistake();
    },
    unmount: undo.run,
  };
}

/** @param {Diagnosis|null} diagnosis @returns {string} the field of a row that a refusal speaks of */
function fieldIn(diagnosis) {
  const { code = "", message = "" } = diagnosis?.problem ?? {};
  if (message.startsWith("dims.")) return "axes";
  if (code.startsWith("name-") || code.startsWith("constants-")) return "name";
  return /^tensors\.\w+\.(\w+)/.exec(message)?.[1] ?? (code === "tensor-too-large" ? "shape" : "");
}
