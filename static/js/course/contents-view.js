import { el } from "../shared/dom/elements.js";
/** @typedef {import("./progress.js").Progress} Progress */

/**
 * What a chapter holds: its headings, where one is, how much is read and how many questions are done.
 * @param {HTMLElement} root @param {HTMLElement[]} headings @param {number} questions
 */
export function mountContents(root, headings, questions) {
  const bar = el("progress", { max: 1, value: 0, "aria-label": "Read" });
  const count = el("p", { class: "contents-count" });
  const links = headings.map((heading) => el("a", { href: `#${heading.id}` }, heading.textContent));
  root.replaceChildren(bar, count, links.length ? el("ol", {}, ...links.map((link) => el("li", {}, link))) : "");
  return {
    /** @param {Progress} progress @param {number} done @param {HTMLElement|null} heading under which one reads */
    update({ read, parts }, done, heading) {
      bar.value = parts ? read / parts : 0;
      count.textContent = questions ? `${Math.min(done, questions)} of ${questions} questions` : "";
      links.forEach((link, i) => {
        if (headings[i] === heading) link.setAttribute("aria-current", "true");
        else link.removeAttribute("aria-current");
      });
    },
    unmount: () => root.replaceChildren(),
  };
}
