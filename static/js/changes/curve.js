import { numberIn } from "../shared/json-number.js";
import { numberText, toldApart } from "../shared/format.js";
/** @typedef {import("../lens/types.js").Within} Within */
/**
 * The answer of POST /api/curve, or another loss that is drawn like it; `upwards`: it begins at the cell's own value.
 * @typedef {Omit<import("../lens/types.js").Curve, "within"> & {within?: Within|null, upwards?: boolean}} Curve
 */

/** How far one press of a key goes, as a share of the span, and how Shift and Alt change that. */
const STEP = 1 / 50;
const COARSE = 5;
const FINE = 1 / 10;

/** @param {Curve} curve @param {number} value @returns {number} what the gradient promises the loss will be there */
export function promised({ loss, slope, value: own }, value) {
  return numberIn(loss) + numberIn(slope) * (value - numberIn(own));
}

/** @param {Curve} curve @returns {[number, number]} the least and greatest value of the plot */
export function rangeOf({ value, span, within, upwards }) {
  if (within) return [within.least, within.greatest];
  return [numberIn(value) - (upwards ? 0 : numberIn(span)), numberIn(value) + numberIn(span)];
}

/**
 * @param {string} key @param {{shiftKey: boolean, altKey: boolean}} held @param {Curve} curve @param {number} value
 * @returns {number|null} where a key leads; null for one that does not move the number
 */
export function moveByKey(key, { shiftKey, altKey }, curve, value) {
  const [least, greatest] = rangeOf(curve);
  if (key === "Home") return least;
  if (key === "End") return greatest;
  const sign = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 }[key];
  if (!sign) return null;
  const share = sign * STEP * (shiftKey ? COARSE : 1) * (altKey ? FINE : 1);
  if (curve.within) return valueAt(curve, shareOf(curve, value) + share / 2);
  const span = numberIn(curve.span);
  const moved = rounded(value + span * share, span);
  return curve.upwards ? Math.max(least, moved) : moved;
}

/** @param {Curve} curve @param {number} value @returns {number} how far along the plot it lies, from 0 to 1 */
export function shareOf(curve, value) {
  const [least, greatest, at] = [...rangeOf(curve), value].map((one) => (curve.within?.log ? Math.log10(one) : one));
  return (at - least) / (greatest - least);
}

/** @param {Curve} curve @param {number} share @returns {number} the value there, as a hand can mean it */
export function valueAt(curve, share) {
  const [least, greatest] = rangeOf(curve);
  const part = Math.max(0, Math.min(1, share));
  if (!curve.within?.log) return rounded(least + part * (greatest - least), numberIn(curve.span));
  const value = least * (greatest / least) ** part;
  return Math.max(least, Math.min(greatest, rounded(value, value)));
}

/** @param {number} value @param {number} span @returns {number} with no more digits than a hand can mean */
export function rounded(value, span) {
  const unit = 10 ** (Math.floor(Math.log10(span)) - 4);
  const digits = Math.max(0, -Math.floor(Math.log10(unit)));
  return digits > 20 ? value : Number((Math.round(value / unit) * unit).toFixed(digits));
}

/**
 * @param {Curve} curve @param {string} name of the number, such as b2[5] @param {number} value where it is now
 * @param {number|null} loss that it makes; null while it is computed @param {string} lossName
 * @param {number|null} here its gradient where it is now, if that is known
 * @returns {string} what was moved, what the loss did, and what the gradient had promised, in Markdown
 */
export function moveWords(curve, name, value, loss, lossName, here = null) {
  const [own, before] = [numberIn(curve.value), numberIn(curve.loss)];
  const slope = numberIn(curve.slope);
  if (value === own)
    return `The gradient promises: nudge \`${name}\` by ε, and \`${lossName}\` moves by ${numberText(slope)} ε.`;
  const [was, now] = toldApart([own, value]);
  const moved = `\`${name}\` from ${was} to ${now}`;
  const digits = digitsFor(loss ?? promised(curve, value), before);
  const [from, to, meant] = [before, loss ?? NaN, promised(curve, value)].map((one) => numberText(one, digits));
  const told = `${moved}: \`${lossName}\` ${from} to **${loss === null ? "…" : to}**; the gradient promised ${meant}.`;
  return here === null ? told : `${told} The slope here is **${numberText(here)}**.`;
}

/** @param {Curve} curve @param {string} lossName @returns {string} why the line leaves the loss at once; empty else */
export function partingWords({ kink, slope, own_slope }, lossName) {
  if (own_slope !== null) {
    const own = numberText(numberIn(own_slope));
    return `\`.detach()\` hides a part of this from the gradient: the slope of \`${lossName}\` is ${own} here.`;
  }
  if (!kink) return "";
  const [left, right, own] = toldApart([kink.left, kink.right, slope].map(numberIn));
  const slopes = `its slope is ${left} to the left and ${right} to the right`;
  return `\`${lossName}\` has a kink here: ${slopes}; the gradient is ${own}.`;
}

