/** @typedef {import("../figures/drawing.js").Deed} Deed */
/**
 * How far a reader is in a chapter: what was done with its questions, how many of its parts were read, and the one that
 * was read last, as the address has it.
 * @typedef {{deeds: Record<string, Deed>, read: number, parts: number, at: string}} Progress
 */

/** @type {Readonly<Progress>} */
export const UNREAD = Object.freeze({ deeds: {}, read: 0, parts: 0, at: "" });

/** @param {string|null} text @returns {Progress} what was kept; a fresh start where that cannot be read */
export function restored(text) {
  try {
    const { deeds, read, parts, at } = JSON.parse(text ?? "");
    if (typeof deeds !== "object" || deeds === null || !Number.isInteger(read)) return UNREAD;
    const known = Object.entries(deeds).flatMap(([id, deed]) => (isDeed(deed) ? [[id, deed]] : []));
    return { deeds: Object.fromEntries(known), read, parts: Number(parts) || 0, at: String(at ?? "") };
  } catch {
    return UNREAD;
  }
}

/** @param {any} deed */
function isDeed(deed) {
  const { outcome, tries, given } = deed ?? {};
  return ["", "right", "shown"].includes(outcome) && Array.isArray(tries) && typeof given === "string";
}

/** @param {Progress} progress @param {string} id @param {Deed} deed @returns {Progress} */
export function withDeed(progress, id, deed) {
  return { ...progress, deeds: { ...progress.deeds, [id]: deed } };
}

/**
 * @param {Progress} progress @param {number} part that is read now, counted from 1 @param {number} parts of all
 * @param {string} at @returns {Progress} what was read once stays read
 */
export function readUpTo(progress, part, parts, at) {
  return { ...progress, read: Math.max(progress.read, part), parts, at };
}

/** @param {Progress} progress @returns {number} how many questions are done, by oneself or shown */
export function doneCount({ deeds }) {
  return Object.values(deeds).filter(({ outcome }) => outcome !== "").length;
}

/** @param {Progress} progress @returns {boolean} whether there is anything to go on with */
export function isBegun(progress) {
  return progress.read > 1 || doneCount(progress) > 0;
}

/** @param {Progress} progress @param {number} questions @returns {boolean} */
export function isFinished(progress, questions) {
  return progress.parts > 0 && progress.read >= progress.parts && doneCount(progress) >= questions;
}

/** @param {Progress} progress @param {number} questions @returns {string} how far that is, in few words */
export function progressWords(progress, questions) {
  if (isFinished(progress, questions)) return "done";
  if (!isBegun(progress)) return "";
  const part = progress.parts ? `${Math.min(100, Math.round((progress.read / progress.parts) * 100))} % read` : "";
  const asked = questions ? `${Math.min(questions, doneCount(progress))} of ${questions} questions` : "";
  return [part, asked].filter(Boolean).join(" · ");
}
