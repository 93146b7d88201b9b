import { numberText } from "./format.js";
/** @typedef {{least: number, most: number}} Ends */

/** The same number stands under a tensor wherever it is drawn. */
const DIGITS = 3;

/**
 * @param {{ends: Ends, noneFinite?: boolean}} tensor
 * @returns {string} how far its numbers reach from zero: to both sides, or, where all are on one side, to that
 */
export function reachText({ ends: { least, most }, noneFinite }) {
  if (noneFinite) return "no finite number";
  if (least >= 0 && most > 0) return `max ${numberText(most, DIGITS)}`;
  if (most <= 0 && least < 0) return `min ${numberText(least, DIGITS)}`;
  return `±\u00a0${numberText(Math.max(-least, most), DIGITS)}`;
}

/** @param {{ends: Ends}} tensor @returns {[number, number]} where its colour scale ends: at zero on an unused side */
export function scaleEnds({ ends: { least, most } }) {
  const both = Math.max(-least, most);
  return [least < 0 ? (most > 0 ? -both : least) : 0, most > 0 ? (least < 0 ? both : most) : 0];
}
