import { byId, cleanups, el, icon } from "../shared/dom/elements.js";
import { otherTheme } from "../shared/dom/theme.js";
/** @typedef {import("../walk/store.js").Store} Store */

/** Theme and projector: how the page looks, not what it shows. @param {Store} store */
export function mountAppearance(store) {
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
  document.body.append(leave);

  function toggleTheme() {
    store.set({ theme: otherTheme() });
  }
  function toggleProjector() {
    store.set({ projector: !store.state.projector });
  }
  undo.on(theme, "click", toggleTheme);
  undo.on(projector, "click", toggleProjector);
  undo.on(leave, "click", toggleProjector);
  undo.add(() => leave.remove());
  undo.add(
    store.subscribe((state) => {
      document.documentElement.dataset.theme = state.theme;
      document.body.classList.toggle("projector", state.projector);
      projector.setAttribute("aria-pressed", String(state.projector));
    }),
  );
  return { toggleTheme, toggleProjector, unmount: undo.run };
}
