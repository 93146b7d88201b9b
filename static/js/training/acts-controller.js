import { byId, cleanups } from "../shared/dom/elements.js";
import { runAddress } from "./address.js";
import { requestFor } from "./beginning-loader.js";
import { HINT } from "./runs-controller.js";
import { mountSave } from "./save-controller.js";
import { patiently, tellRun } from "../run/training-api.js";
import { loadWalkLink } from "./walk-link-loader.js";
/**
 * What is done with a run: gone on with, stopped, looked at in one of its steps.
 * @typedef {{asked: import("./asked.js").Asked, followed: import("./runs-controller.js").Followed,
 *   runs: import("./runs-controller.js").Runs, notice: import("../shell/notice-controller.js").Notice,
 *   display: ReturnType<typeof import("./display-controller.js").mountDisplay>}} Training
 */

/** @param {Training} training */
export function runActs({ asked, followed, runs, notice }) {
  const begins = () => asked.status === "empty";

  /** @param {number} count of steps */
  function step(count) {
    if (begins()) return runs.begin(true, ["step", { count }]);
    return followed.tell("step", { count });
  }
  return {
    go: () => {
      const { status } = asked;
      if (status === "empty") return runs.begin(false);
      if (status === "running") return followed.tell("pause");
      if (status === "paused" || status === "lost") return followed.tell("resume");
      return undefined;
    },
    one: () => step(1),
    ten: () => step(10),
    stop: () => followed.tell("stop"),
    restart: () => followed.tell("restart"),
    /** @param {SubmitEvent} event */
    runTo: (event) => {
      event.preventDefault();
      const taken = Math.min(...followed.runs().map((run) => run.taken), Infinity);
      const before = Number.isFinite(taken) ? taken : 0;
      const right = (/** @type {number} */ step) => Number.isInteger(step) && step > before;
      const words = `Write a step after step ${before.toLocaleString("en")}.`;
      const step = numberFrom("run-to-step", right, words, notice);
      if (step === undefined) return undefined;
      return begins() ? runs.begin(true, ["run-to", { step }]) : followed.tell("run-to", { step });
    },
  };
}

/** @param {Training} training */
export function mountStepActs({ asked, followed, notice, display }) {
  const undo = cleanups();
  const { subject } = asked;
  const failed = (/** @type {unknown} */ error) => notice.fail(error, HINT);

  /** @returns {number|null|undefined} the step that is written there; null for the latest, undefined for none */
  function step() {
    const taken = display.shown()?.run.taken ?? 0;
    const words = `Steps 0 to ${(taken - 1).toLocaleString("en")} are taken: write one of them.`;
    const right = (/** @type {number} */ step) => Number.isInteger(step) && step >= 0 && step < taken;
    if (fieldOf("look-at").value.trim()) return numberFrom("look-at", right, words, notice);
    fieldOf("look-at").removeAttribute("aria-invalid");
    return null;
  }

  /** @param {import("../shared/api.js").ApiError} error @returns {boolean} whether its run is still looked at */
  function waits({ problem }) {
    notice.show(problem.message, null, 2);
    return followed.id() !== "";
  }

  async function walkStep() {
    const [now, wanted] = [display.shown(), step()];
    if ((!now?.report && !now?.run.diverged) || wanted === undefined) return;
    if (asked.status === "running") await followed.tell("pause");
    try {
      const of = { run: followed.id(), place: display.place(), step: wanted };
      location.assign(await loadWalkLink(of, subject, runAddress(subject), waits));
    } catch (error) {
      failed(error);
    }
  }

  async function compare() {
    const wanted = step();
    if (!followed.id() || wanted === undefined) return;
    const body = { run: display.place(), ...(wanted === null ? {} : { step: wanted }) };
    try {
      await patiently(() => tellRun(followed.id(), "compare", body), waits);
    } catch (error) {
      failed(error);
    }
  }

  undo.part(
    mountSave(byId("save"), {
      ...{ runs: followed.runs, names: () => asked.names, id: followed.id, place: display.place, step, waits, failed },
      settings: () => requestFor(subject, asked.fields, asked.drawn, false),
      title: () => (subject.hash ? "your-code" : subject.lesson),
    }),
  );
  return {
    walkStep,
    compare,
    sample: () => followed.tell("sample", { run: display.place(), count: 10 }),
    unmount: undo.run,
  };
}

/** @param {string} id */
function fieldOf(id) {
  return /** @type {HTMLInputElement} */ (byId(id));
}

/**
 * @param {string} id of a field @param {(number: number) => boolean} right @param {string} words said where it is not
 * @param {Training["notice"]} notice @returns {number|undefined} the number that is written in it
 */
function numberFrom(id, right, words, notice) {
  const field = fieldOf(id);
  const number = Number(field.value.replace(/[\s,]/g, ""));
  field.toggleAttribute("aria-invalid", !right(number));
  if (right(number)) return number;
  field.focus();
  notice.show(words, null, 4);
  return undefined;
}
