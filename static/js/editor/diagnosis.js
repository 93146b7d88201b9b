import { counted } from "../shared/plural.js";
/** @typedef {import("../walk/types.js").Problem} Problem */
/** @typedef {import("./draft.js").Draft} Draft */
/**
 * @typedef {{line: number, from: number, to: number}} Span a place in the text: line from 1, columns from 0 in UTF-16
 *   units
 */
/** @typedef {{problem: Problem, span: Span|null, row: number|null}} Diagnosis */

const MOST_NAMED = 6; // lines that are told one by one

/**
 * Where in the form a refusal belongs: under characters of the program, at a row of the tables, or nowhere.
 * @param {Problem} problem @param {Draft} draft @returns {Diagnosis}
 */
export function diagnose(problem, draft) {
  const span = problem.where?.line ? spanOf(problem.where, draft.source) : null;
  return { problem, span, row: span ? null : rowOf(problem, draft) };
}

/**
 * @param {Problem} problem @param {Draft} draft
 * @returns {Diagnosis[]} every fault that it tells, in the order of the text
 */
export function diagnoses(problem, draft) {
  return [problem, ...(problem.others ?? [])].map((one) => diagnose(one, draft));
}

/**
 * @param {Diagnosis[]} faults @param {Diagnosis|undefined} shown the one that was looked at before they came
 * @returns {number} the one to look at now: the same if it is still there, else the first
 */
export function keptAmong(faults, shown) {
  const same = faults.findIndex(
    ({ problem, span }) => problem.message === shown?.problem.message && span?.line === shown.span?.line,
  );
  return Math.max(0, same);
}

/**
 * @param {Diagnosis[]} faults @param {string} source @param {number} at a place in the whole text
 * @returns {number} the fault under it, -1 for none
 */
export function faultAt(faults, source, at) {
  return faults.findIndex(({ span }) => {
    const [from, to] = span ? selectionOf(source, span) : [1, 0];
    return from <= at && at <= to;
  });
}

/** @param {Diagnosis[]} faults @returns {string} how many there are, and in which lines */
export function faultsText(faults) {
  const lines = [...new Set(faults.map(({ span }) => span?.line))];
  const named = lines.length > MOST_NAMED ? [...lines.slice(0, MOST_NAMED - 1), "more"] : lines;
  const all = named.length > 1 ? `${named.slice(0, -1).join(", ")} and ${named.at(-1)}` : `${named[0]}`;
  return `${counted(faults.length, "fault")}, in ${lines.length > 1 ? "lines" : "line"} ${all}.`;
}

/** @param {Diagnosis} diagnosis @returns {string|null} the tensor that a row of the table would define */
export function missingIn({ problem }) {
  return problem.code === "name-unknown" ? (problem.where?.text ?? null) : null;
}

/** @param {NonNullable<Problem["where"]>} where @param {string} source @returns {Span|null} */
function spanOf({ line = 1, column = 1, end_column }, source) {
  const text = source.split("\n")[line - 1];
  if (text === undefined) return null;
  const from = units(text, column - 1);
  const to = Math.max(from, units(text, (end_column ?? column + 1) - 1));
  // an error at the end of a line, such as an open bracket, is shown under its last character
  if (from >= text.length) return { line, from: Math.max(0, text.trimEnd().length - 1), to: text.length };
  return { line, from, to: Math.max(to, from + 1) };
}

/**
 * @param {string} text @param {number} characters counted as Python does @returns {number} counted as JavaScript does
 */
function units(text, characters) {
  return [...text].slice(0, characters).join("").length;
}

/** @param {Problem} problem @param {Draft} draft @returns {number|null} the id of the row it speaks of */
function rowOf({ code, message }, draft) {
  const path = /^(?:tensors|dims|constants)\.([A-Za-z]\w*)/.exec(message)?.[1];
  const quoted = /^(?:tensor|name|constants)-/.test(code) ? /`([^`]+)`/.exec(message)?.[1] : undefined;
  const name = path ?? quoted;
  return [...draft.tensors, ...draft.constants].find((row) => row.name === name)?.id ?? null;
}

/** @param {string} source @param {Span} span @returns {[number, number]} the span as a selection of the whole text */
export function selectionOf(source, span) {
  const start = source
    .split("\n")
    .slice(0, span.line - 1)
    .reduce((sum, line) => sum + line.length + 1, 0);
  return [start + span.from, start + span.to];
}

/**
 * Which lines are unchanged between two versions of a text.
 * @param {string[]} before @param {string[]} now
 * @returns {(line: number) => number|null} from a line of before to its place now, both from 1
 */
export function moved(before, now) {
  let head = 0;
  while (head < Math.min(before.length, now.length) && before[head] === now[head]) head += 1;
  let tail = 0;
  while (
    tail < Math.min(before.length, now.length) - head &&
    before[before.length - 1 - tail] === now[now.length - 1 - tail]
  )
    tail += 1;
  return (line) => {
    if (line <= head) return line;
    return line > before.length - tail ? line + now.length - before.length : null;
  };
}
