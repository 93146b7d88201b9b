import { countText, find } from "./finder.js";
import { byId, cleanups, el } from "../shared/dom/elements.js";

/** The search of the reference: what is typed decides what is shown, and stands in the address. */
export function mountFinder() {
  const undo = cleanups();
  const field = /** @type {HTMLInputElement} */ (byId("find"));
  const [status, nothing] = ["found", "nothing"].map(byId);
  const articles = /** @type {HTMLElement[]} */ ([...document.querySelectorAll(".operation")]);
  const sections = /** @type {HTMLElement[]} */ ([...document.querySelectorAll(".group")]);
  const links = /** @type {HTMLElement[]} */ ([...document.querySelectorAll(".groups li")]);
  const entries = articles.map(entryOf);
  let all = false;

  function show() {
    const found = find(entries, field.value);
    const more = found.mentioned.size;
    if (!found.written.size) all = true;
    for (const article of articles) {
      const name = article.dataset.name ?? "";
      article.hidden = !(found.written.has(name) || (all && found.mentioned.has(name)));
    }
    sections.forEach((section, i) => {
      section.hidden = !section.querySelector(".operation:not([hidden])");
      links[i].hidden = section.hidden;
    });
    nothing.hidden = articles.some((article) => !article.hidden);
    const others =
      !all && more ? [", ", el("button", { type: "button", class: "link" }, `${more} more mention it`)] : [];
    status.replaceChildren(countText(found, field.value, all), ...others);
  }

  function typed() {
    all = false;
    show();
    const query = field.value.trim() ? `?q=${encodeURIComponent(field.value.trim())}` : "";
    history.replaceState(null, "", `${location.pathname}${query}${query ? "" : location.hash}`);
  }

  /** To an operation that the search has put away. */
  function follow() {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (!target?.closest("[hidden]")) return;
    field.value = "";
    show();
    target.scrollIntoView();
  }

  function toFirst() {
    const first = articles.find((article) => !article.hidden);
    first?.focus();
    first?.scrollIntoView({ block: "start" });
  }
  undo.on(field, "input", typed);
  undo.on(field, "keydown", (event) => {
    if (event.key === "Enter" || event.key === "ArrowDown") {
      event.preventDefault();
      toFirst();
    } else if (event.key === "Escape" && field.value) {
      event.preventDefault();
      field.value = "";
      typed();
    }
  });
  undo.on(status, "click", () => {
    all = true;
    show();
    field.focus();
  });
  undo.on(window, "hashchange", follow);
  field.value = new URL(location.href).searchParams.get("q") ?? "";
  show();
  follow();
  return {
    focus() {
      field.focus();
      field.select();
    },
    unmount: undo.run,
  };
}

/** @param {HTMLElement} article */
function entryOf(article) {
  const spellings = [...article.querySelectorAll(".spellings code")].map((code) => code.textContent ?? "");
  const prose = [...article.querySelectorAll("p, .rule > code")].map((part) => part.textContent ?? "").join(" ");
  return { name: article.dataset.name ?? "", spellings, prose };
}
