import { codeAt, codesText } from "../shared/category-codes.js";
import { numberText, shapeText } from "../shared/format.js";
import { blockOf, cellWords, drawnSide, focusRow, ticks } from "../shared/axis-labels.js";
import { drawnOf } from "../walk/live.js";
import { markIn } from "../walk/pick.js";
import { isRounding, peakOf } from "../walk/picture-peak.js";
import { LOW, mountChart, plotHeight, plotSize } from "./chart-view.js";
import { cleanups, el } from "../shared/dom/elements.js";
import { drawScale } from "../shared/heatmap-view.js";
import { reachText, scaleEnds } from "../shared/reach.js";
import { mountSameScale } from "../shared/same-scale-view.js";
import { plotly, plotlyReady } from "./plotly-view.js";
import { watchWidth } from "../shared/dom/watch-width.js";
import { idle } from "../shared/idle-tasks.js";
import { mountPickableCells } from "../lens/pickable-cells-view.js";
import { mountVerdict } from "./verdict-view.js";
/** @typedef {import("../walk/frame.js").Frame} Frame */
/** @typedef {import("../shared/tensor.js").Tensor} Tensor */
/** @typedef {{which: string, title: string, tensor: (frame: Frame) => Tensor|null}} Kind */
/**
 * @typedef {{maps: import("../lens/pickable-cells-view.js").Acts, open: (which: string) => void} &
 *   import("./verdict-view.js").Acts} Acts
 */

const CALM = 160;
/** Letters of an axis that have room above the names of the rows. */
const AXIS = 12;
const STILL = 5000;

/**
 * @param {Frame} frame @param {"manual"|"autograd"|"difference"} which
 * @returns {Tensor|null} null until this step has made it
 */
function gradient(frame, which) {
  const { walk, node, known } = frame;
  const now = walk.gradientAt(node.name, known);
  if (frame.step.direction === "forward" || now.stage === "none" || !(node.gradient || node.inner)) return null;
  if (now.stage === "partial" || !node.gradient) return which === "manual" ? now.tensor : null;
  const { level, kind } = node.gradient.verdict;
  const isThere = { manual: kind !== "lost", autograd: true, difference: level !== "shape" }[which];
  return isThere ? walk.tensor(node.gradient[which]) : null;
}

/** @type {Kind[]} */
export const KINDS = [
  { which: "value", title: "value", tensor: (frame) => frame.walk.valueAt(frame.node.name, frame.step.index) },
  { which: "manual", title: "manual", tensor: (frame) => gradient(frame, "manual") },
  { which: "autograd", title: "autograd", tensor: (frame) => gradient(frame, "autograd") },
  { which: "difference", title: "difference", tensor: (frame) => gradient(frame, "difference") },
];

/** @param {Kind} kind @param {Frame} frame @returns {Tensor|null} itself, or what the changes have changed about it */
function shownBy(kind, frame) {
  const tensor = kind.tensor(frame);
  return tensor && drawnOf(frame, tensor);
}

/**
 * The value and the gradient beside autograd's, each on its own scale unless one is asked for, and the verdict.
 * @param {HTMLElement} root @param {Acts} acts
 */
