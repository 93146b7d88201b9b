import { numberIn } from "../shared/json-number.js";
/** @typedef {import("../shared/json-number.js").Told} Told */
/** @typedef {"rounding"|"best"|"truncation"|""} Regime */
/** @typedef {{step: number, error: number, regime: Regime}} Point */
/**
 * @typedef {{points: Point[], rounding: number|null, truncation: number|null}} Curve from the smallest step on; slopes
 *   on the log-log sheet, null where that regime does not show
 */

const CLEAR = 10;
const UNSEEN = 1e-9;

/**
 * The two ways in which a step can be wrong: too small, and rounding is divided by it; too large, and the curve bends
 * away.
 * @param {[number, Told][]} sweep @returns {Curve}
 */
export function curveOf(sweep) {
  const measured = sweep
    .map(([step, error]) => ({ step, error: numberIn(error) }))
    .filter(({ error }) => Number.isFinite(error));
  measured.sort((a, b) => a.step - b.step);
  const errors = measured.map(({ error }) => error);
  const least = Math.min(...errors);
  const best = errors.lastIndexOf(least);
  const floor = CLEAR * Math.max(least, Number.EPSILON / 4);
  const rounding = slopeOf(measured.slice(0, best).filter(({ error }) => error > floor));
  const truncation = slopeOf(measured.slice(best + 1).filter(({ error }) => error > floor));
  const points = measured.map((point, i) => ({ ...point, regime: regimeOf(i - best, rounding, truncation) }));
  return {
    points,
    rounding: rounding !== null && rounding < 0 ? rounding : null,
    truncation: truncation !== null && truncation > 0 ? truncation : null,
  };
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

/** @typedef {{step: number, error: number, used: boolean, kind: string}} Row */

/**
 * The numbers of the curve as a table, with what was used among them.
 * @param {Curve} curve two-point differences
 * @param {{step: number, stencil: 2|4, relative_error: Told, kink: object|null}} nudge @returns {Row[]}
 */
export function rowsOf({ points }, { step, stencil, relative_error: error, kink }) {
  if (kink) return points.map((point) => ({ ...point, used: false, kind: "" }));
  const own = (/** @type {Point} */ point) => stencil === 2 && alike(point.step, step);
  const used = { step, error: numberIn(error), regime: points.find(own)?.regime ?? "", used: true };
  const rows = [...points.filter((point) => !own(point)).map((point) => ({ ...point, used: false })), used];
  const least = Math.min(...rows.map((row) => row.error).filter(Number.isFinite));
  const kinds = { rounding: "rounding", truncation: "truncation", "": "", best: "least error of two points" };
  const kindOf = (/** @type {typeof rows[number]} */ row) => [
    row.error === least ? "least error" : kinds[row.regime],
    row.used ? `used, ${stencil} points` : "",
  ];
  return rows.sort((a, b) => a.step - b.step).map((row) => ({ ...row, kind: kindOf(row).filter(Boolean).join(", ") }));
}

/** @param {number} a @param {number} b */
function alike(a, b) {
  return Math.abs(a - b) <= 1e-6 * Math.max(a, b);
}

/** @param {Curve} curve @param {{kink?: boolean, stencil?: 2|4}} [nudge] @returns {string} what the picture shows */
export function curveWords(curve, { kink = false, stencil = 2 } = {}) {
  if (kink)
    return (
      "The plot shows central differences all the same: " +
      "however small the step, it straddles the kink, and the error does not vanish."
    );
  const used =
    stencil === 4 && curve.truncation !== null
      ? " The diamond is what was used: four points instead of two, which cancels the h² as well."
      : "";
  return regimeWords(curve) + used;
}

/** @param {Curve} curve */
function regimeWords({ points, rounding, truncation }) {
  const small = "On the left it is too small: rounding, divided by h, takes over.";
  const least = Math.min(...points.map(({ error }) => error));
  if (truncation === null && rounding === null)
    return least < UNSEEN ? "No step makes a noticeable error." : "No step comes near: the error stays.";
  if (truncation === null)
    return `Along this line the loss is straight, so large steps cost nothing. ${small.replace("it", "the step")}`;
  const power = Math.round(truncation);
  const exponent = power === 2 ? "²" : power === 1 ? "" : `^${power}`;
  const bends = "On the right the step is too large: the curve bends away from its tangent";
  const large = `${bends}, and the error grows like h${exponent}.`;
  return rounding === null ? large : `${large} ${small}`;
}
