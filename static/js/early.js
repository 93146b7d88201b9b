// Runs before the first paint, as a classic script, so that the page never flashes in the wrong theme, and who comes
// for the first time sees the opening at once.
(() => {
  const root = document.documentElement;
  let chosen = null;
  try {
    chosen = localStorage.getItem("gradwalk:theme");
    const plain = location.pathname === "/" && !location.search && !location.hash;
    if (plain && localStorage.getItem("gradwalk:opening") === null) location.replace("/opening");
  } catch {
    // storage may be forbidden; the system's preference is a good answer then
  }
  const system = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
  root.dataset.theme = chosen === "dark" || chosen === "light" ? chosen : system;
})();
