import { numberIn } from "../shared/json-number.js";
import { numberText, percentText, steadyText } from "../shared/format.js";
import { counted } from "../shared/plural.js";
import { LEVELS } from "../walk/verdict-levels.js";
/** @typedef {import("../run/run.js").Run} Run */

const MINUTE = 60;
const HOUR = 3600;
export const ENDED = "its process has ended";

/** @param {number} seconds @returns {string} "under a second left", "42 s left", "3 min left" */
export function timeLeft(seconds) {
  if (!Number.isFinite(seconds)) return "";
  if (seconds < 1) return "under a second left";
  if (seconds < 1.5 * MINUTE) return `${Math.round(seconds)} s left`;
  if (seconds < 1.5 * HOUR) return `${Math.round(seconds / MINUTE)} min left`;
  return `${Math.round(seconds / HOUR)} h left`;
}

/** @param {number} speed steps in a second @returns {string} */
export function speedWords(speed) {
  const rounded = speed >= 100 ? Math.round(speed / 10) * 10 : Math.max(1, Math.round(speed));
  return `${counted(rounded, "step")} a second`;
}

/** @param {import("../run/types.js").Told|undefined} told @returns {string} four digits, however many are zeros */
export function lossText(told) {
  return told === undefined ? "–" : steadyText(numberIn(told));
}

/** @param {Run} run @returns {string} where it stands, in one line */
export function standWords(run) {
  const { status, taken, start, report } = run;
  if (status === "starting" || !start) return "Starting: the network is being made.";
  const place = `step ${taken.toLocaleString("en")} of ${start.steps.toLocaleString("en")}`;
  if (status === "running" && report) {
    const left = (run.start?.steps ?? 0) - taken;
    return [place, speedWords(report.speed), timeLeft(left / report.speed)].filter(Boolean).join(" · ");
  }
  const says = /** @type {Record<string, string>} */ ({
    running: "running",
    paused: taken ? "paused" : "ready for its first step",
    finished: "finished",
    stopped: "stopped",
    diverged: "the loss is no longer a number",
    lost: ENDED,
  });
  return `${place} · ${says[status]}`;
}

/** @param {Run} run @returns {string} what a change of status is announced with; numbers only where it came to rest */
export function spokenStand(run) {
  const { status, taken, report, splits } = run;
  const steps = counted(taken, "step");
  const loss = report ? ` Loss ${numberText(numberIn(report.smoothed), 3)}.` : "";
  if (status === "running") return "Training.";
  if (status === "paused") return taken ? `Paused after ${steps}.${loss}` : "Ready for the first step.";
  if (status === "diverged")
    return `Stopped at step ${run.diverged?.step ?? taken}: the loss is ${run.diverged?.loss ?? "not a number"}.`;
  if (status === "lost") return `The run's process has ended after ${steps}.`;
  const validation = splits?.losses.validation;
  const held = validation === null || validation === undefined ? loss : ` ${splitWords(splits?.losses ?? {})}`;
  return status === "starting" ? "" : `${status === "finished" ? "Finished" : "Stopped"} after ${steps}.${held}`;
}

/** @param {Record<string, import("../run/types.js").Told|null>} losses @returns {string} */
function splitWords({ train, validation }) {
  const text = (/** @type {any} */ told) => numberText(numberIn(told), 3);
  return `Training loss ${text(train)}, validation loss ${text(validation)}.`;
}

/** The rule of thumb: an update about a thousandth as large as the weights, give or take a factor of ten. */
const THUMB = 1e-3;
const TOLERANCE = 10;
/** Where one step moves the weights by a tenth of their spread. */
const ALARMING = 0.1;

/** @param {number} ratio of update to weights @returns {"none"|"small"|"good"|"large"|"alarming"} */
export function ratioLevel(ratio) {
  if (!Number.isFinite(ratio) || ratio === 0) return "none";
  if (ratio > ALARMING) return "alarming";
  if (ratio > THUMB * TOLERANCE) return "large";
  return ratio < THUMB / TOLERANCE ? "small" : "good";
}

/** @param {import("../run/types.js").Activation} activation @returns {string} "12 % saturated · 3 of 200 units …" */
export function flatWords({ share, word, size, whole }) {
  const cells = share === 0 ? `none ${word}` : `${percentText(share)} ${word}`;
  const dead = whole === 0 ? "" : `${whole} of ${counted(size, "unit")} on every example`;
  return [cells, dead].filter(Boolean).join(" · ");
}

/** @param {import("../run/types.js").Nudged} nudged @returns {string} how many central differences agree with it */
export function nudgedWords({ cells }) {
  const agreeing = cells.filter(({ agrees }) => agrees).length;
  return agreeing === cells.length ? `✓ ${agreeing} agree` : `✕ ${cells.length - agreeing} of ${cells.length} differ`;
}

/** @typedef {import("../run/types.js").Compared} Compared */
/** @typedef {{level: string, word: string, text: string}} Note */

const LINES = "beside the printed lines, run one by one";

/**
 * @param {Compared[]} compared
 * @returns {Note[]} what each verdict there is means and which gradients have it, the gravest first, in words that need
 *   no pointer
 */
export function verdictNotes(compared) {
  const levels = Object.keys(LEVELS).filter((level) => level !== "exact");
  return levels.reverse().flatMap((level) => {
    const own = compared.filter((one) => one.level === level);
    const lines = compared.filter(({ printed }) => printed.level === level);
    const same = own.length > 0 && own.length === lines.length && own.every((one) => lines.includes(one));
    const named = (/** @type {Compared[]} */ those) =>
      those.length === compared.length ? "" : ` (${those.map(({ name }) => `\`d${name}\``).join(", ")})`;
    const most = Math.max(...own.map(({ maxdiff }) => (maxdiff === null ? 0 : numberIn(maxdiff))));
    const off = most > 0 ? `, by at most ${numberText(most, 2)}` : "";
    const [, word, sentence] = LEVELS[level];
    const also = level === "lines-not-finite" ? "" : ` ${LINES}`; // whose sentence says so
    return [
      ...(own.length ? [{ level, word, text: `${sentence}${off}${same ? `; ${LINES}, too` : ""}${named(own)}` }] : []),
      ...(lines.length && !same ? [{ level, word: `${word}${also}`, text: `${sentence}${named(lines)}` }] : []),
    ];
  });
}

/** @param {Run} run @returns {string} what the curve shows, for who can't see it */
export function curveWords(run) {
  const { report, validation, series } = run;
  if (!report || !series.points.length) return "Loss along the steps: no step is taken yet.";
  const first = numberText(series.points[0].low, 3);
  const held = validation.length ? `, validation loss ${numberText(validation[validation.length - 1].loss, 3)}` : "";
  const now = numberText(numberIn(report.smoothed), 3);
  return `Loss along the steps: from ${first} to ${now} after ${counted(run.taken, "step")}${held}.`;
}
