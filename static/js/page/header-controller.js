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
 *   share: () => void, save: () => void, own: () => void}} Acts `own`: the walk becomes a program of one's own;
 *   `attempt` shows what changes would do
 */

/** The header's switches, the link, and the changes by hand. @param {Store} store @param {Acts} acts */
export function mountHeader(store, acts) {
  const undo = cleanups();
  const { writeIt } = undo.part(mountSwitches(store, acts));
  const changes = undo.part(mountChanges(store, acts));
  undo.on(byId("share"), "click", acts.share);
  undo.on(byId("save"), "click", acts.save);
  return { writeIt, undo: changes.undo, redo: changes.redo, unmount: undo.run };
}

/** @param {Store} store @param {Acts} acts */
function mountSwitches(store, acts) {
  const undo = cleanups();
  const differs = differing();
  const names = /** @type {const} */ (["exact", "predict", "writeIt"]);
  const buttons = ["exact", "predict", "write"].map(byId);
  const predict = () => acts.change({ predict: !store.state.predict });
  const writeIt = () => acts.change({ writeIt: !store.state.writeIt });

  /** @param {State} state */
  function update(state) {
    if (!differs(...names.map((name) => state[name]))) return;
    names.forEach((name, i) => buttons[i].setAttribute("aria-checked", String(state[name])));
  }
  [acts.exact, predict, writeIt].forEach((act, i) => undo.on(buttons[i], "click", act));
  update(store.state);
  undo.add(store.subscribe(update));
  return { writeIt, unmount: undo.run };
}

/** What was changed by hand, and the way back and forth in it. @param {Store} store @param {Acts} acts */
function mountChanges(store, acts) {
  const undo = cleanups();
  const history = new History(store.state.changes);
  const bar = undo.part(
    mountChangesBar(byId("changes"), {
      keep: (changes) => acts.ask({ changes }),
      attempt: acts.attempt,
      undo: () => goTo(history.undo()),
      own: acts.own,
      delta: () => acts.change({ delta: !store.state.delta }),
    }),
  );
  acts.watch(bar);

  /** @param {Change[]|null} changes @returns {boolean} whether there were any to go to */
  function goTo(changes) {
    if (changes) acts.ask({ changes });
    return changes !== null;
  }

  /** @param {State} state @param {State} [before] */
  function update(state, before) {
    if (before && state.changes !== before.changes) history.note(state.changes);
    bar.update(state.changes, state.delta);
  }
  update(store.state);
  undo.add(store.subscribe(update));
  return { undo: () => goTo(history.undo()), redo: () => goTo(history.redo()), unmount: undo.run };
}
