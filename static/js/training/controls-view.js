import { byId, el, icon } from "../shared/dom/elements.js";
import { alertsOf } from "./alerts.js";
import { standsWords } from "./pair-words.js";
/** @typedef {import("./run.js").Run} Run */
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

/** The buttons of the runs, where they stand, and what went wrong with them. */
export function mountControls() {
  const go = /** @type {HTMLButtonElement} */ (byId("go"));
  const words = el("span", {});
  let sign = "";
  let alerted = "";

  /** @param {Shown} shown */
  function drawGo({ status, runs }) {
    const fresh = status === "paused" && runs.every(({ taken }) => taken === 0);
    const [name, label] = fresh ? GO.empty : (GO[status] ?? ["", ""]);
    go.hidden = !label;
    go.disabled = status === "starting" || (status === "lost" && !runs.some((run) => lostOf(run) && run.resumable));
    words.textContent = label;
    if (sign === name || !name) return;
    sign = name;
    go.replaceChildren(icon(name), words);
  }

  /** @param {Shown} shown */
  function drawAlert({ runs, names }) {
    const alerts = alertsOf(runs, names);
    const told = JSON.stringify(alerts);
    if (alerted === told) return;
    alerted = told;
    byId("alert").hidden = alerts.length === 0;
    byId("alert").replaceChildren(...alerts.map(([title, more]) => el("p", {}, el("b", {}, title), ` ${more}`)));
  }

  return {
    /** @param {Shown} now */
    update(now) {
      const { status, runs, names, shown } = now;
      const begun = runs.some(({ taken }) => taken > 0);
      byId("train").dataset.status = status;
      drawGo(now);
      const alive = status === "empty" || runs.some((run) => run.alive);
      for (const id of ["one", "ten", "run-to-form"]) byId(id).hidden = !alive || status === "starting";
      byId("stop").hidden = !begun || !runs.some((run) => run.alive);
      byId("restart").hidden = !begun || !runs.some((run) => run.alive || run.over);
      byId("new-run").hidden = !runs.length || status === "starting";
      byId("walk-step").hidden = !shown?.report && !shown?.run.diverged;
      for (const id of ["walk-step", "compare", "sample"])
        byId(id).toggleAttribute("disabled", shown !== null && lostOf(shown.run));
      byId("instruments").hidden = !shown?.report;
      byId("curve-part").hidden =
        runs.length > 0 && runs.every((run) => run.status === "diverged" && !run.series.points.length);
      drawAlert(now);
      byId("stand").textContent = standsWords(runs, names);
      const bar = /** @type {HTMLProgressElement} */ (byId("bar"));
      bar.hidden = !runs.some(({ start }) => start);
      bar.max = runs[0]?.start?.steps ?? 1;
      bar.value = Math.min(...runs.map(({ taken }) => taken), bar.max);
    },
    unmount() {}, // all that it draws is in the template
  };
}

/** @param {Run} run */
const lostOf = ({ status }) => status === "lost";
