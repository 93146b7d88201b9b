/** @typedef {import("./diagnosis.js").Diagnosis} Diagnosis */

/**
 * @param {string} source @param {Diagnosis[]} faults @returns {string} the text with their fixes; of two that meet, the
 *   first
 */
export function withFixes(source, faults) {
  const starts = lineStarts(source);
  const spans = faults
    .flatMap(({ problem }) => problem.fix?.edits ?? [])
    .map((edit) => ({
      from: place(source, starts, edit.line, edit.column),
      to: place(source, starts, edit.end_line, edit.end_column),
      text: edit.text,
    }))
    .sort((a, b) => a.from - b.from);
  let [made, end] = ["", 0];
  for (const { from, to, text } of spans) {
    if (from < end) continue;
    made += source.slice(end, from) + text;
    end = to;
  }
  return made + source.slice(end);
}

/** @param {string} source @returns {number[]} where each line begins, and where the text ends */
function lineStarts(source) {
  const starts = [0];
  for (const line of source.split("\n")) starts.push(starts[starts.length - 1] + line.length + 1);
  return starts;
}

/**
 * @param {string} source @param {number[]} starts @param {number} line @param {number} column counted as Python does
 */
function place(source, starts, line, column) {
  const from = Math.min(starts[line - 1] ?? source.length, source.length);
  const text = source.slice(from, (starts[line] ?? source.length + 1) - 1);
  return from + [...text].slice(0, column - 1).join("").length;
}
