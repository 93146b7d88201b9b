/** @typedef {import("../run/run.js").Run} Run */

/**
 * @param {Run[]} runs one or two @param {string[]} names
 * @returns {[string, string][]} what stopped them, and what can be done
 */
export function alertsOf(runs, names) {
  // both live in one process
  if (runs.length > 1 && runs.every(({ status }) => status === "lost")) return alertsOf(runs.slice(0, 1), [""]);
  return runs.flatMap((run, i) => {
    const told = alertOf(run);
    if (!told) return [];
    return [names[i] ? [`${names[i].charAt(0).toUpperCase()}${names[i].slice(1)}: ${told[0]}`, told[1]] : told];
  });
}

/** @param {Run} run @returns {[string, string]|null} */
function alertOf(run) {
  if (run.status === "diverged" && run.diverged) {
    const { step, loss } = run.diverged;
    return [
      `The loss is ${loss} at step ${step.toLocaleString("en")}.`,
      "Nothing was updated: walk this step to see where it comes from, or restart with a smaller rate or clipping.",
    ];
  }
  if (run.status === "lost")
    return [
      "The process that trains this ended unexpectedly.",
      run.resumable
        ? "Its last state is kept, and it can go on from there."
        : "Nothing of it was kept: begin a new run.",
    ];
  return null;
}
