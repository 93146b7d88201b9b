import { mountCompareLink } from "./compare-link-controller.js";
import { mountShell } from "../shell/shell-controller.js";
import { onTheme, shownTheme } from "../shell/theme-view.js";
import { cleanups } from "../shared/dom/elements.js";
/** @typedef {import("../walk/store.js").Store} Store */

/**
 * What is around a walk: theme and projector are part of its state, the latter of its address, too.
 * @param {Store} store @param {ReturnType<typeof import("./address-controller.js").mountAddress>} address
 * @param {readonly import("../shell/keys.js").Place[]} lists whose keys the page tells
 */
export function mountWalkShell(store, address, lists) {
  const undo = cleanups();
  const shell = undo.part(mountShell({ lists, projected }));
  const { notice, projector, listen } = shell;
  const wear = () => projector.wear(store.state.projector);

  /** @param {boolean} on */
  function projected(on) {
    store.set({ projector: on });
    address.replace(store.state);
  }
  undo.part(mountCompareLink(address));
  wear();
  undo.add(store.subscribe(wear));
  undo.add(onTheme(() => store.set({ theme: shownTheme() })));
  return { notice, projector, listen, unmount: undo.run };
}
