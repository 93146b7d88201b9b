import { mountChangesBar } from "../changes/changes-bar-view.js";
import { byId, cleanups } from "../shared/dom/elements.js";
/** @typedef {import("../walk/store.js").Store} Store */
/** @typedef {import("../walk/store.js").State} State */
/**
 * @typedef {{exact: () => void, change: (change: Partial<State>) => void, ask: (question: Partial<State>) => void,
 *   share: () => void, own: () => void}} Acts `own`: the walk becomes a program of one's own
 */

/** The header's switches, the keys and the link. @param {Store} store @param {Acts} acts */
export function mountHeader(store, acts) {
  const undo = cleanups();
  const [exact, predict, write, keys, share] = ["exact", "predict", "write", "keys", "share"].map(byId);
  const dialog = /** @type {HTMLDialogElement} */ (byId("keys-dialog"));

  function toggleWrite() {
    acts.change({ writeIt: !store.state.writeIt });
  }
  function help() {
    dialog.showModal();
  }
  undo.on(exact, "click", acts.exact);
  undo.on(predict, "click", () => acts.change({ predict: !store.state.predict }));
  undo.on(write, "click", toggleWrite);
  undo.on(keys, "click", help);
  undo.on(share, "click", acts.share);
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
    write.setAttribute("aria-checked", String(state.writeIt));
  }
  const bar = mountChangesBar(byId("changes"), { keep: (changes) => acts.ask({ changes }), own: acts.own });

  /** @param {State} state */
  function all(state) {
    update(state);
    bar.update(state.changes);
  }
  all(store.state);
  undo.add(store.subscribe(all));
  undo.add(bar.unmount);
  return { help, writeIt: toggleWrite, unmount: undo.run };
}
