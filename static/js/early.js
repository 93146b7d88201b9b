// Runs before the first paint, as a classic script, so that the page never flashes in the wrong theme, and who comes
// for the first time sees the opening at once.
(() => {
  const root = document.documentElement;
  const { root: way, alone } = root.dataset; // from this page to where a folder of pages begins
  const site = /** @type {{gradwalkRoot?: string, gradwalkFile?: string}} */ (globalThis);
  if (alone !== undefined) site.gradwalkFile = location.pathname;
  if (way) site.gradwalkRoot = new URL(way, location.href).pathname.replace(/\/$/, "");
  const embed = new URLSearchParams(location.search).get("embed");
  if (embed !== null) root.dataset.embed = embed;
  else if (way && window.parent !== window) root.dataset.framed = ""; // a server's headers forbid it
  let chosen = null;
  try {
    chosen = localStorage.getItem("gradwalk:theme");
    const first = way ? way === "." : alone === undefined && location.pathname === "/";
    const plain = first && !location.search && !location.hash;
    if (plain && localStorage.getItem("gradwalk:opening") === null) location.replace(way ? "opening/" : "/opening");
  } catch {
    // storage may be forbidden; the system's preference is a good answer then
  }
  const system = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
  root.dataset.theme = chosen === "dark" || chosen === "light" ? chosen : system;
})();
