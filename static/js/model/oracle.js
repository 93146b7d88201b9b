import { numberIn } from "./central.js";
import { numberText, powerText, ulpText } from "./format.js";
import { LEVELS } from "./sentence.js";
/** @typedef {import("./central.js").Differences} Differences */
/** @typedef {import("./central.js").Finding} Finding */
/** @typedef {import("./types.js").Verdict} Verdict */
/** @typedef {{level: string, glyph: string, says: string, detail: string}} Opinion the sign's level and glyph, what is said, and the small print */

/** @param {Verdict} verdict @returns {Opinion} how the manual gradient compares with autograd's */
export function autogradSays(verdict) {
  const { level, max_ulp: ulp } = verdict;
  const [maxdiff, relative] = [numberIn(verdict.maxdiff), numberIn(verdict.relative_error)];
  const inDouble = `${numberText(relative, 1)} in float64`;
  const glyph = LEVELS[level][0];
  if (level === "exact") return { level, glyph, says: "the same, bit for bit", detail: "max difference 0 · 0 ulp" };
  if (level === "shape") return { level, glyph, says: "of another shape", detail: "" };
  if (level === "zero") return { level, glyph, says: "zero, too: what is left is rounding", detail: `max difference ${numberText(maxdiff, 2)}` };
  if (level === "wrong") return { level, glyph, says: `differs by up to ${numberText(maxdiff, 2)}`, detail: inDouble };
  return { level, glyph, says: `within ${ulpText(ulp ?? 0)}, ${numberText(maxdiff, 2)} at most`, detail: inDouble };
}

/** @param {Finding} finding @param {string} level autograd's verdict @returns {Opinion} how central differences compare with the manual gradient */
export function differencesSay(finding, level) {
  const [error, numeric] = [numberIn(finding.relative_error), numberIn(finding.numeric)];
  if (finding.kink) {
    const [left, right] = [finding.kink.left, finding.kink.right].map((slope) => numberText(numberIn(slope), 3));
    const detail = `${left} on the left, ${right} on the right`;
    return finding.agrees ? { level: "kink", glyph: "∧", says: "at a kink: two slopes", detail } : { level: "wrong", glyph: LEVELS.wrong[0], says: "at a kink, beyond both slopes", detail };
  }
  if (!finding.agrees) {
    return { level: "wrong", glyph: LEVELS.wrong[0], says: `find ${numberText(numeric, 3)}, not ${numberText(numberIn(finding.analytic), 3)}`, detail: `rel. error ${numberText(error, 1)}` };
  }
  if (level === "zero") return { level, glyph: LEVELS.zero[0], says: "zero, too", detail: `they find ${numberText(numeric, 1)}` };
  return { level: "exact", glyph: LEVELS.exact[0], says: error === 0 ? "agree in every digit" : `agree to ${numberText(error, 1)}`, detail: `h = ${stepText(finding.step)}` };
}

/** @param {Finding} finding @returns {string} "h = 10⁻³, 4 points" */
export function stepWords({ step, stencil }) {
  return `h = ${stepText(step)}, ${stencil} points`;
}

/** @param {number} step @returns {string} always as a power of ten: "10⁻³", "3·10⁻³" */
export function stepText(step) {
  return powerText(step, 3).replace(/^1·/, "");
}

/** @param {Differences} differences @param {string} node @returns {Opinion} what stands there while there is no finding */
export function notYet({ stage, problem }, node) {
  const base = { level: "none", glyph: "–" };
  if (stage === "asking") return { ...base, says: "being asked…", detail: "" };
  if (stage === "failed") return { ...base, says: "did not answer", detail: problem?.message ?? "" };
  if (stage === "done") return { ...base, says: "no time was left", detail: `for ${node}` };
  return { ...base, says: "not yet nudged", detail: "" };
}
