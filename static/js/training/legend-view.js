import { numberText } from "../shared/format.js";
import { counted } from "../shared/plural.js";
import { el } from "../shared/dom/elements.js";
import { lossText } from "./words.js";
/** @typedef {import("./readings.js").Reading} Reading */

const COLUMNS = [
  ["smoothed", "smoothed"],
  ["loss", "this minibatch"],
  ["validation", "validation"],
  ["rate", "learning rate"],
];

/** The numbers beside the curves, and which curve is whose. @param {HTMLElement} root */
export function mountLegend(root) {
  let shown = "";
  /** @type {((reading: Reading) => void)[]} of each run what writes its numbers */
  let writers = [];

  return {
    /** @param {Reading[]} readings of one run or two @param {string[]} names */
    update(readings, names) {
      const wanted = readings.length < 2 ? "one" : names.join("\n");
      if (wanted !== shown) {
        shown = wanted;
        const made = readings.length < 2 ? single() : table(names);
        root.replaceChildren(made.element);
        writers = made.writers;
      }
      for (const [i, reading] of readings.entries()) writers[i](reading);
    },
    unmount: () => root.replaceChildren(),
  };
}

/** @param {Reading} reading @returns {Record<string, string>} */
function textsOf({ report, held, run: { rate } }) {
  return {
    loss: lossText(report?.loss),
    smoothed: lossText(report?.smoothed),
    validation: lossText(held?.loss),
    rate: rate === undefined ? "–" : numberText(rate, 4),
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
  /** @param {Reading} reading */
  function write(reading) {
    const texts = textsOf(reading);
    [loss.textContent, smoothed.textContent] = [texts.loss, texts.smoothed];
    [validation.textContent, rate.textContent] = [texts.validation, texts.rate];
    entries[2].hidden = !reading.run.start?.data?.examples;
  }
  return { element: el("div", { class: "legend-row" }, ...entries), writers: [write] };
}

/** @param {string} kind @param {string} words @param {HTMLElement} value */
function entry(kind, words, value) {
  return el("span", { class: `legend-${kind}` }, el("i", { "aria-hidden": "true" }), `${words} `, value);
}

/** @param {Reading} reading @returns {string} after how many steps, where it is not of the step of all the others */
function heldWords({ held, report }) {
  return !held || held.step === report?.steps_taken ? "validation" : `validation at ${held.step.toLocaleString("en")}`;
}

/** @param {string[]} names */
function table(names) {
  const cells = names.map(() => COLUMNS.map(([kind]) => el("td", { class: `of-${kind}` }, "–")));
  const swatches = () => [
    el("i", { class: "swatch", "aria-hidden": "true" }),
    el("i", { class: "mark", "aria-hidden": "true" }),
  ];
  const heads = COLUMNS.map(([kind, words]) => el("th", { scope: "col", class: `of-${kind}` }, words));
  const at = el("th", { scope: "col", class: "legend-at" });
  const validation = heads[COLUMNS.findIndex(([kind]) => kind === "validation")];
  const element = el(
    "table",
    { class: "legend-table" },
    el("caption", { class: "unseen" }, "Both runs in numbers"),
    el("thead", {}, el("tr", {}, at, ...heads)),
    el(
      "tbody",
      {},
      ...names.map((name, i) =>
        el("tr", { class: `run-${i}` }, el("th", { scope: "row" }, ...swatches(), name), ...cells[i]),
      ),
    ),
  );
  const writers = cells.map((row) => (/** @type {Reading} */ reading) => {
    const texts = textsOf(reading);
    validation.textContent = heldWords(reading);
    at.textContent = reading.report ? `after ${counted(reading.report.steps_taken, "step")}` : "";
    for (const [i, [kind]] of COLUMNS.entries()) row[i].textContent = texts[kind];
    element.classList.toggle("held-out", Boolean(reading.run.start?.data?.examples));
  });
  return { element, writers };
}
