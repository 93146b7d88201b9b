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
/** @typedef {import("./program-loader.js").Program} Program */
/** @typedef {{changed: (state: State) => void, say: (words: string) => void, focus: (task: Task) => void}} Hears */

/** @type {Omit<Reply, "diagnosis">} */
const REFUSED = { correct: false, verdict: null, hints: [], zero: null, gradient: null };

/**
 * One exercise: what is typed, checked, hinted and shown changes its state, and the page is drawn anew.
 * @param {Program} program @param {Progress} begun @param {Hears} hears
 */
export function makeExercise(program, begun, hears) {
  return new Exercise(program, begun, hears);
}

class Exercise {
  /** @param {Program} program @param {Progress} begun @param {Hears} hears */
  constructor({ walk, tasks }, begun, hears) {
    this.walk = walk;
    this.tasks = tasks;
    this.hears = hears;
    this.loader = makeCheckLoader();
    /** @type {State} */
    this.state = { progress: begun, current: null, replies: new Map(), busy: null, problem: null };
    this.unmount = this.loader.cancel;
  }

  /** @param {Partial<State>} change */
  set(change) {
    this.state = { ...this.state, ...change };
    this.hears.changed(this.state);
  }

  /** @param {Task} task */
  attempt(task) {
    return attemptAt(this.state.progress, task);
  }

  /** @param {Task} task @param {import("../practice/attempts.js").Attempt} attempt @param {Partial<State>} [change] */
  keep(task, attempt, change = {}) {
    this.set({ progress: withAttempt(this.state.progress, task, attempt), ...change });
  }

  /** @param {Task} task @param {Reply|null} reply */
  replies(task, reply) {
    const all = new Map(this.state.replies);
    if (reply) all.set(keyOf(task), reply);
    else all.delete(keyOf(task));
    return all;
  }

  /** @param {Task} task @param {string} answer @param {number} hints @param {(reply: Reply) => void} arrived */
  ask(task, answer, hints, arrived) {
    const own = this.state.progress.cascade ? { cascade: this.linesBefore(task) } : {};
    this.set({ busy: task, problem: null });
    this.loader.check(
      this.walk.request,
      { target: task.target, answer, hints, closed: task.closed, ...own },
      {
        arrived: (reply) => {
          this.set({ busy: null });
          arrived(reply);
        },
        failed: (problem) => {
          this.set({ busy: null, problem: { task, problem } });
          this.hears.say(spoken(`${problem.message} ${problem.hint ?? ""}`));
        },
      },
    );
  }

  /** @param {Task} task @returns {Record<string, string>} the reader's own lines for the gradients before */
  linesBefore(task) {
    const before = this.tasks.slice(0, this.tasks.indexOf(task)).filter(({ closed }) => !closed);
    const written = before.filter((one) => !isBlank(this.attempt(one), one.name));
    return Object.fromEntries(written.map((one) => [one.target, this.attempt(one).text]));
  }

  /** @type {(task: Task) => void} */
  check = (task) => {
    const attempt = this.attempt(task);
    if (isBlank(attempt, task.name)) return this.hears.say(`Write ${task.name} first.`);
    const diagnosis = bannedIn(task, attempt.text);
    if (diagnosis) return this.answered(task, attempt.text, { ...REFUSED, diagnosis });
    this.ask(task, attempt.text, attempt.hints.length, (reply) => this.answered(task, attempt.text, reply));
  };

  /** @param {Task} task @param {string} text @param {Reply} reply */
  answered(task, text, reply) {
    const attempt = this.attempt(task);
    // who has gone on typing meanwhile is told nothing about another text
    this.keep(task, checked(attempt, text, reply), attempt.text === text ? { replies: this.replies(task, reply) } : {});
    const next = reply.correct ? nextTask(this.state.progress, this.tasks, task) : null;
    const words = replyWords(task.name, reply);
    if (!next) return this.hears.say(words);
    this.hears.say(`${words} Next: ${next.name}.`);
    this.hears.focus(next);
  }

  /** The next grade of its hints. @type {(task: Task) => void} */
  hint = (task) => {
    const attempt = this.attempt(task);
    const wanted = attempt.hints.length + 1;
    this.ask(task, attempt.text.trim() || `${task.name} = 0`, wanted, ({ hints }) => {
      this.keep(task, hinted(this.attempt(task), hints.slice(0, wanted)));
      this.hears.say(spoken(hints[wanted - 1] ?? "There is no further hint."));
    });
  };

  /** Its line, from the walk; that of a closed form is the last of its hints. @type {(task: Task) => void} */
  show = (task) => {
    const attempt = this.attempt(task);
    const line = task.closed ? (attempt.hints.at(-1) ?? "") : printedLines(this.walk, task.target);
    this.keep(task, shown(attempt, line), { replies: this.replies(task, null) });
    this.hears.say(`Shown: ${line}`);
    this.hears.focus(task);
  };

  /** @type {(task: Task, text: string) => void} */
  type = (task, text) => {
    const attempt = this.attempt(task);
    if (attempt.text === text) return;
    this.keep(task, typed(attempt, text), stands(typed(attempt, text)) ? {} : { replies: this.replies(task, null) });
  };

  cancel = () => {
    this.loader.cancel();
    this.set({ busy: null });
    this.hears.say("Cancelled.");
  };

  redraw = () => {
    this.set({});
  };

  /** @param {Task|null} task */
  open(task) {
    if (task !== this.state.current) this.set({ current: task });
  }

  /** @param {boolean} cascade */
  cascade(cascade) {
    this.set({ progress: { ...this.state.progress, cascade } });
  }

  /** @param {Progress} progress of a file, an empty one, or the one from before */
  replace(progress) {
    this.set({ progress, replies: new Map(), problem: null });
  }

  /** @param {Task} task @returns {number|null} */
  stepOf(task) {
    return lastStepOf(this.walk, task.target);
  }
}
