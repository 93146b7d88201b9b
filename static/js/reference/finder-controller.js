import { countText, find } from "./finder.js";
import { all, byId, cleanups, el } from "../shared/dom/elements.js";

/** The search of the reference: what is typed decides what is shown, and stands in the address. */
export function mountFinder() {
  return new Finder();
}

class Finder {
  constructor() {
    this.field = /** @type {HTMLInputElement} */ (byId("find"));
    this.status = byId("found");
    this.nothing = byId("nothing");
    this.articles = all(".operation");
    this.sections = all(".group");
    this.links = all(".groups li");
    this.entries = this.articles.map(entryOf);
    this.whole = false; // those that only mention it are shown, too
    this.field.value = new URL(location.href).searchParams.get("q") ?? "";
    this.show();
    this.follow();
    this.unmount = this.#listen();
  }

  /** @returns {() => void} */
  #listen() {
    const undo = cleanups();
    undo.on(this.field, "input", () => this.typed());
    undo.on(this.field, "keydown", (event) => this.press(event));
    undo.on(this.status, "click", () => {
      this.whole = true;
      this.show();
      this.field.focus();
    });
    undo.on(window, "hashchange", () => this.follow());
    return undo.run;
  }

  show() {
    const found = find(this.entries, this.field.value);
    if (!found.written.size) this.whole = true;
    for (const article of this.articles) {
      const name = article.dataset.name ?? "";
      article.hidden = !(found.written.has(name) || (this.whole && found.mentioned.has(name)));
    }
    this.sections.forEach((section, i) => {
      section.hidden = this.links[i].hidden = !section.querySelector(".operation:not([hidden])");
    });
    this.nothing.hidden = this.articles.some((article) => !article.hidden);
    const words = `${found.mentioned.size} more mention it`;
    const others = !this.whole && found.mentioned.size > 0;
    const more = others ? [", ", el("button", { type: "button", class: "link" }, words)] : [];
    this.status.replaceChildren(countText(found, this.field.value, this.whole), ...more);
  }

  typed() {
    this.whole = false;
    this.show();
    const wanted = this.field.value.trim();
    const query = wanted ? `?q=${encodeURIComponent(wanted)}` : "";
    history.replaceState(null, "", `${location.pathname}${query}${query ? "" : location.hash}`);
  }

  /** To an operation that the search has put away. */
  follow() {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (!target?.closest("[hidden]")) return;
    this.field.value = "";
    this.show();
    target.scrollIntoView();
  }

  toFirst() {
    const first = this.articles.find((article) => !article.hidden);
    first?.focus();
    first?.scrollIntoView({ block: "start" });
  }

  /** @param {KeyboardEvent} event in the field */
  press(event) {
    if (event.key === "Enter" || event.key === "ArrowDown") {
      event.preventDefault();
      this.toFirst();
    } else if (event.key === "Escape" && this.field.value) {
      event.preventDefault();
      this.field.value = "";
      this.typed();
    }
  }

  focus() {
    this.field.focus();
    this.field.select();
  }
}

/** @param {HTMLElement} article */
function entryOf(article) {
  const spellings = [...article.querySelectorAll(".spellings code")].map((code) => code.textContent ?? "");
  const prose = [...article.querySelectorAll("p, .rule > code")].map((part) => part.textContent ?? "").join(" ");
  return { name: article.dataset.name ?? "", spellings, prose };
}
