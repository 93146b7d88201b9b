import { byId, el, icon } from "../shared/dom/elements.js";
import { standWords } from "./words.js";
/** @typedef {import("./run.js").Run} Run */

const GO = /** @type {Record<string, [string, string]>} */ ({
  empty: ["play", "Start"],
  starting: ["play", "Starting"],
  running: ["pause", "Pause"],
  paused: ["play", "Resume"],
  lost: ["again", "Resume from its last state"],
});

/** The buttons of a run, where it stands, and what went wrong with it. */
export function mountControls() {
  const go = /** @type {HTMLButtonElement} */ (byId("go"));
  const words = el("span", {});
  let sign = "";
  let alerted = "";

  /** @param {string} status @param {Run|null} run */
  function drawGo(status, run) {
    const [name, label] = status === "paused" && run?.taken === 0 ? ["play", "Start"] : (GO[status] ?? ["", ""]);
    go.hidden = !label;
    go.disabled = status === "starting" || (status === "lost" && !run?.resumable);
    words.textContent = label;
    if (sign === name || !name) return;
    sign = name;
    go.replaceChildren(icon(name), words);
  }

  /** @param {Run|null} run */
  function drawAlert(run) {
    const [title, more] = alertOf(run);
    if (alerted === title + more) return;
    alerted = title + more;
    byId("alert").hidden = !title;
    byId("alert").replaceChildren(el("b", {}, title), " ", more);
  }

  return {
    /** @param {string} status @param {Run|null} run */
    update(status, run) {
      byId("train").dataset.status = status;
      drawGo(status, run);
      const alive = status === "empty" || status === "running" || status === "paused";
      for (const id of ["one", "ten", "run-to-form"]) byId(id).hidden = !alive;
      byId("stop").hidden = !run?.alive || run.taken === 0;
      byId("restart").hidden = !run || run.taken === 0 || !(run.alive || run.over);
      byId("new-run").hidden = !run || status === "starting";
      byId("walk-step").hidden = !run?.report && !run?.diverged;
      byId("walk-step").toggleAttribute("disabled", status === "lost");
      byId("compare").toggleAttribute("disabled", status === "lost");
      byId("sample").toggleAttribute("disabled", status === "lost");
      byId("instruments").hidden = !run?.report;
      byId("curve-part").hidden = run?.status === "diverged" && !run.series.points.length;
      drawAlert(run);
      byId("stand").textContent = run ? standWords(run) : "";
      const bar = /** @type {HTMLProgressElement} */ (byId("bar"));
      bar.hidden = !run?.start;
      [bar.max, bar.value] = [run?.start?.steps ?? 1, run?.taken ?? 0];
    },
  };
}

/** @param {Run|null} run @returns {[string, string]} what stopped it, and what can be done */
function alertOf(run) {
  if (run?.status === "diverged" && run.diverged) {
    const { step, loss } = run.diverged;
    return [
      `The loss is ${loss} at step ${step.toLocaleString("en")}.`,
      "Nothing was updated: walk this step to see where it comes from, or restart with a smaller rate or clipping.",
    ];
  }
  if (run?.status === "lost")
    return [
      "The process of this run ended unexpectedly.",
      run.resumable ? "Resume: it goes on from its last state." : "Nothing of it was kept: begin a new run.",
    ];
  if (run?.report?.silenced && run.alive)
    return [
      "This minibatch is silenced.",
      `Its loss is above the limit, so that its gradient is 0 and nothing is learned from it${
        run.silenced > 1 ? `: so it was with ${run.silenced} of the steps shown` : ""
      }.`,
    ];
  return ["", ""];
}