/** @param {number} loss @param {number} before @returns {number} as many digits as show a small difference */
function digitsFor(loss, before) {
  const difference = Math.abs(loss - before);
  const size = Math.max(Math.abs(loss), Math.abs(before));
  if (!(difference > 0) || !Number.isFinite(size)) return 4;
  return Math.min(Math.max(Math.ceil(Math.log10(size / difference)) + 2, 4), 8);
}

/**
 * @typedef {{x: (value: number) => number, y: (loss: number) => number, curve: string, tangent: string,
 *   tangentAt: (value: number, loss: number, slope: number) => string,
 *   losses: [number, number], values: [number, number]}} Plot `tangentAt`: at a place that the number was moved to
 */

/**
 * The plot's geometry: the curve and its tangent as SVG paths, and where a value and a loss lie.
 * @param {Curve} curve @param {number} width @param {number} height @returns {Plot}
 */
export function plotOf(curve, width, height) {
  const values = rangeOf(curve);
  const known = curve.points.map(([value, loss]) => /** @type {const} */ ([numberIn(value), numberIn(loss)]));
  const finite = known.filter(([, loss]) => Number.isFinite(loss));
  const losses = padded(finite.map(([, loss]) => loss));
  const x = (/** @type {number} */ value) => shareOf(curve, value) * width;
  const y = (/** @type {number} */ loss) => height - ((loss - losses[0]) / (losses[1] - losses[0])) * height;
  // a straight line, which an axis of powers bends
  const along = curve.within?.log ? known.map(([value]) => value) : values;
  /** @type {Plot["tangentAt"]} */
  const tangentAt = (at, loss, slope) => {
    const promised = (/** @type {number} */ value) => y(loss + slope * (value - at));
    return pathWithin(
      along.map((value) => [x(value), promised(value)]),
      -height,
      2 * height,
    );
  };
  const [at, loss, slope] = [curve.value, curve.loss, curve.slope].map(numberIn);
  return { x, y, curve: pathOf(known, x, y), tangent: tangentAt(at, loss, slope), tangentAt, losses, values };
}

/** @param {number[]} losses @returns {[number, number]} their range with some air; a flat line lies in the middle */
function padded(losses) {
  const [least, greatest] = [Math.min(...losses), Math.max(...losses)];
  if (!(greatest > least))
    return [least - Math.max(1e-9, Math.abs(least) * 0.1), least + Math.max(1e-9, Math.abs(least) * 0.1)];
  const air = (greatest - least) * 0.12;
  return [least - air, greatest + air];
}

/**
 * @param {readonly (readonly [number, number])[]} points @param {(value: number) => number} x
 * @param {(loss: number) => number} y @returns {string} broken where the loss is not a number
 */
function pathOf(points, x, y) {
  let pen = "M";
  return points
    .map(([value, loss]) => {
      const part = Number.isFinite(loss) ? `${pen}${x(value).toFixed(1)} ${y(loss).toFixed(1)}` : "";
      pen = part ? "L" : "M";
      return part;
    })
    .join("");
}

/** @typedef {readonly [number, number]} Point across and down */

/**
 * As much of a path as lies between two heights: where it is steep the rest would be dashes for a million screens,
 * which a browser draws, each time, out of sight.
 * @param {readonly Point[]} points @param {number} least @param {number} greatest @returns {string}
 */
function pathWithin(points, least, greatest) {
  let path = "";
  /** @type {Point|null} where the pen is */
  let pen = null;
  for (const [i, to] of points.slice(1).entries()) {
    const [begin, end] = within(points[i], to, least, greatest);
    if (!(begin < end)) continue;
    const at = (/** @type {number} */ share) => between(points[i], to, share);
    if (begin > 0 || pen !== points[i]) path += `M${placed(at(begin))}`;
    path += `L${placed(at(end))}`;
    pen = end === 1 ? to : null;
  }
  return path;
}

/**
 * @param {Point} from @param {Point} to @param {number} least @param {number} greatest
 * @returns {[number, number]} between which shares of the way it is no higher and no lower
 */
function within([, from], [, to], least, greatest) {
  if (from === to) return from >= least && from <= greatest ? [0, 1] : [1, 0];
  const shares = [(least - from) / (to - from), (greatest - from) / (to - from)];
  return [Math.max(0, Math.min(...shares)), Math.min(1, Math.max(...shares))];
}

/** @param {Point} from @param {Point} to @param {number} share @returns {Point} */
function between(from, to, share) {
  return share === 1 ? to : [from[0] + share * (to[0] - from[0]), from[1] + share * (to[1] - from[1])];
}

/** @param {Point} point */
function placed([across, down]) {
  return `${across.toFixed(1)} ${down.toFixed(1)}`;
}

/** @param {Curve} curve @param {number} value @returns {number} the loss there, between the two points around it */
export function onCurve({ points }, value) {
  const next = points.findIndex(([at]) => numberIn(at) >= value);
  if (next <= 0) return numberIn(points[next === 0 ? 0 : points.length - 1][1]);
  const [[a, below], [b, above]] = [points[next - 1], points[next]].map((pair) => pair.map(numberIn));
  return below + ((above - below) * (value - a)) / (b - a);
}
