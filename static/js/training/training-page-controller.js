import { requestOf } from "../exercise/program-loader.js";
import { mountProjector } from "../exercise/projector-view.js";
import { mountSubject } from "../exercise/subject-controller.js";
import { asApiError } from "../shared/api.js";
import { numberText } from "../shared/format.js";
import { numberIn } from "../shared/json-number.js";
import { latest } from "../shared/latest.js";
import { mountNotice } from "../shared/notice-view.js";
import { mountPlainHeader } from "../shared/plain-header-controller.js";
import { showProblem } from "../shared/problem-view.js";
import { byId, cleanups } from "../shared/dom/elements.js";
import { mountActivations } from "./activations-view.js";
import { addressOf, runAddress, subjectOf } from "./address.js";
import { mountControls } from "./controls-view.js";
import { mountCurve } from "./curve-view.js";
import { mountKeys } from "./keyboard-controller.js";
import { mountNames } from "./names-view.js";
import { mountParameters } from "./parameters-view.js";
import { keepProgram, keptProgram } from "./program-storage-controller.js";
import { followedRun } from "./run-controller.js";
import { USUAL_RATES, fieldsOf, mistakeIn, runRequest, setCommand, usualFields } from "./settings.js";
import { mountSetup } from "./setup-view.js";
import { beginRun, forgetRun } from "./training-api.js";
import { loadWalkLink } from "./walk-link-loader.js";
import { spokenStand } from "./words.js";

/** Milliseconds between two looks at the tables: numbers that change faster can't be read. */
const CALM = 250;
/** Milliseconds that a status must last to be spoken: a run that is opened again tells its whole past at once. */
const SETTLED = 200;
const HINT = "Reload the page: a run goes on where it is.";

