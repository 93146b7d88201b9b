/** @typedef {import("../run/run.js").Run} Run */
/**
 * What is read of a run; of two, all that is held against each other is of one step.
 * @typedef {Pick<Run, "report"|"held"|"names"|"splits"> & {run: Run}} Reading
 */

const READ = /** @type {const} */ (["report", "held", "names", "splits"]);
export const NOTHING = { report: null, held: null, names: null, splits: null };

/** What is read of one run, or of two at the last step of which both have told. */
export class Readings {
  /** @type {Reading[]} */
  all = [];

  /** @param {Run[]} runs after something was told of them */
  take(runs) {
    const before = this.all.length === runs.length ? this.all : [];
    this.all = runs.map((run, i) => ({ ...(before[i] ?? NOTHING), run }));
    for (const part of READ) {
      const steps = runs.map((run) => run[part]?.step);
      if (steps.every((step) => step === steps[0]))
        for (const [i, run] of runs.entries()) Object.assign(this.all[i], { [part]: run[part] });
    }
  }
}
