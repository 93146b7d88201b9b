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
  const { root: way } = root.dataset; // from this page to where the folder begins, as it was written into the page
  if (way)
    /** @type {{gradwalkRoot?: string}} */ (globalThis).gradwalkRoot = new URL(way, location.href).pathname.replace(
      /\/$/,
      "",
    );
  root.dataset.theme = chosen === "dark" || chosen === "light" ? chosen : system;
})();
