import { numberIn } from "../shared/json-number.js";
import { numberText, powerOfTen } from "../shared/format.js";
import { counted } from "../shared/plural.js";
import { SAME } from "./pair.js";
import { lossText, spokenStand, standWords, timeLeft } from "./words.js";
/** @typedef {import("./pair.js").Pair} Pair */
/** @typedef {import("./run.js").Run} Run */

/** Steps that a smoothed loss is about the mean of. */
const LONG = 100;

/** @param {number} step @returns {string} */
const place = (step) => `step ${step.toLocaleString("en")}`;

/**
 * @param {Pair} pair @param {boolean} same whether both runs should give the same losses @param {string[]} names
 * @returns {string} how far apart the losses are, in one or two sentences; empty before the first that both have told
 */
export function pairWords(pair, same, names) {
  if (pair.steps === 0) return "";
  return same ? sameWords(pair) : meanWords(pair, names);
}

/** @param {Pair} pair */
function sameWords({ steps, worst, parted, last }) {
  const all = `${counted(steps, "step")} compared`;
  const worstWords = `${numberText(worst.apart, 2)} relative`;
  if (worst.apart === 0) return `The losses are equal, digit for digit, at ${steps === 1 ? "the" : "all"} ${all}.`;
  if (parted === null)
    return `The losses agree to ${worstWords}: the largest difference of ${all}, at ${place(worst.step)}.`;
  const until = `The losses agree to ${powerOfTen(Math.round(Math.log10(SAME)))} relative before ${place(parted)}.`;
  return `${until} Rounding makes the weights part: by ${place(last)} the losses are up to ${worstWords} apart.`;
}

/** @param {Pair} pair @param {string[]} names */
function meanWords({ means: [first, second], last }, [firstName, secondName]) {
  const span = last < LONG ? `the first ${counted(last + 1, "step")}` : "about the last hundred steps";
  const numbers = `${lossText(second)} against ${lossText(first)}, means over ${span}`;
  const apart = Math.abs(second - first);
  if (apart < 5e-4 * Math.max(first, second))
    return `On the same minibatches, ${secondName} and ${firstName} have the same loss to three digits: ${numbers}.`;
  const which = second < first ? "lower" : "higher";
  return `On the same minibatches, the loss ${ofRun(secondName)} is ${numberText(apart, 2)} ${which}: ${numbers}.`;
}

/** @param {string} name @returns {string} "with Adam", "with the mistake", "at rate 0.01" */
function ofRun(name) {
  if (name.startsWith("with ")) return name;
  return name.startsWith("rate ") ? `at ${name}` : `with ${name}`;
}

/** @param {Run[]} runs @returns {import("./run.js").Run["status"]|"empty"} what the controls go by */
export function statusOf(runs) {
  const order = /** @type {const} */ (["starting", "running", "lost", "paused", "diverged", "stopped", "finished"]);
  return order.find((status) => runs.some((run) => run.status === status)) ?? "empty";
}

/** @param {Run[]} runs one or two @param {string[]} names @returns {string} where they stand, in one line */
export function standsWords(runs, names) {
  if (runs.length < 2) return runs.map(standWords).join("");
  const steps = runs[0].start?.steps;
  if (!steps || runs.some(({ status }) => status === "starting")) return "Starting: both networks are being made.";
  const taken = runs.map((run) => run.taken.toLocaleString("en"));
  const at = taken[0] === taken[1] ? taken[0] : taken.join(" and ");
  const where = `step ${at} of ${steps.toLocaleString("en")}`;
  const going = runs.filter(({ status }) => status === "running");
  const left = Math.max(...going.map((run) => (steps - run.taken) / (run.report?.speed ?? NaN)));
  if (going.length === 2) return [where, timeLeft(left)].filter(Boolean).join(" · ");
  if (going.length === 1) return [where, `${names[runs.indexOf(going[0])]} goes on`].join(" · ");
  const says = runs.map((run) => standWords(run).split(" · ").at(-1));
  if (says[0] === says[1]) return `${where} · both ${says[0]}`;
  return `${where} · ${says.map((word, i) => `${names[i]}: ${word}`).join(", ")}`;
}

/** @param {Run[]} runs @param {string[]} names @returns {string} what a change of their statuses is announced with */
export function spokenStands(runs, names) {
  if (runs.length < 2) return runs.map(spokenStand).join("");
  const told = runs.map(spokenStand);
  if (told.some((words) => !words)) return "";
  return told[0] === told[1] ? told[0] : told.map((words, i) => `${sentence(names[i])}: ${words}`).join(" ");
}

/** @param {string} text */
const sentence = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/** @param {Run[]} runs @param {string[]} names @returns {string} what the curves show, for who can't see them */
export function curvesWords(runs, names) {
  const ends = runs.map((run, i) => `${names[i]} ${numberText(numberIn(run.report?.smoothed), 3)}`);
  if (runs.some(({ report }) => !report)) return "Losses along the steps of both runs: nothing to compare yet.";
  return `Losses along the steps of both runs, smoothed: ${ends.join(", ")}.`;
}
