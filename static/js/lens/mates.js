import { answerOf } from "./pointing.js";
import { termsIn } from "./highlights.js";
import { unravel } from "../shared/tensor.js";
/** @typedef {import("../walk/frame.js").Frame} Frame */
/** @typedef {import("./pointing.js").Sheet} Sheet */
/** @typedef {import("./lens.js").Term} Term */
/** @typedef {import("./highlights.js").Lights} Lights */
/** @typedef {{cell: number[]}} Cell */

/**
 * The other halves of the products that an open number is the sum of: its terms lie in one operand, these in those
 * beside it.
 * @template {Sheet} T @param {Frame} frame @param {T[]} sheets of the step's equation, and others
 * @param {Lights} lights of the open number @param {Term|null} hot the term that is pointed at
 * @returns {Map<T, {cells: Cell[], hot: Cell|null}>} by sheet: its cells, and the one that the hot term multiplies by
 */
export function matesOf(frame, sheets, lights, hot) {
  const { pick } = frame;
  const drawn = sheets.filter(({ name, tensor }) => name !== undefined && !tensor.block && tensor.size > 1);
  const own = drawn.find(({ subject }) => subject?.tensor === pick?.tensor && subject?.of === pick?.which);
  const found = new Map();
  if (!pick || !own) return found;
  const answer = answerOf(frame, own, pick.index);
  const from = hot && drawn.find(({ subject }) => subject && termsIn(lights, subject).includes(hot));
  const narrow = from && hot ? answerOf(frame, from, hot.cell) : null;
  for (const sheet of drawn) {
    if (sheet === own || (sheet.subject && termsIn(lights, sheet.subject).length)) continue;
    const flats = [...answer.cellsIn(sheet)];
    const cells = flats.map((flat) => ({ cell: unravel(sheet.tensor.whole, flat) }));
    const met = narrow?.cellsIn(sheet);
    if (cells.length) found.set(sheet, { cells, hot: cells[flats.findIndex((flat) => met?.has(flat))] ?? null });
  }
  return found;
}
