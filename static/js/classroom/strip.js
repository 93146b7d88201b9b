import { counted } from "../shared/plural.js";
/** @typedef {import("./types.js").Strip} Strip */
/** @typedef {{share: number, stuck: boolean, says: string}} Column `share`: from 0 to 1, where most are */

/** The part of those at a gradient who have tried it wrongly so often that a teacher may want to look. */
const MANY = 0.25;

/** @param {Strip} strip @param {string[]} names of the gradients, as far as they are known @returns {Column[]} */
export function columnsOf({ here, stuck }, names) {
  const most = Math.max(1, ...here);
  return here.map((students, place) => ({
    share: students / most,
    stuck: stuck[place] > 0 && stuck[place] >= MANY * students,
    says: [
      `${names[place] ?? `Gradient ${place + 1}`}: ${counted(students, "student")}`,
      ...(stuck[place] ? [`${stuck[place]} after three wrong tries or more`] : []),
    ].join(", "),
  }));
}

/** @param {Strip} strip @param {number} present @returns {string} how far the class is, in a sentence */
export function farOf({ here, written: all }, present) {
  const students = all.reduce((sum, some) => sum + some, 0);
  const atLeast = (/** @type {number} */ count) => all.slice(count).reduce((sum, some) => sum + some, 0);
  const counts = all.map((_, count) => count);
  const half = counts.filter((count) => 2 * atLeast(count) >= students).pop() ?? 0;
  const most = counts.filter((count) => all[count]).pop() ?? 0;
  const away = present - students;
  const gradients = counted(here.length, "gradient");
  const told = most ? writtenText(half, most, gradients) : `Of ${gradients} nobody has written one yet.`;
  return away > 0 ? `${told} ${away} of ${present} have not opened it.` : told;
}

/** @param {number} half so many, or more, were written by half @param {number} most @param {string} gradients */
function writtenText(half, most, gradients) {
  const far = half ? `Half of them have written at least ${half} of` : "Fewer than half of them have written any of";
  return `${far} ${gradients}; the furthest has ${most}.`;
}
