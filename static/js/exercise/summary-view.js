import { counted } from "../shared/plural.js";
import { byId, cleanups, el } from "../shared/dom/elements.js";
/** @typedef {import("../progress/progress.js").Summary} Summary */

/**
 * The summary of an exercise in a sheet that can be printed.
 * @param {() => {title: string, summary: Summary}} read
 */
export function mountSummary(read) {
  const undo = cleanups();
  const dialog = /** @type {HTMLDialogElement} */ (byId("summary-dialog"));
  undo.on(byId("summary-open"), "click", () => {
    const { title, summary } = read();
    byId("summary-of").textContent = title;
    byId("summary").replaceChildren(...contents(summary));
    dialog.showModal();
  });
  undo.on(dialog, "click", (event) => {
    if (event.target === dialog || event.target.closest("[data-close]")) dialog.close();
    if (event.target.closest("[data-print]")) window.print();
  });
  return { unmount: undo.run };
}

/** @param {Summary} summary */
function contents({ all, closed, first, tried, hinted, shown, left, kinds, lines }) {
  const totals = /** @type {[string, number][]} */ ([
    ["right at the first try", first],
    ["right after several tries", tried],
    ["right after hints", hinted],
    ["shown", shown],
    ["still to be written", left],
  ]);
  return [
    closed
      ? el("p", { class: "all-of-them" }, `${counted(all - closed, "gradient")} and ${counted(closed, "closed form")}`)
      : "",
    el(
      "dl",
      { class: "totals" },
      ...totals.map(([words, count]) => el("div", {}, el("dt", {}, words), el("dd", {}, `${count} of ${all}`))),
    ),
    el(
      "p",
      { class: "kinds" },
      kinds.length ? "Mistakes: " : "No mistake so far.",
      kinds.map(({ kind, count }) => `${kind} ${count}×`).join(", "),
    ),
    el(
      "table",
      {},
      el("thead", {}, el("tr", {}, ...["gradient", "outcome", "tries", "hints", "mistakes"].map(head))),
      el("tbody", {}, ...lines.map(row)),
    ),
  ];
}

/** @param {string} words */
function head(words) {
  return el("th", { scope: "col" }, words);
}

/** @param {import("../progress/progress.js").Line} line */
function row({ name, outcome, tries, hints, mistakes }) {
  const kinds = mistakes.map(({ kind, count }) => (count > 1 ? `${kind} ${count}×` : kind)).join(", ");
  return el(
    "tr",
    {},
    el("th", { scope: "row" }, name),
    el("td", {}, outcome),
    el("td", { "aria-label": counted(tries, "try") }, tries ? String(tries) : "–"),
    el("td", { "aria-label": counted(hints, "hint") }, hints ? String(hints) : "–"),
    el("td", {}, kinds || "–"),
  );
}
