// Runs before the first paint, as a classic script, so that the page never flashes in the wrong theme.
(() => {
  const root = document.documentElement;
  let chosen = null;
  try {
    chosen = localStorage.getItem("gradwalk:theme");
  } catch {
    // storage may be forbidden; the system's preference is a good answer then
  }
  const system = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
  root.dataset.theme = chosen === "dark" || chosen === "light" ? chosen : system;
})();
