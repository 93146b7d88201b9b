import { numberIn } from "../shared/json-number.js";
import { numberText, steadyText } from "../shared/format.js";
import { counted } from "../shared/plural.js";
/** @typedef {import("../walk/types.js").JsonNumber} JsonNumber */
/** @typedef {import("../editor/types.js").PlantableMistake} Mistake */
/** @typedef {import("../editor/types.js").Mistakes} Choices */
/** @typedef {import("../lens/types.js").DescentPath} Path */

/** @param {Path} path @param {string} loss its name @returns {string} where both ways lead, with their numbers */
export function pathWords({ rate, losses, right, stopped }, loss) {
  const best = right ?? losses;
  const [start, end, wanted] = [best[0], losses.at(-1), best.at(-1)].map((one) => steadyText(numberIn(one ?? NaN)));
  const steps = `In ${counted(best.length - 1, "step")} at learning rate ${numberText(rate)}`;
  if (stopped) return `${stopped} ${steps}, the right gradient takes \`${loss}\` from **${start}** to **${wanted}**.`;
  if (end === wanted) return `${steps}, \`${loss}\` goes from **${start}** to **${end}**, with the mistake or without.`;
  const went = `${steps}, \`${loss}\` goes from **${start}** to **${end}** with the mistake, to **${wanted}** without.`;
  const further = numberIn(losses.at(-1) ?? NaN) < numberIn(best.at(-1) ?? NaN);
  return further ? `${went} So far the wrong way even gets further down.` : went;
}

/** How much higher than the right way the picture goes, as a share of the right way's own height. */
const ABOVE = 0.75;

/**
 * Both ways as SVG paths; what climbs too high leaves the picture at its top.
 * @param {Path} path @param {number} width @param {number} height
 * @returns {{wrong: string, right: string, least: number, greatest: number}} the paths and the range of losses
 */
export function curvesOf({ losses, right }, width, height) {
  const [mine, best] = [losses, right ?? losses].map((all) => all.map(numberIn));
  const finite = [...mine, ...best].filter(Number.isFinite);
  const [least, most] = [Math.min(...finite), Math.max(...finite)];
  const top = Math.max(...best.filter(Number.isFinite), mine[0]);
  const room = Math.min(most, top + ABOVE * (top - least));
  const air = Math.max((room - least) * 0.08, Math.abs(least) * 1e-6, 1e-12);
  const [low, high] = [least - air, room + air];
  const steps = Math.max(best.length - 1, 1);
  const place = (/** @type {number} */ loss, /** @type {number} */ step) => {
    const y = height - ((loss - low) / (high - low)) * height;
    return `${((step / steps) * width).toFixed(1)} ${Math.max(-height, Math.min(2 * height, y)).toFixed(1)}`;
  };
  const drawn = (/** @type {number[]} */ all) => {
    const end = all.findIndex((loss) => !Number.isFinite(loss));
    return all
      .slice(0, end < 0 ? all.length : end)
      .map((loss, step) => `${step ? "L" : "M"}${place(loss, step)}`)
      .join("");
  };
  return { wrong: drawn(mine), right: drawn(best), least: low, greatest: high };
}
