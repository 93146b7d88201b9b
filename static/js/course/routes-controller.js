import { cleanups, byId } from "../shared/dom/elements.js";
/** @typedef {{route: string, chapters: Set<string>}} Route */

/**
 * The routes: the one in the address is chosen, its chapters are listed and lit on the map.
 * @param {(chapters: Set<string>) => void} chosen hears which chapters it has
 */
export function mountRoutes(chosen) {
  const undo = cleanups();
  const links = /** @type {HTMLAnchorElement[]} */ ([...byId("routes").querySelectorAll("a")]);
  const items = /** @type {HTMLElement[]} */ ([...byId("path").querySelectorAll(":scope > li")]);
  for (const link of links)
    undo.on(link, "click", (event) => {
      if (event.metaKey || event.ctrlKey || event.shiftKey) return;
      event.preventDefault();
      if (link.href !== location.href) history.pushState(null, "", link.href);
      show();
    });
  undo.on(window, "popstate", show);
  show();
  return { unmount: undo.run };

  function show() {
    const asked = new URL(location.href).searchParams.get("route") ?? "";
    const link = links.find(({ dataset }) => dataset.route === asked) ?? links[0];
    const chapters = new Set(link.dataset.chapters?.split(" "));
    for (const one of links) {
      if (one === link) one.setAttribute("aria-current", "true");
      else one.removeAttribute("aria-current");
    }
    for (const item of items) item.hidden = !chapters.has(item.dataset.chapter ?? "");
    for (const part of byId("stops").querySelectorAll("g, path")) {
      const { chapter, from, to } = /** @type {SVGElement} */ (part).dataset;
      const lit = chapter ? chapters.has(chapter) : chapters.has(from ?? "") && chapters.has(to ?? "");
      part.classList.toggle("off", !lit);
    }
    chosen(chapters);
  }
}
