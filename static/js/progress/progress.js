import { boxesIn } from "../practice/boxes.js";
import { GRADES, MOST_WRONG, UNTRIED, outcomeText } from "../practice/attempts.js";
import { counted } from "../shared/plural.js";
import { countKinds } from "../practice/mistake-kinds.js";
/** @typedef {import("../practice/attempts.js").Attempt} Attempt */
/** @typedef {import("../exercise/tasks.js").Task} Task */
/** @typedef {import("../practice/boxes.js").Boxes} Boxes */
/**
 * What somebody wrote in one program's exercise; `id` is the program's, `cascade`: a line may use the gradients as the
 * lines before it computed them, wrong or not.
 * @typedef {{id: string, title: string, cascade: boolean, attempts: Record<string, Attempt>}} Progress
 */

const FORMAT = "gradwalk-practise";

/** @param {string} id @param {string} title @returns {Progress} */
export function begun(id, title) {
  return { id, title, cascade: false, attempts: {} };
}

/** @param {Task} task @returns {string} by which its attempt is kept: a closed form is a task of its own */
export function keyOf({ name, closed }) {
  return closed ? `${name} in closed form` : name;
}

/** @param {Progress} progress @param {Task} task @returns {Attempt} */
export function attemptAt(progress, task) {
  return progress.attempts[keyOf(task)] ?? UNTRIED;
}

/** @param {Progress} progress @param {Task} task @param {Attempt} attempt @returns {Progress} */
export function withAttempt(progress, task, attempt) {
  return { ...progress, attempts: { ...progress.attempts, [keyOf(task)]: attempt } };
}

/**
 * @param {Progress} progress @param {Boxes} [drills] the drills' places, which belong to no one program
 * @returns {string} a file that another browser can read
 */
export function fileOf(progress, drills) {
  return `${JSON.stringify({ format: FORMAT, version: 1, ...progress, drills }, null, 2)}\n`;
}

/** @param {string} text a file @returns {Boxes|null} the drills' places in it; null where it holds none */
export function drillsIn(text) {
  try {
    const { format, drills } = JSON.parse(text);
    const found = format === FORMAT && drills ? boxesIn(drills) : null;
    return found && Object.keys(found.places).length ? found : null;
  } catch {
    return null;
  }
}

/** @param {string} text a file, or what the browser kept @returns {Progress|null} null where it is none */
export function progressIn(text) {
  try {
    const { format, id, title, cascade, attempts } = JSON.parse(text);
    if (format !== FORMAT || typeof id !== "string" || typeof attempts !== "object" || !attempts) return null;
    const entries = Object.entries(attempts).map(([key, one]) => [key, attemptIn(one)]);
    return { id, title: String(title ?? ""), cascade: cascade === true, attempts: Object.fromEntries(entries) };
  } catch {
    return null;
  }
}

/** @param {any} data @returns {Attempt} what of it is of the right kind */
function attemptIn(data) {
  const text = (/** @type {unknown} */ one) => (typeof one === "string" ? one : "");
  const texts = (/** @type {unknown} */ all) => (Array.isArray(all) ? all.map(text).filter(Boolean) : []);
  return {
    text: text(data?.text),
    accepted: text(data?.accepted),
    tries: Number.isSafeInteger(data?.tries) && data.tries > 0 ? data.tries : 0,
    hints: texts(data?.hints).slice(0, GRADES),
    outcome: data?.outcome === "right" || data?.outcome === "shown" ? data.outcome : "",
    mistakes: texts(data?.mistakes),
    wrong: texts(data?.wrong).slice(-MOST_WRONG),
  };
}

/**
 * @typedef {{name: string, outcome: string, tries: number, hints: number, mistakes: {kind: string, count: number}[]}}
 *   Line of a summary, one gradient
 * @typedef {{all: number, closed: number, first: number, tried: number, hinted: number, shown: number, left: number,
 *   kinds: {kind: string, count: number}[], lines: Line[]}} Summary `tried`: right after several tries, without hints
 */

/** @param {Progress} progress @param {Task[]} tasks @returns {Summary} what a teacher wants to know of it */
export function summaryOf(progress, tasks) {
  const attempts = tasks.map((task) => attemptAt(progress, task));
  const right = attempts.filter(({ outcome }) => outcome === "right");
  const unaided = right.filter(({ hints }) => !hints.length);
  return {
    all: tasks.length,
    closed: tasks.filter(({ closed }) => closed).length,
    first: unaided.filter(({ tries }) => tries === 1).length,
    tried: unaided.filter(({ tries }) => tries !== 1).length,
    hinted: right.length - unaided.length,
    shown: attempts.filter(({ outcome }) => outcome === "shown").length,
    left: attempts.filter(({ outcome }) => !outcome).length,
    kinds: countKinds(attempts.flatMap(({ mistakes }) => mistakes)),
    lines: tasks.map((task, i) => ({
      name: keyOf(task),
      outcome: outcomeText(attempts[i]),
      tries: attempts[i].tries,
      hints: attempts[i].hints.length,
      mistakes: countKinds(attempts[i].mistakes),
    })),
  };
}

/** @param {Progress} progress @param {Task[]} tasks @returns {string} "7 of 26 gradients written" */
export function countText(progress, tasks) {
  const steps = tasks.filter(({ closed }) => !closed);
  const done = steps.filter((task) => attemptAt(progress, task).outcome).length;
  return `${done} of ${counted(steps.length, "gradient")} written`;
}

/**
 * @param {Progress} progress @param {Task[]} tasks @param {Task|null} after
 * @returns {Task|null} the next one that is not written yet, from the first again after the last
 */
export function nextTask(progress, tasks, after) {
  const at = after ? tasks.indexOf(after) + 1 : 0;
  return [...tasks.slice(at), ...tasks.slice(0, at)].find((task) => !attemptAt(progress, task).outcome) ?? null;
}
