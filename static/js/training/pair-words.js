import { numberIn } from "../shared/json-number.js";
import { capital, numberText, powerOfTen } from "../shared/format.js";
import { counted } from "../shared/plural.js";
import { SAME } from "./pair.js";
import { ENDED, lossText, spokenStand, standWords, timeLeft } from "./words.js";
/** @typedef {import("./pair.js").Pair} Pair */
/** @typedef {import("./readings.js").Reading} Reading */
/** @typedef {import("../run/run.js").Run} Run */

/** Steps that a smoothed loss is about the mean of. */
const LONG = 100;

/** @param {number} step @returns {string} */
const place = (step) => `step ${step.toLocaleString("en")}`;

/**
 * @param {Pair} pair @param {boolean} same whether both runs should give the same losses @param {string[]} names
 * @param {Reading[]} readings of both
 * @returns {string} how far apart the losses are, in one or two sentences; empty before the first that both have told
 */
export function pairWords(pair, same, names, readings) {
  if (!same) return meanWords(readings, names);
  return pair.steps ? sameWords(pair) : "";
}

/** @param {Pair} pair */
function sameWords({ steps, worst, parted, last }) {
  const all = `${counted(steps, "step")} compared`;
  const worstWords = `${numberText(worst.apart, 2)} relative`;
  if (worst.apart === 0) return `The losses are equal, digit for digit, at ${steps === 1 ? "the" : "all"} ${all}.`;
  if (parted === null)
    return `The losses agree to ${worstWords}: the largest difference of ${all}, at ${place(worst.step)}.`;
  const until = `The losses agree to ${powerOfTen(Math.round(Math.log10(SAME)))} relative before ${place(parted)}.`;
  return `${until} Rounding makes the weights drift apart: by ${place(last)} the losses are up to ${worstWords} apart.`;
}

/** @param {Reading[]} readings @param {string[]} names */
function meanWords([{ report: own }, { report: beside }], [, secondName]) {
  if (!own || !beside) return "";
  const [first, second] = [numberIn(own.smoothed), numberIn(beside.smoothed)];
  const taken = own.steps_taken;
  const span = taken <= LONG ? `the first ${counted(taken, "step")}` : "about the last hundred steps";
  const numbers = `${lossText(second)} against ${lossText(first)}, means over ${span}`;
  const apart = Math.abs(second - first);
  if (apart < 5e-4 * Math.max(first, second))
    return `On the same minibatches, both runs have the same loss to three digits: ${numbers}.`;
  const which = second < first ? "lower" : "higher";
  return `On the same minibatches, the loss ${ofRun(secondName)} is ${numberText(apart, 2)} ${which}: ${numbers}.`;
}

/** @param {string} name @returns {string} "with Adam", "with the mistake", "at rate 0.01" */
function ofRun(name) {
  if (name.startsWith("with ")) return name;
  return name.startsWith("rate ") ? `at ${name}` : `with ${name}`;
}

/** @param {Run[]} runs @returns {import("../run/run.js").Run["status"]|"empty"} what the controls go by */
export function statusOf(runs) {
  const order = /** @type {const} */ (["starting", "running", "lost", "paused", "diverged", "stopped", "finished"]);
  return order.find((status) => runs.some((run) => run.status === status)) ?? "empty";
}

/** @param {Run[]} runs one or two @param {string[]} names @returns {string} where they stand, in one line */
export function standsWords(runs, names) {
  if (runs.length < 2) return runs.map(standWords).join("");
  const steps = runs[0].start?.steps;
  if (!steps || runs.some(({ status }) => status === "starting")) return "Starting: both networks are being made.";
  const going = runs.filter(({ status }) => status === "running");
  const where = `step ${takenWords(runs)} of ${steps.toLocaleString("en")}`;
  if (going.length === 2) return [where, timeLeft(secondsLeft(runs, steps))].filter(Boolean).join(" · ");
  if (going.length === 1) return `${where} · ${names[runs.indexOf(going[0])]} ${goesOn(runs)}`;
  const says = runs.map((run) => standWords(run).split(" · ").at(-1));
  if (says[0] === says[1]) return `${where} · ${both(says[0])}`;
  return `${where} · ${says.map((word, i) => `${names[i]}: ${word}`).join(", ")}`;
}

/** @param {string|undefined} word @returns {string} what is said of one run, of both: they live in one process */
const both = (word) => (word === ENDED ? "their process has ended" : `both ${word}`);

/** @param {Run[]} runs that keep step, unless one of them is over @returns {string} */
function takenWords(runs) {
  const taken = runs.map((run) => run.taken);
  const apart = taken[0] !== taken[1] && runs.some(({ over }) => over);
  return (apart ? taken : [Math.min(...taken)]).map((step) => step.toLocaleString("en")).join(" and ");
}

/** @param {Run[]} runs of which one goes on @returns {string} */
const goesOn = (runs) => (runs.some(({ over }) => over) ? "goes on" : "is catching up");

/** @param {Run[]} runs that take turns @param {number} steps */
function secondsLeft(runs, steps) {
  const each = runs.map((run) => (steps - run.taken) / (run.report?.speed ?? NaN));
  return each[0] + each[1];
}

/** @param {Run[]} runs @param {string[]} names @returns {string} what a change of their statuses is announced with */
export function spokenStands(runs, names) {
  if (runs.length < 2) return runs.map(spokenStand).join("");
  const told = runs.map(spokenStand);
  if (told.some((words) => !words)) return "";
  return told[0] === told[1] ? told[0] : told.map((words, i) => `${capital(names[i])}: ${words}`).join(" ");
}

/** @param {Reading[]} readings @param {string[]} names @returns {string} what the curves show, for a screen reader */
export function curvesWords(readings, names) {
  const ends = readings.map(({ report }, i) => `${names[i]} ${numberText(numberIn(report?.smoothed), 3)}`);
  if (readings.some(({ report }) => !report)) return "Losses along the steps of both runs: nothing to compare yet.";
  return `Losses along the steps of both runs, smoothed: ${ends.join(", ")}.`;
}
