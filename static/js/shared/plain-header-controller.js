import { byId, cleanups } from "./dom/elements.js";
import { otherTheme } from "./dom/theme.js";

/** The header of a page that is only read: light or dark. @returns {() => void} unmount */
export function mountPlainHeader() {
  const undo = cleanups();
  function toggle() {
    document.documentElement.dataset.theme = otherTheme();
  }
  undo.on(byId("theme"), "click", toggle);
  undo.on(document, "keydown", (event) => {
    const busy = event.ctrlKey || event.metaKey || event.altKey || event.target.matches("input, select, textarea");
    if (event.key === "t" && !busy) toggle();
  });
  return undo.run;
}
