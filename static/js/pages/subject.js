import { byId, cleanups } from "../views/dom.js";
/** @typedef {import("../model/store.js").Store} Store */
/** @typedef {import("../model/store.js").State} State */

const SEEDS = 2 ** 31;

/** What the Walk page is about: the lesson, and the seed its minibatch is drawn with. @param {Store} store @param {(question: Partial<State>) => void} ask */
export function mountSubject(store, ask) {
  const undo = cleanups();
  const form = byId("seed-form");
  const seed = /** @type {HTMLInputElement} */ (byId("seed"));
  const lesson = /** @type {HTMLSelectElement} */ (byId("lesson"));

  function submit() {
    const text = seed.value.trim();
    const wanted = text === "" ? null : Number(text);
    seed.setCustomValidity(wanted === null || Number.isSafeInteger(wanted) ? "" : "A seed is a whole number.");
    if (form instanceof HTMLFormElement && !form.reportValidity()) return;
    if (wanted !== store.state.seed) ask({ seed: wanted });
  }
  undo.on(form, "submit", (event) => {
    event.preventDefault();
    submit();
  });
  undo.on(seed, "change", submit);
  undo.on(byId("reseed"), "click", () => ask({ seed: Math.floor(Math.random() * SEEDS) }));
  undo.on(lesson, "change", () => location.assign(`/walk/${encodeURIComponent(lesson.value)}`));

  /** @param {State} state */
  function update(state) {
    if (document.activeElement !== seed) seed.value = state.seed === null ? "" : String(state.seed);
  }
  update(store.state);
  undo.add(store.subscribe(update));
  return { unmount: undo.run };
}
