import { counted } from "../shared/plural.js";
import { el } from "../shared/dom/elements.js";
import { numberText } from "../shared/format.js";
import { numberIn } from "../shared/json-number.js";
import { prose } from "../shared/prose-view.js";
import { bars } from "./bars-view.js";
import { mountPlaces } from "./places-view.js";
/** @typedef {import("./types.js").ThroughTime} ThroughTime */

/**
 * The norm of the gradient at each step of a recurrence, while a slider scales the weight that all of them share.
 * @param {HTMLElement} host @param {ThroughTime} made the answer of POST /api/throughtime
 * @param {import("./piece-view.js").How} how `place` is the scale it begins with, counted from 1; without one the
 *   weight as it is
 */
export function drawThroughTime(host, made, { place, moved = () => undefined }) {
  const told = el("p", { class: "derivation-told" });
  const facts = el("p", { class: "derivation-told" });
  const [norms, brought] = [el("div", {}), el("div", { class: "per-step" })];
  const sum = el("p", { class: "derivation-end" });
  const labels = made.scales.map((scale) => `${numberText(scale)}×`);

  /** @param {number} at */
  function draw(at) {
    const { scale, norms: values, text, total, brought: parts } = made.points[at];
    norms.replaceChildren(bars({ title: "norm of the gradient, by step", values, labels: made.series }));
    told.replaceChildren(...prose(text));
    facts.replaceChildren(...prose(bound(made, scale)));
    facts.hidden = !facts.firstChild;
    // in the order of the steps, as above: the backward pass begins with the last one
    const byStep = parts.length === made.series.length - 1;
    brought.replaceChildren(
      bars({
        title: `what each step adds to d${made.weight}, as a norm`,
        values: [...parts].reverse(),
        labels: byStep ? made.series.slice(1) : parts.map((_, number) => String(number + 1)),
      }),
    );
    const size = numberText(numberIn(total), 3);
    sum.replaceChildren(
      ...prose(
        `One weight, used ${counted(parts.length, "time")}: ` +
          `\`d${made.weight}\` is the sum of these, with norm ${size}.`,
      ),
    );
  }

  const places = mountPlaces(host, {
    title: `The gradient through ${counted(made.series.length, "step")}`,
    class: "through-time",
    count: made.points.length,
    place: place ?? made.usual + 1,
    slider: (at) => `${labels[at]} ${made.weight}`,
    draw,
    spoken: (at) => made.points[at].text,
    moved,
  });
  places.body.classList.toggle("few", Math.max(made.series.length, made.points[0].brought.length) < 8);
  places.body.append(norms, told, facts, brought, sum);
  places.begin();
  return places;
}

/** @param {ThroughTime} made @param {number} scale @returns {string} what the weight alone would do to a gradient */
function bound({ weight, singular, radius }, scale) {
  if (singular === null || radius === null) return "";
  const [largest, rate] = [singular, radius].map((one) => numberText(scale * numberIn(one), 3));
  return (
    `The largest singular value of \`${weight}\` is ${largest}: without an activation, no step back could ` +
    `stretch the gradient more. Its spectral radius is ${rate}, the rate over many steps.`
  );
}
