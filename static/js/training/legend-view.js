import { numberText } from "../shared/format.js";
import { el } from "../shared/dom/elements.js";
import { lossText } from "./words.js";
/** @typedef {import("./run.js").Run} Run */

const COLUMNS = [
  ["smoothed", "smoothed"],
  ["loss", "this minibatch"],
  ["validation", "validation"],
  ["rate", "learning rate"],
  ["step", "step"],
];

/** The numbers beside the curves, and which curve is whose. @param {HTMLElement} root */
export function mountLegend(root) {
  let shown = "";
  /** @type {((run: Run) => void)[]} of each run what writes its numbers */
  let writers = [];

  return {
    /** @param {Run[]} runs one or two @param {string[]} names */
    update(runs, names) {
      const wanted = runs.length < 2 ? "one" : names.join("\n");
      if (wanted !== shown) {
        shown = wanted;
        const made = runs.length < 2 ? single() : table(names);
        root.replaceChildren(made.element);
        writers = made.writers;
      }
      for (const [i, run] of runs.entries()) writers[i](run);
    },
  };
}

/** @param {Run} run @returns {Record<string, string>} */
function textsOf(run) {
  const { rate } = run;
  return {
    loss: lossText(run.report?.loss),
    smoothed: lossText(run.report?.smoothed),
    validation: lossText(run.validation.at(-1)?.loss),
    rate: rate === undefined ? "–" : numberText(rate, 4),
    step: run.taken.toLocaleString("en"),
  };
}

function single() {
  const [loss, smoothed, validation, rate] = ["loss", "smoothed", "validation", "rate"].map(() => el("b", {}, "–"));
  const entries = [
    entry("raw", "loss", loss),
    entry("smoothed", "smoothed", smoothed),
    entry("held", "validation", validation),
    entry("rate", "learning rate", rate),
  ];
  /** @param {Run} run */
  function write(run) {
    const texts = textsOf(run);
    [loss.textContent, smoothed.textContent] = [texts.loss, texts.smoothed];
    [validation.textContent, rate.textContent] = [texts.validation, texts.rate];
    entries[2].hidden = !run.start?.data?.examples;
  }
  return { element: el("div", { class: "legend-row" }, ...entries), writers: [write] };
}

/** @param {string} kind @param {string} words @param {HTMLElement} value */
function entry(kind, words, value) {
  return el("span", { class: `legend-${kind}` }, el("i", { "aria-hidden": "true" }), `${words} `, value);
}

/** @param {string[]} names */
function table(names) {
  const cells = names.map(() => COLUMNS.map(([kind]) => el("td", { class: `of-${kind}` }, "–")));
  const swatches = () => [
    el("i", { class: "swatch", "aria-hidden": "true" }),
    el("i", { class: "mark", "aria-hidden": "true" }),
  ];
  const heads = COLUMNS.map(([kind, words]) => el("th", { scope: "col", class: `of-${kind}` }, words));
  const element = el(
    "table",
    { class: "legend-table" },
    el("caption", { class: "unseen" }, "Both runs in numbers"),
    el("thead", {}, el("tr", {}, el("th", { scope: "col" }, el("span", { class: "unseen" }, "run")), ...heads)),
    el(
      "tbody",
      {},
      ...names.map((name, i) =>
        el("tr", { class: `run-${i}` }, el("th", { scope: "row" }, ...swatches(), name), ...cells[i]),
      ),
    ),
  );
  const writers = cells.map((row) => (/** @type {Run} */ run) => {
    const texts = textsOf(run);
    for (const [i, [kind]] of COLUMNS.entries()) row[i].textContent = texts[kind];
    element.classList.toggle("held-out", Boolean(run.start?.data?.examples));
  });
  return { element, writers };
}
