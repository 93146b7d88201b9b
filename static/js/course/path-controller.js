import { byId, el } from "../shared/dom/elements.js";
import { isBegun, isFinished, progressWords } from "./progress.js";
import { keptProgress } from "./progress-storage-controller.js";
import { at as pageAt } from "../shared/address.js";

/** The path of chapters: how far this reader is in each, and where to go on. */
export function showPath() {
  const items = /** @type {HTMLElement[]} */ ([...byId("path").querySelectorAll(":scope > li")]);
  const all = items.map((item) => {
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
  });
  const next = all.filter(({ begun, finished }) => begun && !finished).at(-1) ?? all.find(({ finished }) => !finished);
  const some = all.some(({ begun }) => begun);
  if (next && some) {
    const title = next.item.querySelector("b")?.textContent ?? "";
    const at = next.progress.at ? `#${next.progress.at}` : "";
    const link = el("a", { class: "button strong", href: pageAt(`/learn/${next.name}${at}`) }, "Continue: ", title);
    byId("continue").replaceChildren(link);
    byId("continue").hidden = false;
  }
}
