import { requestOf } from "../exercise/program-loader.js";
import { mountProjector } from "../exercise/projector-view.js";
import { mountSubject } from "../exercise/subject-controller.js";
import { asApiError } from "../shared/api.js";
import { latest } from "../shared/latest.js";
import { mountNotice } from "../shared/notice-view.js";
import { mountPlainHeader } from "../shared/plain-header-controller.js";
import { showProblem } from "../shared/problem-view.js";
import { byId, cleanups } from "../shared/dom/elements.js";
import { addressOf, runAddress, subjectOf } from "./address.js";
import { beginWith, requestFor } from "./beginning-loader.js";
import { besideIn, besidePlant, besideText, changeCommand, runNames } from "./beside.js";
import { mountControls } from "./controls-view.js";
import { mountCurve } from "./curve-view.js";
import { mountInstruments } from "./instruments-view.js";
import { mountKeys } from "./keyboard-controller.js";
import { mountLegend } from "./legend-view.js";
import { mountMistakesController } from "./mistakes-controller.js";
import { Pair } from "./pair.js";
import { curvesWords, pairWords, spokenStands, statusOf } from "./pair-words.js";
import { keepProgram, keptProgram } from "./program-storage-controller.js";
import { NOTHING, Readings } from "./readings.js";
import { Run } from "./run.js";
import { followedRuns } from "./run-controller.js";
import { USUAL_RATES, fieldsOf, mistakeIn, unusual, usualFields, withSaid } from "./settings.js";
import { mountSave } from "./save-controller.js";
import { mountSetup } from "./setup-view.js";
import { forgetRun, patiently, tellRun } from "./training-api.js";
import { loadWalkLink } from "./walk-link-loader.js";
import { curveWords } from "./words.js";

/** Milliseconds between two looks at the tables: numbers that change faster can't be read. */
const CALM = 250;
/** Milliseconds that a status must last to be spoken: a run that is opened again tells its whole past at once. */
const SETTLED = 200;
const HINT = "Reload the page: a run goes on where it is.";

