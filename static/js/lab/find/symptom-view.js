import { numberText } from "../../shared/format.js";
import { numberIn } from "../../shared/json-number.js";
import { counted } from "../../shared/plural.js";
import { el } from "../../shared/dom/elements.js";
import { prose } from "../../shared/prose-view.js";
import { curveParts } from "../runs-view.js";
/** @typedef {import("./board-view.js").Frame} Frame */
/** @typedef {import("../types.js").Bug} Bug */

/** How far above its beginning a curve is followed, as a share of what the right lines gain. */
const ABOVE = 0.6;

/**
 * Both short runs, and the latest second run that was asked for.
 * @param {HTMLElement} root @param {Bug} bug @param {Frame} frame
 */
export function drawSymptom(root, { right, wrong, rate, loss }, { game, told }) {
  const deed = game.deeds.filter((one) => one.do === "run").at(-1);
  const second = deed && told.get(`run ${deed.line}`);
  const curves = [
    { kind: "meant", words: "on the right lines", losses: right.map(numberIn) },
    { kind: "written", words: "on these lines", losses: wrong.map(numberIn) },
    ...(second
      ? [{ kind: "second", words: `with line ${second.line + 1} put right`, losses: second.losses.map(numberIn) }]
      : []),
  ];
  const [begin, end] = [curves[0].losses[0], curves[0].losses.at(-1) ?? 0];
  root.replaceChildren(
    ...curveParts(curves, { least: end, most: begin + ABOVE * (begin - end) }),
    el(
      "p",
      { class: "fact" },
      ...prose(
        `\`${loss}\` over ${counted(right.length - 1, "step")} of gradient descent, learning rate ${numberText(rate)}.`,
      ),
    ),
  );
}
