import { shapeText, numberText } from "../shared/format.js";
import { numberIn } from "../shared/json-number.js";
import { el } from "../shared/dom/elements.js";
import { badge } from "../walk/badge-view.js";
import { nudgedWords, ratioLevel } from "./words.js";
/** @typedef {import("./readings.js").Reading} Reading */

const WORDS = { none: "", small: "small", good: "", large: "large", alarming: "too large" };
const HEADS = [
  "parameter",
  "spread",
  "gradient’s norm",
  "after clipping",
  "update ÷ weights",
  "autograd",
  "differences",
];
/** The bar reaches from 10⁻⁶ to 1; 10⁻³ is its middle. */
const DECADES = 6;

/** Each parameter's gradient, its update and what autograd says of it: one table. @param {HTMLElement} root */
export function mountParameters(root) {
  /** @type {Map<string, ReturnType<typeof makeRow>>} */
  let rows = new Map();
  let clipped = false;
  let judged = 0;
  /** @type {Reading["run"]|null} */
  let whose = null;

  /** @param {Reading} reading */
  function build({ run, report }) {
    const shapes = run.start?.parameters ?? {};
    rows = new Map((report?.parameters ?? []).map(({ name }) => [name, makeRow(name, shapes[name] ?? [])]));
    const table = el(
      "table",
      { class: "parameter-table" },
      el("thead", {}, el("tr", {}, ...HEADS.map((head) => el("th", { scope: "col" }, head)))),
      el("tbody", {}, ...[...rows.values()].map(({ row }) => row)),
    );
    root.replaceChildren(table);
    [whose, judged] = [run, -2];
  }

  return {
    /** @param {Reading} reading */
    update(reading) {
      const { report, run } = reading;
      if (!report) return;
      if (
        run !== whose ||
        report.parameters.length !== rows.size ||
        report.parameters.some(({ name }) => !rows.has(name))
      )
        build(reading);
      clipped = run.settings?.clip !== null;
      root.classList.toggle("clipped", clipped);
      for (const one of report.parameters) rows.get(one.name)?.update(one);
      const step = run.compared?.step ?? -1;
      if (judged === step) return;
      judged = step;
      root.classList.toggle("compared", step >= 0);
      for (const one of run.compared?.parameters ?? []) rows.get(one.name)?.judge(one, step);
    },
    unmount: () => root.replaceChildren(),
  };
}

/** @param {string} name @param {number[]} shape */
function makeRow(name, shape) {
  const spread = el("td", {});
  const before = el("td", {});
  const after = el("td", { class: "after" });
  const number = el("span", {});
  const word = el("small", {});
  const fill = el("i", {});
  const bar = el("span", { class: "ratio-bar", "aria-hidden": "true" }, fill);
  const ratio = el("td", { class: "ratio" }, bar, number, " ", word);
  const verdict = el("td", { class: "verdict" });
  const nudged = el("td", { class: "nudged" });
  const head = el("th", { scope: "row" }, name, " ", el("span", { class: "size" }, shapeText(shape)));
  return {
    row: el("tr", {}, head, spread, before, after, ratio, verdict, nudged),
    /** @param {import("../run/types.js").Parameter} told */
    update({ value, gradient, norm_after: norm, update_ratio: share }) {
      spread.textContent = numberText(numberIn(value.std), 3);
      before.textContent = numberText(numberIn(gradient.norm), 3);
      after.textContent = numberText(numberIn(norm), 3);
      const size = numberIn(share);
      const level = ratioLevel(size);
      number.textContent = Number.isFinite(size) ? numberText(size, 2) : "–";
      word.textContent = WORDS[level];
      ratio.dataset.level = level;
      const place = size > 0 ? 1 + Math.log10(size) / DECADES : 0;
      fill.style.transform = `scaleX(${Math.max(0, Math.min(1, place))})`;
    },
    /** @param {import("../run/types.js").Compared} told @param {number} step */
    judge({ level, maxdiff, differences }, step) {
      const sign = badge(level);
      const off = maxdiff === null ? "" : `, by at most ${numberText(numberIn(maxdiff), 2)}`;
      sign.title = `${sign.title}${off}, at step ${step}`;
      verdict.replaceChildren(sign);
      nudged.textContent = differences ? nudgedWords(differences) : "–";
      nudged.dataset.agrees = String(differences?.agrees ?? true);
    },
  };
}