export function mountEvidence(root, acts) {
  /** @type {Frame|null} */
  let frame = null;
  const job = idle();
  const undo = cleanups();
  const readout = el("p", { class: "readout" });
  const side = el("div", { class: "side", "aria-hidden": "true" });
  const charts = KINDS.map(({ which, title }) => mountChart(which, title, acts.open));
  const verdict = mountVerdict(acts);
  const grid = el("div", { class: "charts" }, side, ...charts.map((chart) => chart.root));
  const sameScale = mountSameScale(() => frame && update(frame));
  const value = mountValueLine(readout, charts[0].enlarge, sameScale.root);
  root.replaceChildren(grid, value.root, verdict.root);
  const maps = mountPickableCells(grid, acts.maps);
  const column = watchWidth(charts[0].root, () => frame && update(frame));

  /** @returns {number[]|null} the cell that is picked here */
  function picked() {
    return frame && markIn(frame, { tensor: frame.node.name, of: "value" });
  }

  /** @param {number[]|null} cell */
  function say(cell) {
    readout.replaceChildren(...(frame && cell ? readoutOf(frame, cell) : [axesWords(frame), advice(frame)]));
  }

  /** @param {Frame} next */
  function update(next) {
    const folded = next.step.direction === "forward";
    root.classList.toggle("folded", folded);
    grid.hidden = folded;
    const tensors = follow(next);
    value.update(folded);
    verdict.update(next);
    if (folded) return;
    drawSide(side, next, tensors);
    upgradeSoon();
  }

  /** The same tensors with other numbers. @param {Frame} next @returns {(Tensor|null)[]} what is drawn of them */
  function follow(next) {
    job.cancel();
    frame = next;
    const folded = next.step.direction === "forward";
    root.classList.toggle("delta", next.delta);
    const tensors = KINDS.map((kind) => shownBy(kind, next));
    const own = tensors.map((tensor, i) =>
      tensor
        ? peakOf(next.walk, { tensor: next.node.name, of: i ? "gradient" : "value" }, tensor, next.state.enlarged)
        : 0,
    );
    const peak = sameScale.peakOf(folded ? [] : [tensors[1], tensors[2]], [own[1], own[2]]);
    if (folded) drawBar(value.bar, tensors[0], own[0], next, true);
    else drawCharts(next, tensors, peak ? [own[0], peak, peak, own[3]] : own);
    maps.set(folded ? [] : charts.flatMap((chart, i) => chart.maps(i ? besides(tensors, i) : [])), next);
    say(picked());
    return tensors;
  }

  /** @param {Frame} next @param {(Tensor|null)[]} tensors @param {number[]} peaks what full colour stands for */
  function drawCharts(next, tensors, peaks) {
    const width = Math.max(40, column.now);
    charts.forEach((chart, i) => {
      chart.update(next, tensors[i], peaks[i], width, dashReason(next, i));
      drawBar(chart.bar, tensors[i], peaks[i], next);
    });
  }

  /**
   * Plotly itself takes a long task to start: it is fetched when someone points at a chart, or when nothing has moved
   * for a while.
   */
  function upgradeSoon() {
    job.start(plotlyReady() ? CALM : STILL, [
      async () => {
        await plotly();
      },
      ...charts.map((chart) => async () => chart.upgrade(await plotly())),
    ]);
  }
  undo.on(LOW, "change", () => frame && update(frame));
  undo.on(grid, "pointerenter", () => {
    if (!plotlyReady())
      job.start(0, [
        async () => {
          await plotly();
        },
        async () => upgradeSoon(),
      ]);
  });

  return {
    update,
    follow,
    /**
     * @param {Frame} next @param {import("../lens/highlights.js").Lights|null} lights
     * @param {import("../lens/lens.js").Term|null} hot
     */
    point(next, lights, hot) {
      frame = next;
      maps.point(next, lights, hot);
      say(picked());
    },
    answer: maps.answer,
    focused: maps.focused,
    /** What an oracle says has become known. */
    judge() {
      if (frame) verdict.update(frame);
    },
    unmount() {
      job.cancel();
      undo.run();
      column.unmount();
      maps.unmount();
      charts.forEach((chart) => chart.unmount());
      root.replaceChildren();
    },
  };
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

/**
 * @param {(Tensor|null)[]} tensors @param {number} i
 * @returns {{title: string, tensor: Tensor}[]} what one compares a gradient's number with
 */
function besides(tensors, i) {
  return KINDS.flatMap(({ title }, other) => {
    const tensor = tensors[other];
    return other && other !== i && tensor ? [{ title, tensor }] : [];
  });
}

/** @param {Frame} frame @param {number} i @returns {string} */
function dashReason(frame, i) {
  if (frame.node.inner)
    return i > 1 ? "autograd keeps none for a part of a line" : "a part of the line, without a name";
  if (i > 0 && frame.walk.lost.has(frame.node.name)) return "no longer leads to the loss";
  if (i > 0 && !frame.node.gradient) return (frame.node.no_gradient?.text ?? "no gradient").replace(/`/g, "");
  if (i > 1 && frame.walk.gradientAt(frame.node.name, frame.known).stage === "partial")
    return "compared when every path has arrived";
  const verdict = frame.known >= frame.step.index ? frame.node.gradient?.verdict : undefined;
  if (verdict?.kind === "lost" && i > 0) return "it can’t be computed any more";
  if (verdict?.level === "shape" && i > 2) return "of another shape: there is no difference, cell by cell";
  return "not yet computed";
}

/**
 * How far a tensor's numbers reach, beside the colours that they have.
 * @param {HTMLElement} bar @param {Tensor|null} tensor @param {number} max what full colour stands for
 * @param {Frame} frame @param {boolean} [wide] whether there is room for a number at both ends
 */
export function drawBar(bar, tensor, max, frame, wide = false) {
  if (!tensor) return bar.replaceChildren();
  if (tensor.codes) return bar.replaceChildren(codesText(tensor));
  const { broken } = tensor.stats;
  if (tensor.largest === 0)
    return bar.replaceChildren(broken ? el("span", { class: "broken" }, `${broken} not finite`) : "all zero");
  if (broken) return bar.replaceChildren(reachText(tensor), el("span", { class: "broken" }, `${broken} not finite`));
  bar.title = barTitle(tensor, max, frame);
  bar.replaceChildren(...barParts(tensor, colourStrip(bar, tensor, max, frame.state.theme), wide));
}

/** @param {Tensor} tensor @param {number} max @param {Frame} frame */
function barTitle(tensor, max, { walk, node }) {
  if (isRounding(walk, { tensor: node.name, of: "gradient" }, tensor))
    return "on the colour scale of what arrives: compared with that, this is nothing";
  return max > tensor.largest ? `full colour is ${numberText(max, 3)}` : "colour scale";
}

/**
 * @param {HTMLElement} bar @param {Tensor} tensor @param {number} max
 * @param {import("../shared/colour-scale.js").Theme} theme
 */
function colourStrip(bar, tensor, max, theme) {
  const ends = scaleEnds(tensor);
  const key = [theme, ...ends, max].join();
  const strip = bar.querySelector("canvas") ?? el("canvas", { "aria-hidden": "true" });
  if (strip.dataset.scale !== key) drawScale(strip, theme, ends, max || 1);
  strip.dataset.scale = key;
  return strip;
}

/** @param {Tensor} tensor @param {HTMLElement} strip @param {boolean} wide @returns {(HTMLElement|string)[]} */
function barParts(tensor, strip, wide) {
  const [least, most] = scaleEnds(tensor);
  if (wide) return [numberText(least, 3), strip, numberText(most, 3)];
  return [end(least < 0 ? "−" : "0"), strip, end(most > 0 ? "+" : "0"), reachText(tensor)];
}

/** @param {string} sign @returns {HTMLElement} which end of the colour scale is negative, and which is positive */
function end(sign) {
  return el("span", { class: "end", "aria-hidden": "true" }, sign);
}

/** @param {HTMLElement} side @param {Frame} frame @param {(Tensor|null)[]} tensors beside which the rows are named */
function drawSide(side, frame, tensors) {
  side.replaceChildren();
  const [tensor, ...others] = tensors.filter((one) => one !== null);
  if (!tensor || others.some((one) => one.whole.join() !== tensor.whole.join())) return;
  const rows = drawnSide(frame.walk.document.labels, frame.node.dims, tensor, "rows");
  const { height } = plotSize(tensor, 100);
  const names = el("div", { class: "names", style: `height:${plotHeight()}px` });
  if (rows.count > 1) {
    const focus = focusRow(frame.walk.document.in_focus, frame.node.dims, tensor);
    for (const i of ticks(rows.count, height, 11, focus))
      names.append(el("span", { style: `top:${((i + 0.5) / rows.count) * height}px` }, rows.name(i)));
  }
  const named = rows.count > 1 && rows.title.length <= AXIS; // what is longer stands below the charts
  side.append(el("span", { class: "axis" }, named ? `↓ ${rows.title}` : ""), names);
}

/** @param {Frame|null} frame @returns {string} what rows and columns are */
function axesWords(frame) {
  if (!frame || frame.node.shape.length === 0) return "";
  const manual = gradient(frame, "manual");
  const other = manual && manual.whole.join() !== frame.node.shape.join();
  if (other) return `value: ${shapeText(frame.node.shape)} · manual: ${shapeText(manual.whole)}`;
  const tensor = frame.walk.tensor(frame.node.value);
  const [rows, cols] = [drawnSide({}, frame.node.dims, tensor, "rows"), drawnSide({}, frame.node.dims, tensor, "cols")];
  const columns = cols.title.replace(" · ", tensor.whole.length === 3 ? ", in each " : " · ");
  const tile = tensor.block && `each cell here is the mean of a block of ${blockOf(tensor)}`;
  const beside = frame.step.direction === "forward" && !frame.state.projector; // there the picture names its rows
  return [!beside && rows.title && `rows: ${rows.title}`, columns && `columns: ${columns}`, tile]
    .filter(Boolean)
    .join(" · ");
}

/** @param {Frame|null} frame @returns {string} what the charts are good for, where they are first seen */
function advice(frame) {
  const first = frame && frame.step.index === frame.walk.forwardCount;
  return first && frame.node.shape.length ? " · point at a cell" : "";
}

/** @param {Frame} frame @param {number[]} cell @returns {(Node|string)[]} the numbers of one cell, in words */
function readoutOf(frame, cell) {
  const { node, walk } = frame;
  const values = KINDS.flatMap((kind) => {
    const tensor = shownBy(kind, frame);
    const value = tensor?.at(cell);
    if (tensor?.codes?.names && value !== undefined)
      return [` · ${tensor.codes.word} `, el("b", {}, codeAt(tensor, value)), `, as ${value}`];
    return value === undefined
      ? []
      : [` · ${kind.title} `, el("b", {}, numberText(value, !frame.pick ? 6 : kind.which === "difference" ? 3 : 4))];
  });
  // where a number is open, its place is told there
  const where = frame.pick
    ? ""
    : node.shape.length
      ? cellWords(walk.document.labels, node.dims, node.shape, cell)
      : shapeText(node.shape);
  const block = walk.tensor(node.value).block ? " block's mean" : "";
  return [el("b", {}, `[${cell.join(", ")}]`), where && ` ${where}`, block, ...values];
}
