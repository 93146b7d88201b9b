import { mountChangesBar } from "../changes/changes-bar-view.js";
import { History } from "../changes/history.js";
import { byId, cleanups } from "../shared/dom/elements.js";
import { differing } from "../shared/differing.js";
/** @typedef {import("../walk/changes.js").Change} Change */
/** @typedef {import("../walk/store.js").Store} Store */
/** @typedef {import("../walk/store.js").State} State */
/**
 * @typedef {{exact: () => void, change: (change: Partial<State>) => void, ask: (question: Partial<State>) => void,
 *   attempt: (changes: Change[]) => void, watch: (watcher: import("./walk-controller.js").Watcher) => void,
 *   share: () => void, own: () => void}} Acts `own`: the walk becomes a program of one's own; `attempt` shows what
 *   changes would do
 */

/** The header's switches, the keys and the link. @param {Store} store @param {Acts} acts */
export function mountHeader(store, acts) {
  const undo = cleanups();
  const [exact, predict, write, keys, share] = ["exact", "predict", "write", "keys", "share"].map(byId);
  const dialog = /** @type {HTMLDialogElement} */ (byId("keys-dialog"));
  const differs = differing();

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
    if (!differs(state.exact, state.predict, state.writeIt)) return;
    exact.setAttribute("aria-checked", String(state.exact));
    predict.setAttribute("aria-checked", String(state.predict));
    write.setAttribute("aria-checked", String(state.writeIt));
  }
  const history = new History(store.state.changes);
  const bar = mountChangesBar(byId("changes"), {
    keep: (changes) => acts.ask({ changes }),
    attempt: acts.attempt,
    undo: () => goTo(history.undo()),
    own: acts.own,
    delta: () => acts.change({ delta: !store.state.delta }),
  });
  acts.watch(bar);
  undo.on(document, "keydown", (event) => {
    if (!(event.ctrlKey || event.metaKey) || event.altKey || byId("walk").hidden) return;
    const writes = event.target.matches?.("input:not([type=range]):not([type=radio]), textarea, select");
    if (writes || document.querySelector("dialog[open]")) return;
    const key = event.key.toLowerCase();
    const changes =
      key === "y" || (key === "z" && event.shiftKey) ? history.redo() : key === "z" ? history.undo() : null;
    if (!changes) return;
    event.preventDefault();
    goTo(changes);
  });

  /** @param {Change[]|null} changes */
  function goTo(changes) {
    if (changes) acts.ask({ changes });
  }

  /** @param {State} state @param {State} [before] */
  function all(state, before) {
    update(state);
    if (before && state.changes !== before.changes) history.note(state.changes);
    bar.update(state.changes, state.delta);
  }
  all(store.state);
  undo.add(store.subscribe(all));
  undo.add(bar.unmount);
  return { help, writeIt: toggleWrite, unmount: undo.run };
}
