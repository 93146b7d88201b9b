import { byId, cleanups } from "../shared/dom/elements.js";
import { differing } from "../shared/differing.js";
import { mountProjectorScreen } from "../shared/projector-screen-view.js";
import { otherTheme } from "../shared/dom/theme.js";
/** @typedef {import("../walk/store.js").Store} Store */

/**
 * Theme and projector: how the page looks, not what it shows.
 * @param {Store} store @param {ReturnType<typeof import("./address-controller.js").mountAddress>} address
 */
export function mountAppearance(store, address) {
  const undo = cleanups();
  const [theme, projector] = ["theme", "projector"].map(byId);
  const screen = mountProjectorScreen(toggleProjector);
  const differs = differing();
  undo.add(screen.unmount);

  /** @param {import("../walk/store.js").State} state */
  function wear(state) {
    if (!differs(state.theme, state.projector)) return;
    document.documentElement.dataset.theme = state.theme;
    document.body.classList.toggle("projector", state.projector);
    projector.setAttribute("aria-pressed", String(state.projector));
    if (!state.projector) screen.blacken(false);
  }
  function toggleTheme() {
    store.set({ theme: otherTheme() });
  }
  function toggleProjector() {
    store.set({ projector: !store.state.projector });
    address.replace(store.state);
  }
  /** @returns {boolean} whether there is a projector to blacken */
  function blacken() {
    if (store.state.projector) screen.blacken(true);
    return store.state.projector;
  }
  wear(store.state);
  undo.on(theme, "click", toggleTheme);
  undo.on(projector, "click", toggleProjector);
  undo.add(store.subscribe(wear));
  return { toggleTheme, toggleProjector, blacken, unmount: undo.run };
}
