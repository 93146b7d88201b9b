import { counted } from "../shared/plural.js";
import { numberText } from "../shared/format.js";
import { outcomeText } from "../practice/attempts.js";
import { attemptAt } from "../progress/progress.js";
/** @typedef {import("../exercise/tasks.js").Task} Task */
/** @typedef {import("../progress/progress.js").Progress} Progress */
/** @typedef {import("../run/run.js").Run} Run */
/** @typedef {{text: string, wrong: boolean, note: string}} Row a line of text; `note` says how its gradient came out */
/** @typedef {{rows: Row[], size: number, columns: number, left: number}} Listing `left`: rows without room */

/** A4, in units of which a letter of a caption has ten. */
export const PAPER = { width: 840, height: 1188, margin: 60 };
/** Where its parts stand. */
export const LISTING = { top: 154, bottom: 790 };
export const CURVE = { top: 806, bottom: 994 };
const SIZES = [13, 12, 11, 10, 9, 8, 7, 6];
/** How high a row is, and how wide a letter, by the size of the letters. */
export const ROW = 1.45;
const LETTER = 0.605;
/** Of the width, what the notes have. */
export const NOTES = 0.2;
const GAP = 24;
/** Wrong tries of one gradient that are shown. */
const MOST_TRIES = 3;
const SIGNED = 10;

/** @param {Progress} progress @param {Task[]} tasks @returns {Task[]} those with a line, as the poster has them */
const writtenTasks = (progress, tasks) => tasks.filter((task) => attemptAt(progress, task).outcome);

/** @param {Progress} progress @param {Task[]} tasks @returns {boolean} whether every gradient has its line */
export function isWhole(progress, tasks) {
  const steps = tasks.filter(({ closed }) => !closed);
  return steps.length > 0 && steps.every((task) => attemptAt(progress, task).outcome);
}

/** @param {Progress} progress @param {Task[]} tasks @returns {Record<string, string>} lines by the tensors' names */
export function answersOf(progress, tasks) {
  const steps = writtenTasks(progress, tasks).filter(({ closed }) => !closed);
  return Object.fromEntries(steps.map((task) => [task.target, attemptAt(progress, task).accepted]));
}

/**
 * All that was written, wrong tries first, at the largest size that has room for it.
 * @param {Progress} progress @param {Task[]} tasks @param {string[]} printed tensors whose printed line was run instead
 * @returns {Listing}
 */
export function listingOf(progress, tasks, printed) {
  const height = LISTING.bottom - LISTING.top;
  for (const size of SIZES)
    for (const columns of size > 9 ? [1] : [1, 2]) {
      const rows = rowsOf(progress, tasks, printed, lettersIn(size, columns));
      const room = columns * Math.floor(height / (size * ROW));
      if (rows.length <= room) return { rows, size, columns, left: 0 };
    }
  const [size, columns] = [SIZES.at(-1) ?? 6, 2];
  const rows = rowsOf(progress, tasks, printed, lettersIn(size, columns));
  const room = columns * Math.floor(height / (size * ROW)) - 1;
  return { rows: rows.slice(0, room), size, columns, left: rows.length - room };
}

/** @param {number} columns @returns {number} how wide each is */
export const columnWidth = (columns) => (PAPER.width - 2 * PAPER.margin - (columns - 1) * GAP) / columns;

/** @param {Listing} listing @param {number} row @returns {{left: number, top: number}} where its letters begin */
export function placeOf({ size, columns }, row) {
  const each = Math.floor((LISTING.bottom - LISTING.top) / (size * ROW));
  const column = columns > 1 ? Math.floor(row / each) : 0;
  const left = PAPER.margin + column * (columnWidth(columns) + GAP);
  return { left, top: LISTING.top + ((row % each) + 1) * size * ROW };
}

/** @param {number} size @param {number} columns @returns {number} letters beside the notes */
function lettersIn(size, columns) {
  return Math.floor((columnWidth(columns) * (1 - NOTES)) / (size * LETTER));
}

