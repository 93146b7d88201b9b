import { el } from "../shared/dom/elements.js";
/** @typedef {import("../course/types.js").ChapterAnswer} ChapterAnswer */

/** What the reader's engine did, line by line, beside the lines of the walk. @param {ChapterAnswer["tape"]} tape */
export function tapeTable(tape) {
  const heads = ["your engine", "the walk"].map((text) => el("th", { scope: "col" }, text));
  const rows = tape.map(({ own, walk }) => el("tr", {}, ...[own, walk].map((line) => el("td", {}, lineOf(line)))));
  return el("table", { class: "tape" }, el("thead", {}, el("tr", {}, ...heads)), el("tbody", {}, ...rows));
}

/** @param {string} line */
function lineOf(line) {
  return line ? el("code", {}, line) : "";
}
