/**
 * The functions that formulas call: what each gives, and its slope there.
 * @typedef {{of: (x: number) => number, slope: (x: number, value: number) => number}} Smooth
 */
const SQRT_PI = Math.sqrt(Math.PI);
const flat = () => 0;

/** @type {Record<string, Smooth>} */
export const FUNCTIONS = {
  exp: { of: Math.exp, slope: (_, value) => value },
  log: { of: Math.log, slope: (x) => 1 / x },
  log2: { of: Math.log2, slope: (x) => 1 / (x * Math.LN2) },
  log10: { of: Math.log10, slope: (x) => 1 / (x * Math.LN10) },
  log1p: { of: Math.log1p, slope: (x) => 1 / (1 + x) },
  expm1: { of: Math.expm1, slope: (_, value) => value + 1 },
  sqrt: { of: Math.sqrt, slope: (_, value) => 0.5 / value },
  tanh: { of: Math.tanh, slope: (_, value) => 1 - value * value },
  sigmoid: { of: (x) => 1 / (1 + Math.exp(-x)), slope: (_, value) => value * (1 - value) },
  abs: { of: Math.abs, slope: Math.sign },
  sin: { of: Math.sin, slope: Math.cos },
  cos: { of: Math.cos, slope: (x) => -Math.sin(x) },
  tan: { of: Math.tan, slope: (_, value) => 1 + value * value },
  atan: { of: Math.atan, slope: (x) => 1 / (1 + x * x) },
  sinh: { of: Math.sinh, slope: Math.cosh },
  cosh: { of: Math.cosh, slope: Math.sinh },
  erf: { of: erf, slope: (x) => (2 / SQRT_PI) * Math.exp(-x * x) },
  sign: { of: Math.sign, slope: flat },
  floor: { of: Math.floor, slope: flat },
  ceil: { of: Math.ceil, slope: flat },
  trunc: { of: Math.trunc, slope: flat },
};

/** @param {number} x @returns {number} by its series near zero, by a continued fraction farther out */
function erf(x) {
  const size = Math.abs(x);
  if (size < 2.5) return series(x);
  let below = 0;
  for (let k = 60; k > 0; k -= 1) below = k / 2 / (size + below);
  return Math.sign(x) * (1 - Math.exp(-size * size) / (SQRT_PI * (size + below)));
}

/** @param {number} x */
function series(x) {
  let [term, sum] = [x, x];
  for (let n = 1; Math.abs(term) > 1e-18 * Math.abs(sum); n += 1) {
    term *= (-x * x) / n;
    sum += term / (2 * n + 1);
  }
  return (2 / SQRT_PI) * sum;
}
