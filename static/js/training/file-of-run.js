/** @typedef {import("../run/run.js").Run} Run */

const COLUMNS = ["run", "step", "lowest loss", "highest loss", "smoothed loss", "validation loss"];

/**
 * The curve that is drawn as a table: of a long run a row has the least and the greatest loss of a stretch of steps.
 * @param {Run[]} runs one or two @param {string[]} names @returns {string} CSV
 */
export function curveFile(runs, names) {
  const rows = runs.flatMap((run, i) => rowsOf(run, names[i] || "run"));
  return [COLUMNS, ...rows].map((row) => `${row.map(cellOf).join(",")}\n`).join("");
}

/** @param {Run} run @param {string} name @returns {(string|number)[][]} by their steps */
function rowsOf({ series, validation }, name) {
  const drawn = series.points.map(({ step, low, high, smoothed }) => [name, step, low, high, smoothed, ""]);
  const held = validation.map(({ step, loss }) => [name, step, "", "", "", loss]);
  return [...drawn, ...held].sort((a, b) => Number(a[1]) - Number(b[1]));
}

/** @param {string|number} value */
const cellOf = (value) => (/[",\n]/.test(String(value)) ? `"${String(value).replaceAll('"', '""')}"` : String(value));
