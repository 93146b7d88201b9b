import { counted } from "../shared/plural.js";
import { el } from "../shared/dom/elements.js";
import { prose } from "../shared/prose-view.js";
import { wordFor } from "./mistake-words.js";
/** @typedef {import("./types.js").Bar} Bar */

/** @param {Bar} bar @returns {string} what it stands for */
function nameOf(bar) {
  if (bar.text) return bar.text;
  return bar.right ? "right" : wordFor(bar.code ?? "");
}

/**
 * The distribution of a question; of one that was asked again each bar has its length before it beside it.
 * @param {Bar[][]} rounds the latest last @param {number} waiting answers that are still being judged
 * @param {string[]} told sentences that stand beside it @returns {HTMLElement}
 */
export function barsView(rounds, waiting = 0, told = []) {
  const latest = rounds[rounds.length - 1] ?? [];
  const before = rounds.length > 1 ? rounds[rounds.length - 2] : null;
  const most = Math.max(
    1,
    ...rounds
      .slice(-2)
      .flat()
      .map((bar) => bar.students),
  );
  const rows = latest.map((bar) => {
    const earlier = before?.find((one) => nameOf(one) === nameOf(bar))?.students ?? 0;
    return el(
      "li",
      { class: bar.right ? "bar right" : "bar" },
      el("span", { class: "bar-name" }, ...(bar.text ? [el("code", {}, bar.text)] : [nameOf(bar)])),
      el(
        "span",
        { class: "bar-count" },
        before ? `${bar.students} (${earlier} before)` : counted(bar.students, "student"),
      ),
      el("meter", { max: most, value: bar.students, "aria-hidden": "true" }),
      bar.message && bar.students && !told.includes(bar.message)
        ? el("span", { class: "bar-why" }, ...prose(bar.message))
        : null,
    );
  });
  const more = waiting ? el("p", { class: "no-bars" }, `${counted(waiting, "answer")} still being judged.`) : null;
  if (rows.length) return el("div", { class: "distribution" }, el("ol", { class: "bars" }, ...rows), more);
  return more ?? el("p", { class: "no-bars" }, "Nobody has answered.");
}
