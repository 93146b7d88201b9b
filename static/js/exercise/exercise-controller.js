import { checked, hinted, isBlank, shown, stands, typed } from "../practice/attempts.js";
import { makeCheckLoader } from "../practice/check-loader.js";
import { replyWords } from "../practice/spoken-reply.js";
import { spoken } from "../shared/prose.js";
import { attemptAt, keyOf, nextTask, withAttempt } from "../progress/progress.js";
import { bannedIn } from "./tasks.js";
import { lastStepOf, printedLines } from "./uses.js";
/** @typedef {import("../practice/attempts.js").Reply} Reply */
/** @typedef {import("./tasks.js").Task} Task */
/** @typedef {import("../progress/progress.js").Progress} Progress */
/** @typedef {import("../walk/types.js").Problem} Problem */
/**
 * Everything that is shown: what was written, which gradient is open, and what the server said of each since the page
 * was opened.
 * @typedef {{progress: Progress, current: Task|null, replies: Map<string, Reply>, busy: Task|null,
 *   problem: {task: Task, problem: Problem}|null}} State
 */

/** @type {Omit<Reply, "diagnosis">} */
const REFUSED = { correct: false, verdict: null, hints: [], zero: null, gradient: null };

/**
 * One exercise: what is typed, checked, hinted and shown changes its state, and the page is drawn anew.
 * @param {import("./program-loader.js").Program} program @param {Progress} begun
 * @param {{changed: (state: State) => void, say: (words: string) => void, focus: (task: Task) => void}} hears
 */
export function makeExercise({ walk, tasks }, begun, hears) {
  const loader = makeCheckLoader();
  /** @type {State} */
  let state = { progress: begun, current: null, replies: new Map(), busy: null, problem: null };

  /** @param {Partial<State>} change */
  function set(change) {
    state = { ...state, ...change };
    hears.changed(state);
  }

  /** @param {Task} task @param {import("../practice/attempts.js").Attempt} attempt @param {Partial<State>} [change] */
  function keep(task, attempt, change = {}) {
    set({ progress: withAttempt(state.progress, task, attempt), ...change });
  }

  /** @param {Task} task @param {Reply|null} reply */
  function replies(task, reply) {
    const all = new Map(state.replies);
    if (reply) all.set(keyOf(task), reply);
    else all.delete(keyOf(task));
    return all;
  }

  /**
   * @param {Task} task @param {string} answer @param {number} hints @param {(reply: Reply) => void} arrived
   */
  function ask(task, answer, hints, arrived) {
    const { cascade } = state.progress;
    const asked = { target: task.target, answer, hints, closed: task.closed };
    set({ busy: task, problem: null });
    loader.check(
      walk.request,
      { ...asked, ...(cascade ? { cascade: linesBefore(task) } : {}) },
      {
        arrived(reply) {
          set({ busy: null });
          arrived(reply);
        },
        failed(problem) {
          set({ busy: null, problem: { task, problem } });
          hears.say(spoken(`${problem.message} ${problem.hint ?? ""}`));
        },
      },
    );
  }

  /** @param {Task} task @returns {Record<string, string>} the reader's own lines for the gradients before */
  function linesBefore(task) {
    const before = tasks.slice(0, tasks.indexOf(task)).filter(({ closed }) => !closed);
    const written = before.filter((one) => !isBlank(attemptAt(state.progress, one), one.name));
    return Object.fromEntries(written.map((one) => [one.target, attemptAt(state.progress, one).text]));
  }

  /** @param {Task} task */
  function check(task) {
    const attempt = attemptAt(state.progress, task);
    if (isBlank(attempt, task.name)) return hears.say(`Write ${task.name} first.`);
    const diagnosis = bannedIn(task, attempt.text);
    if (diagnosis) return answered(task, attempt.text, { ...REFUSED, diagnosis });
    ask(task, attempt.text, attempt.hints.length, (reply) => answered(task, attempt.text, reply));
  }

  /** @param {Task} task @param {string} text @param {Reply} reply */
  function answered(task, text, reply) {
    const attempt = attemptAt(state.progress, task);
    // who has gone on typing meanwhile is told nothing about another text
    keep(task, checked(attempt, text, reply), attempt.text === text ? { replies: replies(task, reply) } : {});
    const next = reply.correct ? nextTask(state.progress, tasks, task) : null;
    const words = replyWords(task.name, reply);
    if (!next) return hears.say(words);
    hears.say(`${words} Next: ${next.name}.`);
    hears.focus(next);
  }

  /** @param {Task} task the next grade of its hints */
  function hint(task) {
    const attempt = attemptAt(state.progress, task);
    const wanted = attempt.hints.length + 1;
    ask(task, attempt.text.trim() || `${task.name} = 0`, wanted, ({ hints }) => {
      keep(task, hinted(attemptAt(state.progress, task), hints.slice(0, wanted)));
      hears.say(spoken(hints[wanted - 1] ?? "There is no further hint."));
    });
  }

  /** @param {Task} task its line, from the walk; that of a closed form is the last of its hints */
  function show(task) {
    const { hints } = attemptAt(state.progress, task);
    const line = task.closed ? (hints.at(-1) ?? "") : printedLines(walk, task.target);
    keep(task, shown(attemptAt(state.progress, task), line), { replies: replies(task, null) });
    hears.say(`Shown: ${line}`);
    hears.focus(task);
  }

  return {
    get state() {
      return state;
    },
    check,
    hint,
    show,
    /** @param {Task} task @param {string} text */
    type(task, text) {
      const attempt = attemptAt(state.progress, task);
      if (attempt.text === text) return;
      keep(task, typed(attempt, text), stands(typed(attempt, text)) ? {} : { replies: replies(task, null) });
    },
    cancel() {
      loader.cancel();
      set({ busy: null });
      hears.say("Cancelled.");
    },
    redraw: () => set({}),
    /** @param {Task|null} task */
    open: (task) => task !== state.current && set({ current: task }),
    /** @param {boolean} cascade */
    cascade: (cascade) => set({ progress: { ...state.progress, cascade } }),
    /** @param {Progress} progress of a file, an empty one, or the one from before */
    replace: (progress) => set({ progress, replies: new Map(), problem: null }),
    /** @param {Task} task @returns {number|null} */
    stepOf: (task) => lastStepOf(walk, task.target),
    unmount: loader.cancel,
  };
}
