import { wayBack, wayBackWords } from "../walk/way-back.js";
import { el, icon } from "../shared/dom/elements.js";
import { at } from "../shared/address.js";

const KEPT = "gradwalk:from";

/** The way back to the chapter or the run that a walk was opened from, while the tab is there. */
export function mountWayBack() {
  const back = wayBack(new URL(location.href)) ?? kept();
  const places = document.querySelector(".top .places");
  if (!back || !places) return { unmount() {} };
  keep(back);
  const words = wayBackWords(back).split(/ (?=\w+$)/);
  const text = [el("span", { class: "long-word" }, `${words[0]} `), words[1]];
  const link = el("a", { class: "way-back", href: at(back), "aria-label": words.join(" ") }, icon("back"), ...text);
  places.before(link);
  // one way back: of the two buttons this one leads on
  const editor = document.getElementById("to-editor");
  if (editor) editor.textContent = "Edit the code";
  return { unmount: () => link.remove() };
}

/** @returns {string|null} what was kept for this very walk: another one was not opened from there */
function kept() {
  try {
    const [path, from] = JSON.parse(sessionStorage.getItem(KEPT) ?? "[]");
    return path === location.pathname ? wayBack(new URL(`/?from=${encodeURIComponent(from)}`, location.href)) : null;
  } catch {
    return null;
  }
}

/** @param {string} from */
function keep(from) {
  try {
    sessionStorage.setItem(KEPT, JSON.stringify([location.pathname, from]));
  } catch {
    // then it is there until the page is loaded anew
  }
}
