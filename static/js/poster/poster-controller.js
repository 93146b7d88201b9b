import { ApiError, asApiError } from "../shared/api.js";
import { latest } from "../shared/latest.js";
import { byId, cleanups } from "../shared/dom/elements.js";
import { saveFile } from "../shared/save-file-controller.js";
import { followedRuns } from "../run/run-controller.js";
import { RATE } from "../walk/rates.js";
import { beginRun, forgetRun, programOf } from "../run/training-api.js";
import { posterPicture, pngOf } from "./poster-view.js";
import { answersOf, isTold, isWhole, standOf } from "./poster.js";
/** @typedef {import("../exercise/tasks.js").Task} Task */
/** @typedef {import("../progress/progress.js").Progress} Progress */
/** @typedef {import("../run/run.js").Run} Run */
/** @typedef {import("../walk/walk.js").Walk} Walk */

const HINT = "What you wrote stays. Try again in a moment.";
/** How far it is trained: on minibatches, or on the program's own tensors. */
const STEPS = { drawn: 5000, own: 1000 };

/**
 * Once every gradient is written: a run on these lines, and a sheet with them, the wrong tries and the curve.
 * @param {{walk: Walk, tasks: Task[]}} program @param {string} data that it is trained on
 * @param {() => Progress} read @param {import("../shell/notice-controller.js").Notice} notice
 */
export function mountPoster(program, data, read, notice) {
  return new Poster(program, data, read, notice);
}

class Poster {
  /**
   * @param {{walk: Walk, tasks: Task[]}} program @param {string} data @param {() => Progress} read
   * @param {import("../shell/notice-controller.js").Notice} notice
   */
  constructor({ walk, tasks }, data, read, notice) {
    this.walk = walk;
    this.tasks = tasks;
    this.data = data;
    this.read = read;
    this.notice = notice;
    const { nodes } = walk.document;
    this.trains = nodes.some(({ role, gradient }) => role === "parameter" && gradient);
    this.dialog = /** @type {HTMLDialogElement} */ (byId("poster-dialog"));
    // the picture has all its looks in itself: the page's own style sheets are not to reach it
    this.sheet = byId("poster").shadowRoot ?? byId("poster").attachShadow({ mode: "open" });
    this.beginning = latest();
    /** @type {Run|null} the run that is seen */
    this.run = null;
    /** @type {string} the lines that it is on */
    this.trained = "";
    this.frame = 0;
    this.followed = followedRuns({
      heard: () => this.#heard(),
      connected: () => undefined,
      gone: (error) => this.#fail(error),
      failed: (error) => this.#fail(error),
    });
    this.undo = cleanups();
    this.#listen();
    byId("poster-promise").textContent = this.#promise();
    byId("poster-open").textContent = this.trains ? "Train on my lines" : "See them";
  }

  #listen() {
    const { undo, dialog } = this;
    undo.on(byId("poster-open"), "click", () => this.#open());
    undo.on(byId("poster-again"), "click", () => this.#begin());
    undo.on(byId("poster-save"), "click", () => this.#save());
    undo.on(byId("poster-print"), "click", () => window.print());
    undo.on(dialog, "click", ({ target }) => (target === dialog || target.closest("[data-close]")) && dialog.close());
    undo.on(dialog, "close", () => this.#leave());
    undo.add(() => dialog.open && dialog.close());
    undo.add(() => this.#leave());
  }

  /** @returns {string} what comes of it */
  #promise() {
    if (!this.trains) return "Keep them as a poster.";
    return this.data === "names"
      ? "Train the network on your lines: it signs with ten names. Keep it all as a poster."
      : "Train the network on your lines, and keep it all as a poster.";
  }

  /** @param {Progress} progress */
  update(progress) {
    byId("poster-offer").hidden = !isWhole(progress, this.tasks);
    byId("poster-count").textContent = String(this.tasks.filter(({ closed }) => !closed).length);
  }

  #open() {
    this.dialog.showModal();
    this.#draw();
    const lines = JSON.stringify(answersOf(this.read(), this.tasks));
    // what was trained on the same lines is there already
    if (this.trains && lines !== this.trained) this.#begin();
  }

  #begin() {
    byId("poster-again").hidden = true;
    [this.run, this.trained] = [null, ""];
    this.#say(standOf(null));
    const answers = answersOf(this.read(), this.tasks);
    this.beginning.ask((signal) => this.#request(answers, signal), {
      arrived: (id) => this.followed.follow(id),
      failed: (error) => this.#fail(error),
    });
  }

  /** @param {Record<string, string>} answers @param {AbortSignal} signal @returns {Promise<string>} the run's id */
  async #request(answers, signal) {
    const own = this.data === "own";
    const rest = {
      ...{ data: this.data, steps: own ? STEPS.own : STEPS.drawn },
      ...{ answers, schedule: { name: "constant", lr: RATE } },
    };
    const { request } = this.walk;
    // on its own tensors a run begins with those of the request, however many numbers that stands for
    const begun = own ? request : await programOf(request, signal);
    return beginRun(`{"walk":${begun},${JSON.stringify(rest).slice(1)}`, signal);
  }

  #heard() {
    this.run = this.followed.runs()[0] ?? null;
    this.frame ||= requestAnimationFrame(() => {
      this.frame = 0;
      this.#draw();
    });
    if (!this.run || !isTold(this.run)) return;
    this.trained = JSON.stringify(answersOf(this.read(), this.tasks));
    this.#leave();
  }

  /** @param {unknown} error */
  #fail(error) {
    this.#leave();
    const { message, hint } = asApiError(error, HINT).problem;
    this.#say(`${message} ${hint ?? ""}`);
    byId("poster-again").hidden = error instanceof ApiError && error.status === 422;
  }

  /** The run is no longer needed: what it told stays. */
  #leave() {
    this.beginning.stop();
    const id = this.followed.id();
    this.followed.leave();
    if (id) forgetRun(id).catch(() => undefined); // else it ends by itself before long
  }

  #draw() {
    const { run } = this;
    const day = new Date().toLocaleDateString("en-GB", { day: "numeric", month: "long", year: "numeric" });
    this.sheet.replaceChildren(posterPicture({ progress: this.read(), tasks: this.tasks, run, day }));
    if (run) this.#say(standOf(run));
  }

  /** @param {string} words */
  #say(words) {
    byId("poster-stand").textContent = words;
  }

  async #save() {
    const picture = this.sheet.firstElementChild;
    if (!picture) return;
    try {
      const title = this.read()
        .title.toLowerCase()
        .replace(/[^a-z0-9]+/g, "-");
      saveFile(await pngOf(picture), `${title}-poster.png`, "image/png");
    } catch (error) {
      this.notice.fail(error, "Print it instead.");
    }
  }

  unmount = () => {
    cancelAnimationFrame(this.frame);
    this.undo.run();
  };
}
