import { numberIn } from "../central.js";
/** @typedef {import("../central.js").Told} Told */
/** @typedef {"rounding"|"best"|"truncation"|""} Regime */
/** @typedef {{step: number, error: number, regime: Regime}} Point */
/** @typedef {{points: Point[], rounding: number|null, truncation: number|null}} Curve from the smallest step on; slopes on the log-log sheet, null where that regime does not show */

const CLEAR = 10;
const UNSEEN = 1e-9;

/** The two ways in which a step can be wrong: too small, and rounding is divided by it; too large, and the curve bends away. @param {[number, Told][]} sweep @returns {Curve} */
export function curveOf(sweep) {
  const measured = sweep.map(([step, error]) => ({ step, error: numberIn(error) })).filter(({ error }) => Number.isFinite(error));
  measured.sort((a, b) => a.step - b.step);
  const errors = measured.map(({ error }) => error);
  const least = Math.min(...errors);
  const best = errors.lastIndexOf(least);
  const floor = CLEAR * Math.max(least, Number.EPSILON / 4);
  const rounding = slopeOf(measured.slice(0, best).filter(({ error }) => error > floor));
  const truncation = slopeOf(measured.slice(best + 1).filter(({ error }) => error > floor));
  const points = measured.map((point, i) => ({ ...point, regime: regimeOf(i - best, rounding, truncation) }));
  return { points, rounding: rounding !== null && rounding < 0 ? rounding : null, truncation: truncation !== null && truncation > 0 ? truncation : null };
}

/** @param {number} side @param {number|null} rounding @param {number|null} truncation @returns {Regime} */
function regimeOf(side, rounding, truncation) {
  if (side === 0) return "best";
  if (side < 0) return rounding !== null && rounding < 0 ? "rounding" : "";
  return truncation !== null && truncation > 0 ? "truncation" : "";
}

/** @param {{step: number, error: number}[]} points @returns {number|null} least squares, on logarithms */
function slopeOf(points) {
  if (points.length < 2) return null;
  const xs = points.map(({ step }) => Math.log10(step));
  const ys = points.map(({ error }) => Math.log10(error));
  const [x, y] = [xs, ys].map((all) => all.reduce((a, b) => a + b, 0) / all.length);
  const across = xs.reduce((sum, one) => sum + (one - x) ** 2, 0);
  return xs.reduce((sum, one, i) => sum + (one - x) * (ys[i] - y), 0) / across;
}

/** @param {Curve} curve @param {{kink?: boolean, stencil?: 2|4}} [nudge] @returns {string} what the picture shows */
export function curveWords(curve, { kink = false, stencil = 2 } = {}) {
  if (kink) return "The plot shows central differences all the same: however small the step, it straddles the kink, and the error does not vanish.";
  const used = stencil === 4 && curve.truncation !== null ? " The mark is what was used: four points instead of two cancel the h² as well." : "";
  return regimeWords(curve) + used;
}

/** @param {Curve} curve */
function regimeWords({ points, rounding, truncation }) {
  const small = "Small steps, on the left, drown in rounding: the last digits of the loss are divided by h, so the error grows as h shrinks.";
  const least = Math.min(...points.map(({ error }) => error));
  if (truncation === null && rounding === null) return least < UNSEEN ? "No step makes an error worth the name." : "No step comes near: the error stays.";
  if (truncation === null) return `Along this line the loss is straight, so that large steps cost nothing. ${small}`;
  const power = Math.round(truncation);
  const large = `Large steps, on the right, leave the tangent: the error of cutting the series off grows like h${power === 2 ? "²" : power === 1 ? "" : `^${power}`}.`;
  return rounding === null ? large : `${large} ${small}`;
}
