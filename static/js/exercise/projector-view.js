import { byId, cleanups } from "../shared/dom/elements.js";

/**
 * Projector mode: one thing at a time, large.
 * @param {boolean} [begun] whether the page begins with it @param {(on: boolean) => void} [changed]
 * @returns {() => void} unmount
 */
export function mountProjector(begun = false, changed = () => {}) {
  const undo = cleanups();
  const button = byId("projector");

  /** @param {boolean} on */
  function wear(on) {
    document.body.classList.toggle("projector", on);
    button.setAttribute("aria-pressed", String(on));
  }
  function toggle() {
    const on = !document.body.classList.contains("projector");
    wear(on);
    changed(on);
    document.querySelector(".blank.current")?.scrollIntoView({ block: "nearest" });
  }
  if (begun) wear(true);
  undo.on(button, "click", toggle);
  undo.on(document, "keydown", (event) => {
    const field = event.target.matches("input, select, textarea");
    const [leaves, toggles] = [
      event.key === "Escape" && document.body.classList.contains("projector"),
      event.key === "p",
    ];
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || document.querySelector("dialog[open]")) return;
    if (leaves || (toggles && !field)) toggle();
  });
  return undo.run;
}