/**
 * @param {Progress} progress @param {Task[]} tasks @param {string[]} printed @param {number} letters
 * @returns {Row[]}
 */
function rowsOf(progress, tasks, printed, letters) {
  return writtenTasks(progress, tasks).flatMap((task) => {
    const attempt = attemptAt(progress, task);
    const wrong = attempt.wrong.slice(-MOST_TRIES).flatMap((text) => linesOf(text, letters));
    const right = linesOf(attempt.accepted, letters);
    const instead = !task.closed && printed.includes(task.target) ? "; the printed line was run" : "";
    const note = `${task.closed ? "closed form, " : ""}${outcomeText(attempt)}${instead}`;
    return [
      ...wrong.map((text) => ({ text, wrong: true, note: "" })),
      ...right.map((text, i) => ({ text, wrong: false, note: i === 0 ? note : "" })),
    ];
  });
}

/**
 * @param {string} text @param {number} letters
 * @returns {string[]} broken where there is no room, between words where there are any, and set in there
 */
export function linesOf(text, letters) {
  return text
    .trim()
    .split("\n")
    .flatMap((line) => {
      const pieces = [];
      let rest = line;
      while (rest.length > letters) {
        const space = rest.lastIndexOf(" ", letters);
        const at = space > letters / 2 ? space : letters;
        pieces.push(rest.slice(0, at));
        rest = `    ${rest.slice(at).trimStart()}`;
      }
      return [...pieces, rest];
    });
}

/** @param {Progress} progress @param {Task[]} tasks @returns {string} "26 gradients: 20 right at the first try, …" */
export function countsText(progress, tasks) {
  const attempts = writtenTasks(progress, tasks).map((task) => attemptAt(progress, task));
  const right = attempts.filter(({ outcome }) => outcome === "right");
  const alone = right.filter(({ hints }) => !hints.length);
  const parts = /** @type {[number, string][]} */ ([
    [alone.filter(({ tries }) => tries === 1).length, "right at the first try"],
    [alone.filter(({ tries }) => tries !== 1).length, "after several tries"],
    [right.length - alone.length, "after hints"],
    [attempts.length - right.length, "shown"],
  ]);
  const told = parts.filter(([count]) => count).map(([count, words]) => `${count} ${words}`);
  return `${counted(attempts.length, "gradient")}: ${told.join(", ")}`;
}

/** @param {Run} run @returns {boolean} whether all is told: where minibatches are drawn, names and losses at the end */
export function isTold({ over, diverged, splits, start }) {
  return over && Boolean(diverged || splits || start?.data.name === "own");
}

/** @param {Run|null} run @returns {string} how far it is; empty once all is told */
export function standOf(run) {
  if (!run?.start) return "The network is being made…";
  if (isTold(run)) return "";
  if (run.over) return "It is asked for what it has learned…";
  return `step ${run.taken.toLocaleString("en")} of ${run.start.steps.toLocaleString("en")}`;
}

/** @param {Run|null} run @returns {{heading: string, names: string[]}} what the network has to say of its training */
export function signatureOf(run) {
  if (!run || !run.taken) return { heading: "", names: [] };
  const steps = counted(run.taken, "step");
  if (run.diverged) return { heading: `The loss was no number any more after ${steps}.`, names: [] };
  const { points } = run.series;
  const [from, to] = [points[0]?.smoothed, points.at(-1)?.smoothed].map((loss) => numberText(loss ?? NaN, 3));
  const went = `The loss went from ${from} to ${to} in ${steps} on these lines.`;
  const names = (run.splits?.names ?? []).filter(Boolean).slice(0, SIGNED);
  return { heading: names.length ? `${went} Signed by the network:` : went, names };
}

/** @param {Task[]} tasks @param {Run|null} run @returns {string[]} the tensors whose answers could not be run */
export function printedInstead(tasks, run) {
  const own = run?.start?.own;
  return own ? tasks.filter(({ closed, target }) => !closed && !own.includes(target)).map(({ target }) => target) : [];
}
