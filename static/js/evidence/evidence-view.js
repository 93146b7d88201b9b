import { markIn } from "../walk/pick.js";
import { drawBar } from "./bar-view.js";
import { LOW, mountChart } from "./chart-view.js";
import { KINDS, besides, dashReason, peaksOf, shownBy } from "./kinds.js";
import { advice, axesWords, readoutOf } from "./readout-view.js";
import { drawSide } from "./side-view.js";
import { cleanups, el } from "../shared/dom/elements.js";
import { mountSameScale } from "../shared/same-scale-view.js";
import { hasPlotly, plotly, plotlyReady } from "./plotly-view.js";
import { watchWidth } from "../shared/dom/watch-width.js";
import { idle } from "../shared/idle-tasks.js";
import { mountPickableCells } from "../lens/pickable-cells-view.js";
import { mountVerdict } from "./verdict-view.js";
/** @typedef {import("../walk/frame.js").Frame} Frame */
/** @typedef {import("../shared/tensor.js").Tensor} Tensor */
/**
 * @typedef {{maps: import("../lens/pickable-cells-view.js").Acts, open: (which: string) => void} &
 *   import("./verdict-view.js").Acts} Acts
 */

const CALM = 160;
const STILL = 5000;

/** The value and the gradient beside autograd's, each on its own scale unless one is asked for, and the verdict. */
class Evidence {
  /** @param {HTMLElement} root @param {Acts} acts */
  constructor(root, acts) {
    this.root = root;
    /** @type {Frame|null} */
    this.frame = null;
    this.job = idle();
    this.undo = cleanups();
    const again = () => this.frame && this.update(this.frame);
    this.readout = el("p", { class: "readout" });
    this.side = el("div", { class: "side", "aria-hidden": "true" });
    this.charts = KINDS.map(({ which, title }) => mountChart(which, title, acts.open));
    this.verdict = mountVerdict(acts);
    this.grid = el("div", { class: "charts" }, this.side, ...this.charts.map((chart) => chart.root));
    this.sameScale = mountSameScale(again);
    this.value = mountValueLine(this.readout, this.charts[0].enlarge, this.sameScale.root);
    root.replaceChildren(this.grid, this.value.root, this.verdict.root);
    this.maps = mountPickableCells(this.grid, acts.maps);
    this.column = watchWidth(this.charts[0].root, again);
    this.answer = this.maps.answer;
    this.marks = this.maps.marks;
    this.focused = this.maps.focused;
    this.undo.on(LOW, "change", again);
    for (const acts of ["keydown", "pointerdown"]) this.undo.on(document, acts, this.job.later);
    this.undo.on(this.grid, "pointerenter", () => {
      if (hasPlotly() && !plotlyReady()) this.job.start(0, [fetchPlotly, async () => this.#upgradeSoon()]);
    });
  }

  update = (/** @type {Frame} */ frame) => {
    const folded = frame.step.direction === "forward";
    this.root.classList.toggle("folded", folded);
    this.grid.hidden = folded;
    const tensors = this.follow(frame);
    this.value.update(folded);
    this.verdict.update(frame);
    if (folded) return;
    drawSide(this.side, frame, tensors);
    this.#upgradeSoon();
  };

  /** The same tensors with other numbers. @param {Frame} frame @returns {(Tensor|null)[]} what is drawn of them */
  follow = (frame) => {
    this.job.cancel();
    this.frame = frame;
    const folded = frame.step.direction === "forward";
    this.root.classList.toggle("delta", frame.delta);
    const tensors = KINDS.map((kind) => shownBy(kind, frame));
    const own = peaksOf(frame, tensors);
    const peak = this.sameScale.peakOf(folded ? [] : [tensors[1], tensors[2]], [own[1], own[2]]);
    if (folded) drawBar(this.value.bar, tensors[0], own[0], frame, true);
    else this.#drawCharts(frame, tensors, peak ? [own[0], peak, peak, own[3]] : own);
    const maps = folded ? [] : this.charts.flatMap((chart, i) => chart.maps(i ? besides(tensors, i) : []));
    this.maps.set(maps, frame);
    this.#say();
    return tensors;
  };

  /** @param {Frame} frame @param {(Tensor|null)[]} tensors @param {number[]} peaks what full colour stands for */
  #drawCharts(frame, tensors, peaks) {
    const width = Math.max(40, this.column.now);
    this.charts.forEach((chart, i) => {
      chart.update(frame, tensors[i], peaks[i], width, dashReason(frame, i));
      drawBar(chart.bar, tensors[i], peaks[i], frame);
    });
  }

  /** The numbers of the cell that is picked here, else what rows and columns are. */
  #say() {
    const { frame } = this;
    const cell = frame && markIn(frame, { tensor: frame.node.name, of: "value" });
    this.readout.replaceChildren(...(frame && cell ? readoutOf(frame, cell) : [axesWords(frame), advice(frame)]));
  }

  /**
   * Plotly itself takes a long task to start: it is fetched when someone points at a chart, or when nothing has moved
   * for a while: a key that is held makes something wobble.
   */
  #upgradeSoon() {
    if (!hasPlotly()) return;
    const upgrades = this.charts.map((chart) => async () => chart.upgrade(await plotly()));
    this.job.start(plotlyReady() ? CALM : STILL, [fetchPlotly, ...upgrades]);
  }

  /**
   * @param {Frame} frame @param {import("../lens/highlights.js").Lights|null} lights
   * @param {import("../lens/lens.js").Term|null} hot
   */
  point = (frame, lights, hot) => {
    this.frame = frame;
    this.maps.point(frame, lights, hot);
    this.#say();
  };

  /** What an oracle says has become known. */
  judge = () => this.frame && this.verdict.update(this.frame);

  unmount = () => {
    this.job.cancel();
    this.undo.run();
    this.column.unmount();
    this.maps.unmount();
    this.charts.forEach((chart) => chart.unmount());
    this.root.replaceChildren();
  };
}

/** @param {HTMLElement} root @param {Acts} acts */
export const mountEvidence = (root, acts) => new Evidence(root, acts);

async function fetchPlotly() {
  await plotly();
}

/**
 * What is pointed at, and going forward, where the value itself is the picture above, its scale and the way to every
 * number of it.
 * @param {HTMLElement} readout @param {HTMLElement} enlarge the button that opens the value's every number
 * @param {HTMLElement} sameScale the switch of the charts' scales
 */
function mountValueLine(readout, enlarge, sameScale) {
  const home = enlarge.parentElement;
  const bar = el("div", { class: "bar" });
  const own = el("div", { class: "own" }, bar);
  return {
    root: el("div", { class: "value-line" }, readout, sameScale, own),
    bar,
    /** @param {boolean} folded whether the charts are away, the button's usual place with them */
    update(folded) {
      own.hidden = !folded;
      if (folded) enlarge.hidden = false;
      const place = folded ? own : home;
      if (enlarge.parentElement !== place) place?.append(enlarge);
    },
  };
}