/** The Train page: one run or two, their controls and instruments. @returns {() => void} unmount */
export function mountTrainingPage() {
  const undo = cleanups();
  const main = byId("train");
  const notice = mountNotice();
  const requests = latest();
  const subject = keptProgram(subjectOf(new URL(location.href), document.documentElement.dataset.lesson ?? ""));
  const followed = followedRuns({ heard, connected, gone, failed });
  const setup = mountSetup();
  const controls = mountControls();
  const canvas = /** @type {HTMLCanvasElement} */ (byId("curve"));
  const curve = mountCurve(canvas);
  const legend = mountLegend(byId("legend"));
  const instruments = mountInstruments(() => ((tabled = 0), wake()));
  const mistakes = mountMistakesController({
    request: () => requestOf({ ...subject, seed: null }),
    chosen: () => besidePlant(fields),
    take: (step, mistake) => edit({ ...setup.read(), besideStep: String(step), besideMistake: mistake }),
  });
  let [pair, read] = [new Pair(), new Readings()];
  let starting = false;
  let [frame, tabled, timer, spoken] = [0, 0, 0, ""];

  const drawn = () => {
    const start = followed.runs()[0]?.start;
    const own = start !== null && start !== undefined && start.data.name !== "names";
    return !own && !subject.hash && subject.lesson === main.dataset.drawn;
  };
  const trainedOn = () => {
    const options = /** @type {HTMLSelectElement} */ (byId("subject")).options;
    const option = [...options].find(({ value }) => value === `lesson ${subject.lesson}`);
    return (!subject.hash && option?.dataset.trainedOn) || "own";
  };
  const usual = usualFields(drawn(), trainedOn());
  let fields = { ...withSaid(usual, subject.settings), ...besideIn(subject.settings.beside ?? "") };
  const status = () => (starting ? "starting" : statusOf(followed.runs()));
  const shownReading = () => read.all[instruments.place()] ?? null;

  /** @returns {string[]} what each run is called */
  function names() {
    const wanted = runNames(fields);
    if (followed.runs().length < 2) return [""];
    return wanted.length === 2 ? wanted : ["first run", "second run"];
  }

  // Drawing.
  function wake() {
    frame ||= requestAnimationFrame(draw);
  }

  function draw() {
    frame = 0;
    const runs = followed.runs();
    controls.update({ status: status(), runs, names: names(), shown: shownReading() });
    main.setAttribute("aria-busy", String(status() === "starting"));
    curve.draw(runs, Number(fields.steps));
    if (!runs.length) return legend.update([{ ...NOTHING, run: toCome() }], [""]);
    if (status() === "running" && performance.now() - tabled < CALM) return;
    tabled = performance.now();
    legend.update(read.all, names());
    canvas.setAttribute("aria-label", runs.length < 2 ? curveWords(runs[0]) : curvesWords(read.all, names()));
    byId("pair-says").hidden = runs.length < 2;
    byId("pair-says").textContent =
      runs.length < 2 ? "" : pairWords(pair, fields.beside === "lines", names(), read.all);
    const shown = shownReading();
    if (shown) instruments.update(shown, names()[instruments.place()]);
  }

  function drawSetup() {
    const runs = followed.runs();
    setup.show(fields, { drawn: drawn(), run: starting || runs.length > 0, over: runs.some(({ over }) => over) });
    mistakes.draw(fields.beside === "mistake");
    instruments.offer(names());
    if (!runs.length) instruments.promise(drawn() || fields.data === "names");
  }

  /** A run that has told nothing yet, as it will begin. */
  function toCome() {
    const run = new Run();
    run.rate = Number(fields.lr);
    return run;
  }

  function announce() {
    clearTimeout(timer);
    timer = setTimeout(() => {
      const words = spokenStands(followed.runs(), names());
      if (!words || words === spoken) return;
      spoken = words;
      byId("announcer").textContent = words;
    }, SETTLED);
  }

  function keepAddress() {
    const beside = besideText(fields);
    subject.settings = { ...unusual(fields, drawn(), trainedOn()), ...(beside ? { beside } : {}) };
    history.replaceState(null, "", addressOf(subject));
  }

  // The runs.
  /** @param {string} id */
  function follow(id) {
    [pair, read] = [new Pair(), new Readings()];
    subject.run = id;
    keepProgram(subject);
    followed.follow(id);
    keepAddress();
    drawSetup();
    wake();
  }

  /** @param {import("./types.js").RunEvent} event @param {0|1} place of the run that tells it */
  function heard(event, place) {
    read.take(followed.runs());
    pair.take(place, event);
    if (event.kind === "start" || event.kind === "settings") {
      const { start, settings } = followed.runs()[place];
      hearSettings(place, /** @type {any} */ (event.kind === "start" ? start : settings));
    }
    if (event.kind !== "report") {
      tabled = 0;
      drawSetup();
      announce();
    }
    wake();
  }

  /** @param {0|1} place @param {import("./types.js").Settings} told */
  function hearSettings(place, told) {
    if (place === 0) fields = fieldsOf(fields, told);
    else if (fields.beside === "optimiser")
      fields = {
        ...fields,
        besideOptimiser: told.optimiser.name,
        besideRate: String(told.schedule.lr ?? fields.besideRate),
      };
    keepAddress();
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

  /** @param {boolean} paused @param {[string, object]|null} then what it is told once it is there */
  function begin(paused, then = null) {
    const mistake = mistakeIn(fields, drawn());
    setup.complain(mistake);
    if (mistake?.field === "besideMistake") mistakes.open();
    if (mistake) return setup.focus(mistake.field);
    starting = true;
    byId("problem").hidden = true;
    drawSetup();
    wake();
    requests.ask((signal) => beginWith(subject, fields, drawn(), paused, signal), {
      arrived(id) {
        starting = false;
        follow(id);
        if (then) followed.tell(...then);
      },
      failed(error) {
        starting = false;
        drawSetup();
        wake();
        showProblem(byId("problem"), asApiError(error, HINT).problem, [
          { label: "Try again", act: () => begin(paused, then) },
        ]);
      },
    });
  }

  function leave() {
    followed.leave();
    [pair, read, spoken] = [new Pair(), new Readings(), ""];
    subject.run = "";
    keepAddress();
    drawSetup();
    wake();
  }

  function startAnew() {
    const id = followed.id();
    leave();
    forgetRun(id).catch(() => undefined); // else it ends by itself before long
    byId("go").focus();
  }

  // What a person does.
  function go() {
    const now = status();
    if (now === "empty") return begin(false);
    if (now === "running") return followed.tell("pause");
    if (now === "paused" || now === "lost") return followed.tell("resume");
    return undefined;
  }

  /** @param {number} count of steps */
  function step(count) {
    if (status() === "empty") return begin(true, ["step", { count }]);
    return followed.tell("step", { count });
  }

  /** @param {SubmitEvent} event */
  function runTo(event) {
    event.preventDefault();
    const input = /** @type {HTMLInputElement} */ (byId("run-to-step"));
    const step = Number(input.value.replace(/[\s,]/g, ""));
    const taken = Math.min(...followed.runs().map((run) => run.taken), Infinity);
    const before = Number.isFinite(taken) ? taken : 0;
    const right = Number.isInteger(step) && step > before;
    input.toggleAttribute("aria-invalid", !right);
    if (right) return status() === "empty" ? begin(true, ["run-to", { step }]) : followed.tell("run-to", { step });
    input.focus();
    return notice.show(`Write a step after step ${before.toLocaleString("en")}.`, null, 4);
  }

  async function walkStep() {
    const [now, step] = [shownReading(), stepToLookAt()];
    if ((!now?.report && !now?.run.diverged) || step === undefined) return;
    if (status() === "running") await followed.tell("pause");
    try {
      const of = { run: followed.id(), place: instruments.place(), step };
      location.assign(await loadWalkLink(of, subject, runAddress(subject), waits));
    } catch (error) {
      failed(error);
    }
  }

  async function compare() {
    const step = stepToLookAt();
    if (!followed.id() || step === undefined) return;
    const body = { run: instruments.place(), ...(step === null ? {} : { step }) };
    try {
      await patiently(() => tellRun(followed.id(), "compare", body), waits);
    } catch (error) {
      failed(error);
    }
  }

  /** @param {import("../shared/api.js").ApiError} error @returns {boolean} whether its run is still looked at */
  function waits({ problem }) {
    notice.show(problem.message, null, 2);
    return followed.id() !== "";
  }

  /** @returns {number|null|undefined} the step that is written there; null for the latest, undefined for none */
  function stepToLookAt() {
    const input = /** @type {HTMLInputElement} */ (byId("look-at"));
    const [text, taken] = [input.value.replace(/[\s,]/g, ""), shownReading()?.run.taken ?? 0];
    const right = /^\d*$/.test(text) && (text === "" || Number(text) < taken);
    input.toggleAttribute("aria-invalid", !right);
    if (right) return text === "" ? null : Number(text);
    input.focus();
    notice.show(`Steps 0 to ${(taken - 1).toLocaleString("en")} are taken: write one of them.`, null, 4);
    return undefined;
  }

  /** @param {Event} event */
  function changed({ target }) {
    const { name } = /** @type {HTMLInputElement} */ (target);
    const next = setup.read();
    const usual = new Set(Object.values(USUAL_RATES));
    // a rate that was never touched follows the optimiser
    if (name === "optimiser" && usual.has(next.lr)) next.lr = USUAL_RATES[next.optimiser];
    if (name === "besideOptimiser" && usual.has(next.besideRate)) next.besideRate = USUAL_RATES[next.besideOptimiser];
    edit(next);
    if (name === "beside") byId("setup-beside").scrollIntoView({ block: "nearest" });
  }

  /** @param {import("./settings.js").Fields} next */
  function edit(next) {
    fields = next;
    const mistake = mistakeIn(fields, drawn());
    // what is still to be chosen is no mistake before the start
    setup.complain(mistake?.field === "besideMistake" ? null : mistake);
    drawSetup();
    keepAddress();
    if (!mistake && followed.id()) followed.tell("set", changeCommand(fields));
  }

  undo.add(mountPlainHeader());
  undo.add(
    mountProjector(subject.projector, (on) => {
      subject.projector = on;
      byId("run-pane").scrollTo(0, 0);
      keepAddress();
    }),
  );
  undo.add(
    mountSubject({ ...subject, seed: null, at: null }, ({ lesson, hash }) =>
      addressOf({ ...subject, lesson, hash, run: "", settings: {} }),
    ),
  );
  undo.on(setup.form, "change", changed);
  undo.on(setup.form, "submit", (event) => event.preventDefault());
  undo.on(setup.form, "keydown", (event) => {
    if (event.key !== "Enter" || event.target.tagName !== "INPUT") return;
    event.preventDefault();
    edit(setup.read());
    if (status() === "empty") begin(false);
  });
  const acts = /** @type {Record<string, () => unknown>} */ ({
    go,
    one: () => step(1),
    ten: () => step(10),
    stop: () => followed.tell("stop"),
    restart: () => followed.tell("restart"),
    "new-run": startAnew,
    "walk-step": walkStep,
    compare,
    sample: () => followed.tell("sample", { run: instruments.place(), count: 10 }),
  });
  for (const [id, act] of Object.entries(acts)) undo.on(byId(id), "click", act);
  const saves = mountSave(byId("save"), {
    ...{ runs: followed.runs, names, id: followed.id, place: instruments.place, step: stepToLookAt, waits, failed },
    settings: () => requestFor(subject, fields, drawn(), false),
    title: () => (subject.hash ? "your-code" : subject.lesson),
  });
  undo.on(byId("run-to-form"), "submit", runTo);
  undo.on(byId("look-at"), "keydown", (event) => event.key === "Enter" && walkStep());
  undo.add(
    mountKeys({
      " ": go,
      s: (ten) => (ten ? acts.ten : acts.one)(),
      w: walkStep,
      c: () => shownReading()?.report && acts.compare(),
      r: () => followed.runs().some(({ taken }) => taken) && acts.restart(),
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
  for (const part of [notice, curve, instruments, mistakes, saves]) undo.add(part.unmount);
  for (const end of [followed.leave, requests.stop]) undo.add(end);
  undo.add(() => [clearTimeout(timer), cancelAnimationFrame(frame)]);
  if (subject.run) follow(subject.run);
  else drawSetup();
  wake();
  return undo.run;
}
