import { colourOf } from "../shared/colour-scale.js";
import { numberText } from "../shared/format.js";
import { el, svg } from "../shared/dom/elements.js";
import { distributionOf } from "./distribution.js";
/** @typedef {import("../walk/frame.js").Frame} Frame */

const SIZE = { bar: 8, high: 72 };

/**
 * How the numbers are spread that a forward step has made, in the colours that they have in its picture.
 * @param {Frame} frame @returns {HTMLElement[]}
 */
export function distribution({ walk, node, step, state }) {
  if (step.direction !== "forward" || step.index === 0) return [];
  const tensor = walk.tensor(node.value);
  const spread = tensor && distributionOf(tensor, step.explanation.map(({ text }) => text).join(" "));
  if (!tensor || !spread) return [];
  const width = SIZE.bar * spread.bars.length;
  const zero = (-spread.least / (spread.most - spread.least)) * width;
  const bars = spread.bars.map(({ middle, share }, i) =>
    svg("rect", {
      x: i * SIZE.bar,
      y: SIZE.high * (1 - share),
      width: SIZE.bar - 1,
      height: SIZE.high * share,
      fill: `rgb(${colourOf(middle, tensor.stats.maxAbs, state.theme).join(" ")})`,
    }),
  );
  const picture = svg(
    "svg",
    { viewBox: `0 0 ${width} ${SIZE.high + 1}`, "aria-hidden": "true" },
    ...bars,
    svg("path", { d: `M0 ${SIZE.high + 0.5}H${width}` }),
    ...(zero > 0 && zero < width ? [svg("path", { class: "zero", d: `M${zero} 0V${SIZE.high}` })] : []),
  );
  const ends = [spread.least, spread.most].map((end) => el("span", {}, numberText(end, 2)));
  return [
    el(
      "figure",
      { class: "distribution" },
      el("div", { class: "spread" }, picture, el("div", { class: "ends", "aria-hidden": "true" }, ...ends)),
      el("figcaption", {}, spread.words),
    ),
  ];
}
