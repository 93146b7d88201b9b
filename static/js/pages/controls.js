import { byId, cleanups } from "../views/dom.js";
/** @typedef {import("../model/store.js").Store} Store */
/** @typedef {import("../model/store.js").State} State */
/** @typedef {{exact: () => void, ask: (question: Partial<State>) => void, change: (change: Partial<State>) => void,
 *   share: () => void}} Acts */

const SEEDS = 2 ** 31;

/** The header: lesson, minibatch seed, the two switches, the keys and the link. @param {Store} store @param {Acts} acts */
export function mountControls(store, acts) {
  const undo = cleanups();
  const [exact, predict, keys, share, reseed] = ["exact", "predict", "keys", "share", "reseed"].map(byId);
  const form = byId("seed-form");
  const seed = /** @type {HTMLInputElement} */ (byId("seed"));
  const lesson = /** @type {HTMLSelectElement} */ (byId("lesson"));
  const dialog = /** @type {HTMLDialogElement} */ (byId("keys-dialog"));

  function help() {
    dialog.showModal();
  }
  function submit() {
    const text = seed.value.trim();
    const wanted = text === "" ? null : Number(text);
    seed.setCustomValidity(wanted === null || Number.isSafeInteger(wanted) ? "" : "A seed is a whole number.");
    if (form instanceof HTMLFormElement && !form.reportValidity()) return;
    if (wanted !== store.state.seed) acts.ask({ seed: wanted });
  }
  undo.on(form, "submit", (event) => {
    event.preventDefault();
    submit();
  });
  undo.on(seed, "change", submit);
  undo.on(reseed, "click", () => acts.ask({ seed: Math.floor(Math.random() * SEEDS) }));
  undo.on(exact, "click", acts.exact);
  undo.on(predict, "click", () => acts.change({ predict: !store.state.predict }));
  undo.on(keys, "click", help);
  undo.on(share, "click", acts.share);
  undo.on(lesson, "change", () => location.assign(`/walk/${encodeURIComponent(lesson.value)}`));
  undo.on(dialog, "click", (event) => {
    if (event.target === dialog || event.target.closest("[data-close]")) dialog.close();
  });
  undo.on(dialog, "keydown", (event) => {
    if (event.key === "?") dialog.close();
  });

  /** @param {State} state */
  function update(state) {
    exact.setAttribute("aria-checked", String(state.exact));
    predict.setAttribute("aria-checked", String(state.predict));
    if (document.activeElement !== seed) seed.value = state.seed === null ? "" : String(state.seed);
  }
  update(store.state);
  undo.add(store.subscribe(update));
  return { help, unmount: undo.run };
}
