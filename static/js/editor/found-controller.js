import { sizesOf, withGuesses, withSize } from "./draft-edits.js";
import { byId, cleanups } from "../shared/dom/elements.js";
import { mountMade } from "./made-view.js";
import { mountSizes } from "./sizes-view.js";
import { mountWalked } from "./walked-view.js";
/** @typedef {import("../walk/found-types.js").Found} Found */
/** @typedef {import("../walk/found-types.js").Need} Need */
/** @typedef {import("./types.js").CheckedLine} CheckedLine */
/** @typedef {ReturnType<typeof import("./form-controller.js").mountForm>} Form */

/**
 * Beside the form: what code as found became, what it makes itself, and the sizes that were guessed.
 * @param {Form} form
 */
export function mountFound(form) {
  const undo = cleanups();
  /** @type {Found|null} */
  let found = null;
  const sizes = undo.part(mountSizes(byId("sizes"), resize));
  const made = undo.part(mountMade(byId("made"), takeOver));
  const acts = { keep, rewrite: () => form.change({ asWritten: "" }), edit };
  const walked = undo.part(mountWalked(byId("walked"), acts));

  /** @param {string} letter @param {string} size */
  function resize(letter, size) {
    form.filling = true;
    form.change(withSize(form.draft, letter, size), `size ${letter}`);
  }

  /** @param {string} name of a tensor that the code makes, which gets a row of its own */
  function takeOver(name) {
    form.change(
      withGuesses(
        form.draft,
        madeByCode(found).filter((one) => one.name === name),
      ),
    );
    const row = form.draft.tensors.find((one) => one.name === name);
    if (row) form.focusRow(row.id, "shape");
  }

  /** @param {string} place of code as found that is not to be rewritten */
  function keep(place) {
    form.change({ asWritten: `${form.draft.asWritten ?? ""} ${place}`.trim() });
  }

  /** What is walked takes the place of the code that it was found in. */
  function edit() {
    if (!found) return;
    const { source, loss } = found;
    const before = form.draft.source;
    const tables = withGuesses(form.draft, [...found.needs, ...madeByCode(found)]);
    form.change({ source, loss, asWritten: "", ...tables });
    form.difference.show(before, source);
  }

  return {
    /**
     * @param {{found: Found|null, defined: Set<string>, chunks: CheckedLine[]}} frame `defined` are names that have a
     *   row, `chunks` the lines that are walked
     */
    update(frame) {
      found = frame.found;
      sizes.update(sizesOf(form.draft.tensors));
      made.update(frame);
      const { source, asWritten = "" } = form.draft;
      walked.update({ found, source, asWritten, chunks: frame.chunks });
    },
    unmount: undo.run,
  };
}

/** @param {Found|null} found @returns {Need[]} the rows that the code itself makes */
function madeByCode(found) {
  const row = (/** @type {string} */ name, /** @type {any} */ given) => ({
    ...{ name, row: given, kind: given.role ? "decimals" : "number", because: "", letters: [] },
    ...{ shape: null, below: null, fits: [], sure: true },
  });
  const lifted = Object.entries(found?.lifted ?? {}).map(([name, spec]) => row(name, spec));
  const numbers = Object.entries(found?.constants ?? {}).map(([name, values]) => row(name, { values }));
  return /** @type {Need[]} */ ([...lifted, ...numbers]);
}
