import { bytesText, costWords, countText, savedWords, stepOf } from "./costs.js";
import { byId, cleanups, el } from "../shared/dom/elements.js";
import { prose } from "../shared/prose-view.js";
/** @typedef {import("./costs.js").LineCost} LineCost */
/** @typedef {import("./costs.js").LineCosts} LineCosts */
/** @typedef {import("../walk/walk.js").Walk} Walk */
/** `again`: tensors that are computed again instead of kept; `closed` stops all questions.
 * @typedef {{go: (index: number) => void, again: (names: string[]) => void, closed: () => void}} Acts */

const TITLES = ["line", "multiply-adds", "keeps", "until", "held then"];

/**
 * The dialog of what each line costs: its multiply-adds, and the bytes that are kept for the way back.
 * @param {Acts} acts
 */
export function mountCosts(acts) {
  const undo = cleanups();
  const dialog = /** @type {HTMLDialogElement} */ (byId("costs-dialog"));
  const place = byId("costs");
  const words = el("p", { role: "status" });
  const rows = el("tbody");
  const heads = TITLES.map((title) => el("th", { scope: "col" }, title));
  const table = el("table", {}, el("thead", {}, el("tr", {}, ...heads)), rows);
  const region = { class: "sizes-table costs-table", tabindex: 0, role: "region", "aria-labelledby": "costs-title" };
  /** @type {LineCosts|null} */
  let shown = null;
  place.append(words, el("div", region, table));

  undo.on(dialog, "click", (event) => {
    const step = event.target.closest("[data-step]");
    if (step) acts.go(Number(step.dataset.step));
    if (step || event.target === dialog || event.target.closest("[data-close]")) dialog.close();
  });
  undo.on(rows, "change", ({ target }) => {
    const others = (shown?.again ?? []).filter((name) => name !== target.value);
    acts.again(target.checked ? others : [...others, target.value]);
  });
  undo.on(dialog, "close", () => dialog.open || acts.closed()); // it may have been opened anew
  undo.add(close);

  function close() {
    if (dialog.open) dialog.close();
  }

  return {
    wait() {
      shown = null;
      words.textContent = "Counting …";
      rows.replaceChildren();
      if (!dialog.open) dialog.showModal();
    },
    /** @param {Walk} walk @param {LineCosts} costs @param {LineCosts} kept with everything kept */
    show(walk, costs, kept) {
      const focused = document.activeElement instanceof HTMLInputElement ? document.activeElement.value : null;
      shown = costs;
      words.replaceChildren(...prose([costWords(costs), savedWords(costs, kept)].filter(Boolean).join(" ")));
      rows.replaceChildren(...rowsOf(walk, costs));
      const box = [...rows.querySelectorAll("input")].find(({ value }) => value === focused);
      box?.focus({ preventScroll: true });
    },
    /** @param {{message: string, hint?: string|null}} problem */
    fail({ message, hint }) {
      words.textContent = [message, hint].filter(Boolean).join(" ");
    },
    close,
    unmount: undo.run,
  };
}

/** @param {Walk} walk @param {LineCosts} costs */
function rowsOf(walk, { lines, again }) {
  const [adds, held] = [
    Math.max(...lines.map((line) => line.multiply_adds)),
    Math.max(...lines.map((one) => one.held)),
  ];
  return lines.map((line) =>
    el(
      "tr",
      { "data-direction": line.direction },
      el("th", { scope: "row" }, nameOf(walk, line)),
      barred(line.multiply_adds, adds, countText),
      el("td", {}, ...keeping(line, again)),
      el("td", { class: "until" }, line.freed_by.split(/\s/)[0]),
      barred(line.held, held, bytesText),
    ),
  );
}

/** @param {Walk} walk @param {LineCost} line */
function nameOf(walk, line) {
  const step = stepOf(walk, line);
  const code = line.direction === "again" ? `again: ${line.code}` : line.code;
  if (step < 0) return el("span", { class: "costs-line", title: code }, code);
  const props = {
    type: "button",
    class: "tally-step costs-line",
    "data-step": step,
    title: `${code}\nto step ${step + 1}`,
  };
  return el("button", props, code);
}

/** @param {LineCost} line @param {string[]} again @returns {(string|HTMLElement)[]} */
function keeping({ direction, made, kept }, again) {
  const renounced = again.includes(made);
  if (direction !== "forward" || !(kept || renounced)) return [];
  const label = `keep ${made}; else it is computed again`;
  const box = el("input", { type: "checkbox", value: made, checked: !renounced, "aria-label": label, title: label });
  return [renounced ? "" : `${bytesText(kept)} `, box];
}

/** @param {number} size @param {number} most @param {(size: number) => string} text */
function barred(size, most, text) {
  const bar = el("span", { class: "size-bar", "aria-hidden": "true" });
  bar.style.width = `${most ? Math.round((100 * size) / most) : 0}%`;
  return el("td", { class: "barred" }, el("span", {}, size ? text(size) : ""), bar);
}
