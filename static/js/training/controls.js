/** @typedef {import("../run/run.js").Run} Run */
/** @typedef {import("./readings.js").Reading} Reading */
/**
 * What the page shows: its runs, what each is called, the one whose instruments are shown, and where they stand.
 * @typedef {{runs: Run[], names: string[], shown: Reading|null, status: Run["status"]|"empty"}} Shown
 */

const GO = /** @type {Record<string, [string, string]>} */ ({
  empty: ["play", "Start"],
  starting: ["play", "Starting"],
  running: ["pause", "Pause"],
  paused: ["play", "Resume"],
  lost: ["again", "Start again from its last state"],
});

/** @param {Shown} shown @returns {{sign: string, label: string, disabled: boolean}} the first button; "" where none */
export function goButton({ status, runs }) {
  const fresh = status === "paused" && runs.every(({ taken }) => taken === 0);
  const [sign, label] = fresh ? GO.empty : (GO[status] ?? ["", ""]);
  const lost = status === "lost" && !runs.some((run) => isLost(run) && run.resumable);
  return { sign, label, disabled: status === "starting" || lost };
}

/** @param {Shown} shown @returns {Record<string, boolean>} whether each part of the page is there, by its id */
export function partsShown({ status, runs, shown }) {
  const begun = runs.some(({ taken }) => taken > 0);
  const alive = runs.some((run) => run.alive);
  const steps = (alive || status === "empty") && status !== "starting";
  const nothing = runs.length > 0 && runs.every((run) => run.status === "diverged" && !run.series.points.length);
  return {
    one: steps,
    ten: steps,
    "run-to-form": steps,
    stop: begun && alive,
    restart: begun && runs.some((run) => run.alive || run.over),
    "new-run": runs.length > 0 && status !== "starting",
    "walk-step": Boolean(shown?.report ?? shown?.run.diverged),
    instruments: Boolean(shown?.report),
    "curve-part": !nothing,
    bar: runs.some(({ start }) => start),
  };
}

/** @param {Run} run @returns {boolean} whether its process is gone */
export function isLost({ status }) {
  return status === "lost";
}
