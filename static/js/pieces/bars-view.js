import { el } from "../shared/dom/elements.js";
import { numberText } from "../shared/format.js";
import { numberIn } from "../shared/json-number.js";
import { barParts } from "./bars.js";

/** More bars than this stand without their numbers. */
const NUMBERED = 16;

/**
 * A row of bars; their numbers stand above them, or, where there are many, in a list for screen readers alone.
 * @param {{title: string, values: import("../shared/json-number.js").Told[], labels: string[], current?: number|null,
 *   format?: (value: number) => string}} chart
 * @returns {HTMLElement}
 */
export function bars({ title, values, labels, current = null, format = (value) => numberText(value, 2) }) {
  const { parts, logarithmic } = barParts(values);
  const many = values.length > NUMBERED;
  const items = parts.map((part, at) => {
    const bar = el("span", { class: "norm-bar", "aria-hidden": "true" });
    bar.style.setProperty("--part", String(part));
    const text = format(numberIn(values[at]));
    return el(
      "li",
      { "aria-current": at === current ? "true" : null },
      el("span", { class: many ? "unseen" : "norm-value" }, text),
      bar,
      el("span", { class: many && at !== current && at % 10 ? "unseen" : "norm-label" }, labels[at]),
    );
  });
  return el(
    "figure",
    { class: "norm-bars" },
    el("figcaption", {}, title, logarithmic ? el("span", { class: "norm-note" }, "powers of ten") : null),
    el("ol", {}, ...items),
  );
}
