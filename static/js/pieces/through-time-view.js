import { el } from "../shared/dom/elements.js";
import { numberText } from "../shared/format.js";
import { numberIn } from "../shared/json-number.js";
import { prose } from "../shared/prose-view.js";
import { bars } from "./bars-view.js";
import { mountPlaces } from "./places-view.js";
/** @typedef {import("../shared/json-number.js").Told} JsonNumber */
/**
 * The answer of POST /api/throughtime.
 * @typedef {{tensor: string, series: string[], weight: string, singular: JsonNumber, radius: JsonNumber,
 *   contributions: {code: string, step: number, norm: JsonNumber}[], total: JsonNumber, scales: number[],
 *   usual: number, points: {scale: number, norms: JsonNumber[], text: string}[]}} ThroughTime
 */

/**
 * The norm of the gradient at each step of a recurrence, while a slider scales the weight that all of them share.
 * @param {HTMLElement} host @param {ThroughTime} made the answer of POST /api/throughtime
 * @param {import("./piece-view.js").How} how `place` is the scale it begins with, counted from 1; without one the
 *   weight as it is
 */
export function drawThroughTime(host, made, { place, moved = () => undefined }) {
  const told = el("p", { class: "derivation-told" });
  const facts = el("p", { class: "derivation-told" });
  const norms = el("div", {});
  const labels = made.scales.map((scale) => `${numberText(scale)}×`);

  /** @param {number} at */
  function draw(at) {
    const { scale, norms: values, text } = made.points[at];
    norms.replaceChildren(bars({ title: "norm of the gradient, by step", values, labels: made.series }));
    told.replaceChildren(...prose(text));
    const [singular, radius] = [made.singular, made.radius].map((one) => numberText(scale * numberIn(one), 3));
    facts.replaceChildren(
      ...prose(
        `The largest singular value of \`${made.weight}\` is ${singular}: without an activation, no step back could ` +
          `stretch the gradient more. Its spectral radius is ${radius}, the rate over many steps.`,
      ),
    );
  }

  const places = mountPlaces(host, {
    title: `The gradient through ${made.series.length} steps`,
    class: "through-time",
    count: made.points.length,
    place: place ?? made.usual + 1,
    slider: (at) => `${labels[at]} ${made.weight}`,
    draw,
    spoken: (at) => made.points[at].text,
    moved,
  });
  places.body.append(
    norms,
    told,
    facts,
    bars({
      title: `what each step adds to d${made.weight}, as a norm`,
      values: made.contributions.map(({ norm }) => norm),
      labels: made.contributions.map((_, at) => String(at + 1)),
    }),
    el(
      "p",
      { class: "derivation-end" },
      ...prose(
        `One weight, used ${made.contributions.length} times: its gradient is the sum of these contributions, the last ` +
          `step first. Its norm is ${numberText(numberIn(made.total), 3)}.`,
      ),
    ),
  );
  places.begin();
  return places;
}
