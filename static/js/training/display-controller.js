import { byId, cleanups } from "../shared/dom/elements.js";
import { mountControls } from "./controls-view.js";
import { mountCurve } from "../run/curve-view.js";
import { mountInstruments } from "./instruments-view.js";
import { mountLegend } from "./legend-view.js";
import { Pair } from "./pair.js";
import { curvesWords, pairWords, spokenStands } from "./pair-words.js";
import { NOTHING, Readings } from "./readings.js";
import { Run } from "../run/run.js";
import { curveOf, loadUsualRun, usualWords } from "./usual-run-loader.js";
import { curveWords } from "./words.js";

/** Milliseconds between two looks at the tables: numbers that change faster can't be read. */
const CALM = 250;
/** Milliseconds that a status must last to be spoken: a run that is opened again tells its whole past at once. */
const SETTLED = 200;

/**
 * What is seen of the runs: where they stand, their curves and their instruments, drawn anew when a frame is due.
 * @param {import("./asked.js").Asked} asked
 */
export function mountDisplay(asked) {
  const undo = cleanups();
  const { runs } = asked;
  const [main, canvas] = [byId("train"), /** @type {HTMLCanvasElement} */ (byId("curve"))];
  const [controls, legend] = [undo.part(mountControls()), undo.part(mountLegend(byId("legend")))];
  const curve = undo.part(mountCurve(canvas));
  const instruments = undo.part(mountInstruments(redraw));
  const announcer = undo.part(mountAnnouncer());
  let [pair, read] = [new Pair(), new Readings()];
  let [frame, tabled] = [0, 0];
  const promise = makePromise(asked, { curve, legend, instruments }, wake);
  undo.add(() => cancelAnimationFrame(frame));
  const shown = () => read.all[instruments.place()] ?? null;

  function wake() {
    frame ||= requestAnimationFrame(draw);
  }

  /** The tables, too, however short ago they were drawn. */
  function redraw() {
    tabled = 0;
    wake();
  }

  function draw() {
    frame = 0;
    const { status, names, fields } = asked;
    controls.update({ status, runs: runs(), names, shown: shown() });
    main.setAttribute("aria-busy", String(status === "starting"));
    if (!runs().length) return promise.draw(fields);
    curve.draw(runs(), Number(fields.steps));
    if (status === "running" && performance.now() - tabled < CALM) return;
    tabled = performance.now();
    drawTables(names);
  }

  /** @param {string[]} names */
  function drawTables(names) {
    const [first, ...others] = runs();
    legend.update(read.all, names);
    canvas.setAttribute("aria-label", others.length ? curvesWords(read.all, names) : curveWords(first));
    const says = byId("pair-says");
    says.hidden = !others.length;
    says.textContent = others.length ? pairWords(pair, asked.fields.beside === "lines", names, read.all) : "";
    const reading = shown();
    if (reading) instruments.update(reading, names[instruments.place()]);
  }

  return {
    wake,
    redraw,
    /** The reading whose instruments are shown. */
    shown,
    place: instruments.place,
    /** What there will be to choose from. */
    offer: promise.offer,
    /** @param {import("../run/types.js").RunEvent} event @param {0|1} place of the run that tells it */
    hear(event, place) {
      read.take(runs());
      pair.take(place, event);
      if (event.kind !== "report") announcer.tell(() => spokenStands(runs(), asked.names));
    },
    /** Other runs are followed, or none. */
    begin() {
      [pair, read] = [new Pair(), new Readings()];
      announcer.forget();
    },
    /** In the colours and sizes that the page has now. */
    dress: () => {
      curve.dress();
      wake();
    },
    unmount: undo.run,
  };
}

/**
 * What will come, before anything is begun: how another run went, at the usual settings.
 * @param {import("./asked.js").Asked} asked
 * @param {{curve: ReturnType<typeof mountCurve>, legend: ReturnType<typeof mountLegend>,
 *   instruments: ReturnType<typeof mountInstruments>}} views @param {() => void} arrived
 */
function makePromise(asked, { curve, legend, instruments }, arrived) {
  /** @type {{usual: import("./usual-run-loader.js").UsualRun, run: Run}|null} */
  let known = null;
  loadUsualRun(document.documentElement.dataset.static ?? "").then((usual) => {
    if (!usual) return;
    known = { usual, run: curveOf(usual) };
    offer();
    arrived();
  });
  const fitting = () => (asked.drawn ? known : null);

  function offer() {
    instruments.offer(asked.names);
    if (!asked.runs().length) instruments.promise(asked.drawn || asked.fields.data === "names", fitting()?.usual);
  }

  return {
    offer,
    /** @param {import("./settings.js").Fields} fields */
    draw({ steps, lr }) {
      const now = fitting();
      if (now) curve.promise(now.run);
      else curve.draw([], Number(steps));
      legend.update([{ ...NOTHING, run: toCome(Number(lr)) }], [""]);
      const says = byId("pair-says");
      says.hidden = !now;
      says.textContent = now ? usualWords(now.usual) : "";
    },
  };
}

/** @param {number} rate @returns {Run} that has told nothing yet, as it will begin */
function toCome(rate) {
  const run = new Run();
  run.rate = rate;
  return run;
}

/** What is said aloud, once it lasts and only once. */
function mountAnnouncer() {
  /** @type {ReturnType<typeof setTimeout>|undefined} */
  let timer;
  let spoken = "";
  return {
    /** @param {() => string} words */
    tell(words) {
      clearTimeout(timer);
      timer = setTimeout(() => {
        const said = words();
        if (!said || said === spoken) return;
        spoken = said;
        byId("announcer").textContent = said;
      }, SETTLED);
    },
    forget: () => (spoken = ""),
    unmount: () => clearTimeout(timer),
  };
}
