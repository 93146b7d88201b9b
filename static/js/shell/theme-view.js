const KEPT = "gradwalk:theme";
const worn = new EventTarget();

/** @returns {"light"|"dark"} what the page wears */
export function shownTheme() {
  return document.documentElement.dataset.theme === "dark" ? "dark" : "light";
}

/** Light or dark, whichever it isn't; later visits begin with it. */
export function toggleTheme() {
  const next = shownTheme() === "dark" ? "light" : "dark";
  document.documentElement.dataset.theme = next;
  try {
    localStorage.setItem(KEPT, next);
  } catch {
    // a browser that forbids storage still gets the theme, until it leaves
  }
  worn.dispatchEvent(new Event("change"));
}

/**
 * Colours of pictures are drawn, not styled.
 * @param {() => void} redraw after each change of the theme @returns {() => void} stops that
 */
export function onTheme(redraw) {
  worn.addEventListener("change", redraw);
  return () => worn.removeEventListener("change", redraw);
}
