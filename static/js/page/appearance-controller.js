import { byId, cleanups, el, icon } from "../shared/dom/elements.js";
import { otherTheme } from "../shared/dom/theme.js";
/** @typedef {import("../walk/store.js").Store} Store */

/**
 * Theme and projector: how the page looks, not what it shows.
 * @param {Store} store @param {ReturnType<typeof import("./address-controller.js").mountAddress>} address
 */
export function mountAppearance(store, address) {
  const undo = cleanups();
  const [theme, projector] = ["theme", "projector"].map(byId);
  const leave = el(
    "button",
    {
      type: "button",
      class: "leave",
      "aria-label": "Leave projector mode",
      title: "Leave projector mode (p or Escape)",
    },
    icon("close"),
  );
  const black = el(
    "div",
    { class: "black", role: "status", hidden: true },
    el("span", { class: "unseen" }, "The screen is black; any key brings it back."),
  );
  document.body.append(leave, black);

  /** @param {import("../walk/store.js").State} state */
  function wear(state) {
    document.documentElement.dataset.theme = state.theme;
    document.body.classList.toggle("projector", state.projector);
    projector.setAttribute("aria-pressed", String(state.projector));
    if (!state.projector) black.hidden = true;
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
    if (store.state.projector) black.hidden = false;
    return store.state.projector;
  }
  /** @param {Event} event whatever is pressed first brings the picture back, and does nothing else */
  function lighten(event) {
    if (black.hidden) return;
    black.hidden = true;
    event.preventDefault();
    event.stopPropagation();
  }
  wear(store.state);
  undo.on(theme, "click", toggleTheme);
  undo.on(projector, "click", toggleProjector);
  undo.on(leave, "click", toggleProjector);
  undo.on(black, "click", lighten);
  document.addEventListener("keydown", lighten, true);
  undo.add(() => document.removeEventListener("keydown", lighten, true));
  undo.add(() => [leave, black].forEach((part) => part.remove()));
  undo.add(store.subscribe(wear));
  return { toggleTheme, toggleProjector, blacken, unmount: undo.run };
}
