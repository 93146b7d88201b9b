import { numberIn } from "../shared/json-number.js";
import { numberText, powerText, toldApart, ulpText } from "../shared/format.js";
import { LEVELS } from "../walk/verdict-levels.js";
/** @typedef {import("../differences/differences.js").Differences} Differences */
/** @typedef {import("../differences/differences.js").Finding} Finding */
/** @typedef {import("../walk/types.js").Origin} Origin */
/** @typedef {import("../walk/types.js").Own} Own */
/** @typedef {import("../walk/types.js").Verdict} Verdict */
/**
 * @typedef {{level: string, glyph: string, says: string, detail: string}} Opinion the sign's level and glyph, what is
 *   said, and the small print
 */

/**
 * @param {Verdict} verdict
 * @returns {Opinion} how the manual gradient compares with autograd's: the difference as a share of the largest
 *   gradient, in both precisions
 */
export function autogradSays(verdict) {
  const { level } = verdict;
  const base = { level, glyph: LEVELS[level][0] };
  const [far, far64] = [verdict.share, verdict.share64].map((share) => numberIn(share));
  if (level === "exact")
    return {
      ...base,
      says: "the same, bit for bit",
      detail: verdict.kind === "rule" ? "zero in every cell" : "difference 0",
    };
  if (verdict.kind === "lost") return { level: "lost", glyph: LEVELS.lost[0], says: "nothing to compare", detail: "" };
  if (level === "shape") return { ...base, says: "of another shape", detail: "" };
  if (level === "not-finite") return { ...base, says: "not finite either", detail: "" };
  if (level === "zero")
    return { ...base, says: `zero, too: rounding of at most ${sizeText(numberIn(verdict.residue))}`, detail: "" };
  if (level === "wrong")
    return { ...base, says: `differs by ${shareText(far)} gradient`, detail: `in float64 by ${shareText(far64)}` };
  const fine = far64 === 0 ? "in float64 no difference" : `in float64 ${sizeText(far64)} of it`;
  return { ...base, says: `${shareText(far)} gradient apart`, detail: fine };
}

/** @param {Own} own @returns {Opinion} how the manual gradient compares with the one of the model's own backward */
export function ownSays({ right, maxdiff, share }) {
  const [most, far] = [numberIn(maxdiff), numberIn(share)];
  if (most === 0)
    return { level: "exact", glyph: LEVELS.exact[0], says: "its backward gives the same", detail: "difference 0" };
  const level = right ? "approximate" : "wrong";
  const says = right ? "its backward agrees" : "its backward differs";
  const apart = `${right ? "to" : "by"} ${shareText(far)}, ${sizeText(most)} at most`;
  return { level, glyph: LEVELS[level][0], says, detail: apart };
}

/** @param {Verdict} verdict @returns {string} what its badge adds to the word */
export function badgeExtra({ level, kind, share }) {
  if (kind === "rule") return "zero in every cell";
  return level === "approximate" || level === "wrong" ? shareText(numberIn(share)) : "";
}

/** @param {Verdict} verdict @returns {string} the differences themselves, with their units */
export function apartText({ maxdiff, max_ulp: ulp }) {
  const most = numberIn(maxdiff);
  if (!(most > 0)) return "";
  return `At most ${numberText(most, 2)} apart${ulp ? `, or ${ulpText(ulp)}` : ""}.`;
}

/** @param {number} share @returns {string} "6·10⁻⁸ of the largest", "2.5 times the largest" */
function shareText(share) {
  return `${sizeText(share)} ${share >= 1 ? "times" : "of"} the largest`;
}

/** @param {number} size @returns {string} always short: "6·10⁻⁸", "0.23", "∞" */
function sizeText(size) {
  return numberText(size, 2);
}

/** @param {Origin} origin @returns {string} "the first NaN is in `p[0, 1]`, line 1" */
export function originText({ number, name, cell, which, line }) {
  const what = number === "NaN" ? "NaN" : number === "Infinity" ? "infinity" : "−infinity";
  const place = cell.length ? `[${cell.join(", ")}]` : "";
  const where = line === null ? "" : `, ${which === "gradient" ? "backward " : ""}line ${line}`;
  return `the first ${what} is in \`${name}${place}\`${where}`;
}

/**
 * @param {Finding} finding @param {string} level autograd's verdict
 * @returns {Opinion} how central differences compare with the manual gradient
 */
export function differencesSay(finding, level) {
  const [error, numeric] = [numberIn(finding.relative_error), numberIn(finding.numeric)];
  if (finding.kink) {
    const [left, right] = [finding.kink.left, finding.kink.right].map((slope) => numberText(numberIn(slope), 3));
    const detail = `${left} on the left, ${right} on the right`;
    return finding.agrees
      ? { level: "kink", glyph: "∧", says: "at a kink: two slopes", detail }
      : { level: "wrong", glyph: LEVELS.wrong[0], says: "at a kink, beyond both slopes", detail };
  }
  if (level === "shape")
    return {
      level: "wrong",
      glyph: LEVELS.wrong[0],
      says: `find ${numberText(numeric, 3)}`,
      detail: "nothing fits it",
    };
  if (!finding.agrees) {
    const [theirs, ours] = toldApart([numeric, numberIn(finding.analytic)], 3);
    return {
      level: "wrong",
      glyph: LEVELS.wrong[0],
      says: `find ${theirs}, not ${ours}`,
      detail: `rel. error ${numberText(error, 1)}`,
    };
  }
  if (level === "zero")
    return { level, glyph: LEVELS.zero[0], says: "zero, too", detail: `they find ${numberText(numeric, 1)}` };
  return {
    level: "exact",
    glyph: LEVELS.exact[0],
    says: error === 0 ? "agree in every digit" : `agree to ${numberText(error, 1)}`,
    detail: `h = ${stepText(finding.step)}`,
  };
}

/** @param {Finding} finding @returns {string} "h = 10⁻³, 4 points" */
export function stepWords({ step, stencil }) {
  return `h = ${stepText(step)}, ${stencil} points`;
}

/** @param {number} step @returns {string} always as a power of ten: "10⁻³", "3·10⁻³" */
export function stepText(step) {
  return powerText(step, 3).replace(/^1·/, "");
}

/**
 * @param {Differences} differences @param {string} node @returns {Opinion} what stands there while there is no finding
 */
export function notYet({ stage, problem }, node) {
  const base = { level: "none", glyph: "–" };
  if (stage === "asking") return { ...base, says: "being asked…", detail: "" };
  if (stage === "failed") return { ...base, says: "did not answer", detail: problem?.message ?? "" };
  if (stage === "done") return { ...base, says: "no time was left", detail: `for ${node}` };
  return { ...base, says: "not yet nudged", detail: "" };
}
