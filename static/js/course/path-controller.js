import { byId, cleanups, el } from "../shared/dom/elements.js";
import { isBegun, isFinished, progressWords } from "./progress.js";
import { keptProgress } from "./progress-storage-controller.js";
import { at as pageAt } from "../shared/address.js";
import { mountRoutes } from "./routes-controller.js";
import { mountThumbnails } from "./thumbnails-controller.js";
/**
 * @typedef {{item: HTMLElement, name: string, progress: import("./progress.js").Progress, finished: boolean,
 *   begun: boolean}} Read a chapter, and how far this reader is in it
 */

/** The path of chapters: routes, how far this reader is in each, where to go on. */
export function mountPath() {
  const undo = cleanups();
  const items = /** @type {HTMLElement[]} */ ([...byId("path").querySelectorAll(":scope > li")]);
  const all = items.map(readOf);
  for (const { name, finished, begun } of all)
    byId("stops")
      .querySelector(`g[data-chapter="${CSS.escape(name)}"]`)
      ?.classList.add(finished ? "finished" : begun ? "begun" : "new");
  for (const link of byId("routes").querySelectorAll("a")) {
    const own = all.filter(({ name }) => link.dataset.chapters?.split(" ").includes(name));
    const done = own.filter(({ finished }) => finished).length;
    const place = link.querySelector(".progress");
    if (place) place.textContent = done ? `${done} of ${own.length} done` : "";
  }
  undo.part(mountRoutes((chapters) => offer(all.filter(({ name }) => chapters.has(name)))));
  undo.part(mountThumbnails());
  return { unmount: undo.run };
}

/** @param {HTMLElement} item @returns {Read} */
function readOf(item) {
  const name = item.dataset.chapter ?? "";
  const questions = Number(item.dataset.questions ?? 0);
  const progress = keptProgress(name);
  const finished = isFinished(progress, questions);
  const words = progressWords(progress, questions);
  const place = item.querySelector(".progress");
  if (place instanceof HTMLElement) {
    place.hidden = words === "";
    place.textContent = words;
  }
  item.classList.toggle("finished", finished);
  item.classList.toggle("begun", isBegun(progress) && !finished);
  return { item, name, progress, finished, begun: isBegun(progress) };
}

/** Where to go on. @param {Read[]} all the chapters of the route */
function offer(all) {
  const next = all.filter(({ begun, finished }) => begun && !finished).at(-1) ?? all.find(({ finished }) => !finished);
  const shown = next !== undefined && all.some(({ begun }) => begun);
  byId("continue").hidden = !shown;
  if (!shown) return;
  const title = next.item.querySelector("b")?.textContent ?? "";
  const at = next.progress.at ? `#${next.progress.at}` : "";
  const link = el("a", { class: "button strong", href: pageAt(`/learn/${next.name}${at}`) }, "Continue: ", title);
  byId("continue").replaceChildren(link);
}
