import { byId, cleanups } from "../shared/dom/elements.js";

/** Projector mode: one gradient at a time, large; the address holds it. @returns {() => void} unmount */
export function mountProjector() {
  const undo = cleanups();
  const button = byId("projector");

  /** @param {boolean} on */
  function wear(on) {
    document.body.classList.toggle("projector", on);
    button.setAttribute("aria-pressed", String(on));
  }
  function toggle() {
    wear(!document.body.classList.contains("projector"));
    document.querySelector(".blank.current")?.scrollIntoView({ block: "nearest" });
  }
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
