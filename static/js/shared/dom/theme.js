/** @typedef {"light"|"dark"} Theme */

/** @returns {Theme} the one the page wears */
export function shownTheme() {
  return document.documentElement.dataset.theme === "dark" ? "dark" : "light";
}

/** @returns {Theme} the other one, remembered for later visits */
export function otherTheme() {
  const next = shownTheme() === "dark" ? "light" : "dark";
  try {
    localStorage.setItem("gradwalk:theme", next);
  } catch {
    // a browser that forbids storage still gets the theme, until it leaves
  }
  return next;
}
