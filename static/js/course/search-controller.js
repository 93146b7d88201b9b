import { at, isRecorded } from "../shared/address.js";
import { send } from "../shared/api.js";
import { byId, cleanups, el } from "../shared/dom/elements.js";
import { prose } from "../shared/prose-view.js";
import { excerpt, found, wordsOf } from "./search.js";
/** @typedef {import("./search.js").Entry} Entry */

/** The page of search where no server looks: it finds by itself. @returns {import("../shell/types.js").Mounted} */
export function mountSearch() {
  const undo = cleanups();
  const query = new URLSearchParams(location.search).get("q")?.trim() ?? "";
  if (isRecorded && query) show(query);
  return { unmount: undo.run };
}

/** @param {string} query */
async function show(query) {
  const said = byId("found");
  const field = /** @type {HTMLInputElement} */ (byId("q"));
  field.value = query;
  try {
    const { entries } = await (await send("/api/search/entries")).json();
    said.setAttribute("role", "status");
    const words = wordsOf(query);
    const results = found(words, entries);
    const count = `${results.length || "No"} ${results.length === 1 ? "place" : "places"} for “${query}”`;
    said.textContent = results.length ? count : `${count}. Fewer or shorter words find more.`;
    byId("results").replaceChildren(...results.map((entry) => item(entry, words)));
  } catch {
    said.textContent = "The list of what can be found did not arrive. Load the page again.";
  }
}

/** @param {Entry} entry @param {string[]} words */
function item({ kind, title, heading, text, href }, words) {
  const named = el("b", {}, ...prose(heading ? `${title}: ${heading}` : title));
  const parts = [named, el("span", { class: "kind" }, kind), el("p", {}, ...prose(excerpt(text, words)))];
  return el("li", {}, kind === "word" ? el("div", {}, ...parts) : el("a", { href: at(href) }, ...parts));
}