/** The Train page: a run, its controls and its instruments. @returns {() => void} unmount */
export function mountTrainingPage() {
  const undo = cleanups();
  const main = byId("train");
  const notice = mountNotice();
  const requests = latest();
  const subject = keptProgram(subjectOf(new URL(location.href), document.documentElement.dataset.lesson ?? ""));
  const setup = mountSetup();
  const controls = mountControls();
  const curve = mountCurve(/** @type {HTMLCanvasElement} */ (byId("curve")), byId("legend"));
  const parameters = mountParameters(byId("parameters"));
  const activations = mountActivations(byId("activations"));
  const names = mountNames();
  const drawn = () =>
    followed?.run.start
      ? Boolean(followed.run.start.data.examples)
      : !subject.hash && subject.lesson === main.dataset.drawn;
  /** @type {ReturnType<typeof followedRun>|null} */
  let followed = null;
  let fields = usualFields(drawn());
  let starting = false;
  let [frame, tabled, timer, spoken] = [0, 0, 0, ""];

  const run = () => followed?.run ?? null;
  const status = () => (starting ? "starting" : (run()?.status ?? "empty"));

  // Drawing.
  function wake() {
    frame ||= requestAnimationFrame(draw);
  }

  function draw() {
    frame = 0;
    const now = run();
    controls.update(status(), now);
    main.setAttribute("aria-busy", String(status() === "starting"));
    curve.draw(now);
    if (!now || (now.status === "running" && performance.now() - tabled < CALM)) return;
    tabled = performance.now();
    curve.tell(now);
    parameters.update(now);
    byId("norm").textContent = normWords();
    byId("activations-part").hidden = !now.report?.activations.length;
    activations.update(now.report?.activations ?? []);
    names.update(now);
  }

  function normWords() {
    const { report, settings } = /** @type {import("./run.js").Run} */ (run());
    if (!report) return "";
    const whole = `gradient’s norm ${numberText(numberIn(report.norm), 3)}`;
    return settings?.clip ? `${whole}, clipped to ${numberText(numberIn(report.norm_after), 3)}` : whole;
  }

  function drawSetup() {
    const now = run();
    setup.show(fields, { drawn: drawn(), run: starting || now !== null, over: now?.over ?? false });
  }

  function announce() {
    clearTimeout(timer);
    timer = setTimeout(() => {
      const now = run();
      const words = now ? spokenStand(now) : "";
      if (!words || words === spoken) return;
      spoken = words;
      byId("announcer").textContent = words;
    }, SETTLED);
  }

  // A run.
  /** @param {string} id */
  function follow(id) {
    followed?.unmount();
    Object.assign(subject, { run: id });
    keepProgram(subject);
    history.replaceState(null, "", addressOf(subject));
    followed = followedRun(id, { heard, connected, gone, failed });
    drawSetup();
    wake();
  }

  /** @param {import("./types.js").RunEvent} event */
  function heard(event) {
    const now = /** @type {import("./run.js").Run} */ (run());
    if (event.kind === "start" || event.kind === "settings")
      fields = fieldsOf(fields, /** @type {any} */ (event.kind === "start" ? now.start : now.settings));
    if (["start", "settings", "status", "lost"].includes(event.kind)) drawSetup();
    if (["start", "status", "lost", "splits", "diverged"].includes(event.kind)) announce();
    if (event.kind !== "report") tabled = 0;
    wake();
  }

  /** @param {boolean} now */
  function connected(now) {
    byId("connection").hidden = now;
  }

  /** @param {import("../shared/api.js").ApiError} error */
  function gone(error) {
    leave();
    showProblem(byId("problem"), error.problem, []);
  }

  /** @param {unknown} error */
  function failed(error) {
    const { problem } = asApiError(error, HINT);
    notice.show(`${problem.message} ${problem.hint ?? ""}`, null, 6);
  }

  /** @param {boolean} paused @param {(id: string) => void} then */
  function begin(paused, then = () => {}) {
    const mistake = mistakeIn(fields, drawn());
    setup.complain(mistake);
    if (mistake) return setup.focus(mistake.field);
    starting = true;
    byId("problem").hidden = true;
    drawSetup();
    wake();
    requests.ask(
      async (signal) =>
        beginRun(runRequest(await requestOf({ ...subject, seed: null }), fields, drawn(), paused), signal),
      {
        arrived(id) {
          starting = false;
          follow(id);
          then(id);
        },
        failed(error) {
          starting = false;
          drawSetup();
          wake();
          showProblem(byId("problem"), asApiError(error, HINT).problem, [
            { label: "Try again", act: () => begin(paused, then) },
          ]);
        },
      },
    );
  }

  function leave() {
    followed?.unmount();
    followed = null;
    spoken = "";
    Object.assign(subject, { run: null });
    history.replaceState(null, "", addressOf(subject));
    connected(true);
    drawSetup();
    wake();
  }

  function startAnew() {
    const id = followed?.id;
    leave();
    if (id) forgetRun(id).catch(() => undefined); // else it ends by itself before long
    byId("go").focus();
  }

  // What a person does.
  function go() {
    const now = status();
    if (now === "empty") return begin(false);
    if (now === "running") return followed?.tell("pause");
    if (now === "paused" || (now === "lost" && run()?.resumable)) return followed?.tell("resume");
    return undefined;
  }

  /** @param {string} command @param {object} body of one that takes steps */
  function advance(command, body) {
    if (status() === "empty") return begin(true, () => followed?.tell(command, body));
    if (run()?.alive) return followed?.tell(command, body);
    return undefined;
  }

  /** @param {SubmitEvent} event */
  function runTo(event) {
    event.preventDefault();
    const input = /** @type {HTMLInputElement} */ (byId("run-to-step"));
    const [step, taken] = [Number(input.value.replace(/[\s,]/g, "")), run()?.taken ?? 0];
    const right = Number.isInteger(step) && step > taken;
    input.toggleAttribute("aria-invalid", !right);
    if (right) return advance("run-to", { step });
    input.focus();
    return notice.show(`Write a step after step ${taken.toLocaleString("en")}.`, null, 4);
  }

  async function walkStep() {
    const now = run();
    if (!followed || (!now?.report && !now?.diverged)) return;
    if (now.status === "running") await followed.tell("pause");
    try {
      location.assign(await loadWalkLink(followed.id, runAddress(subject)));
    } catch (error) {
      failed(error);
    }
  }

  /** @param {Event} event */
  function changed({ target }) {
    const { name } = /** @type {HTMLInputElement} */ (target);
    fields = setup.read();
    const usual = new Set(Object.values(USUAL_RATES));
    // a rate that was never touched follows the optimiser
    if (name === "optimiser" && usual.has(fields.lr)) fields = { ...fields, lr: USUAL_RATES[fields.optimiser] };
    const mistake = mistakeIn(fields, drawn());
    setup.complain(mistake);
    drawSetup();
    if (followed && !mistake) followed.tell("set", setCommand(fields));
  }

  undo.add(mountPlainHeader());
  undo.add(mountProjector());
  undo.add(
    mountSubject({ ...subject, seed: null, at: null }, ({ lesson, hash }) => addressOf({ lesson, hash, run: null })),
  );
  undo.on(setup.form, "change", changed);
  undo.on(setup.form, "submit", (event) => {
    event.preventDefault();
    if (!followed) begin(false);
  });
  const acts = /** @type {Record<string, () => unknown>} */ ({
    go,
    one: () => advance("step", { count: 1 }),
    ten: () => advance("step", { count: 10 }),
    stop: () => followed?.tell("stop"),
    restart: () => followed?.tell("restart"),
    "new-run": startAnew,
    "walk-step": walkStep,
    compare: () => followed?.tell("compare"),
    sample: () => followed?.tell("sample", { count: 10 }),
  });
  for (const [id, act] of Object.entries(acts)) undo.on(byId(id), "click", act);
  undo.on(byId("run-to-form"), "submit", runTo);
  undo.add(
    mountKeys({
      " ": go,
      s: (ten) => (ten ? acts.ten : acts.one)(),
      w: walkStep,
      c: () => run()?.report && acts.compare(),
      r: () => run()?.taken && acts.restart(),
    }),
  );
  // colours of pictures are drawn, not styled
  const theme = new MutationObserver(() => {
    curve.dress();
    wake();
  });
  theme.observe(document.documentElement, { attributeFilter: ["data-theme"] });
  theme.observe(document.body, { attributeFilter: ["class"] });
  undo.add(() => theme.disconnect());
  undo.on(window, "hashchange", () => location.reload()); // a link pasted into this very tab
  for (const end of [() => followed?.unmount(), requests.stop, notice.unmount, curve.unmount]) undo.add(end);
  undo.add(() => [clearTimeout(timer), cancelAnimationFrame(frame)]);
  if (subject.run) follow(subject.run);
  else drawSetup();
  wake();
  return undo.run;
}
