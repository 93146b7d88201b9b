import { numberIn } from "../shared/json-number.js";
import { numberText } from "../shared/format.js";
import { stepText } from "../evidence/oracles.js";
import { curveOf, curveWords, rowsOf } from "./error-curve.js";
import { cleanups, el } from "../shared/dom/elements.js";
import { hasPlotly, plotly } from "../evidence/plotly-view.js";
/** @typedef {import("./differences.js").Nudge} Nudge */
/** @typedef {import("../shared/colour-scale.js").Theme} Theme */
/** @typedef {import("./error-curve.js").Curve} Curve */

const NOTHING = 1e-17;

/** The error of a central difference against its step, as a plot, and folded away as a table of the same numbers. */
export function mountErrorCurve() {
  const undo = cleanups();
  const slot = el("div", { class: "curve-plot", "aria-hidden": "true" });
  const numbers = el("div", { class: "curve-table", tabindex: 0, role: "region", "aria-label": "Error for each step" });
  const words = el("p", { class: "curve-words" });
  const fold = el("details", { class: "curve-fold" }, el("summary", {}, "the same as a table"), numbers);
  const root = el("section", { class: "curve", "aria-label": "Error against step" }, slot, words, fold);
  if (!hasPlotly()) tableAlone(slot, fold);
  /** @type {(() => void)|null} */
  let redraw = null;
  const observer = new ResizeObserver(() => redraw?.());
  observer.observe(slot);
  undo.add(() => observer.disconnect());

  /** @param {Curve} curve @param {Nudge} nudge @param {Theme} theme */
  async function plot(curve, nudge, theme) {
    const mine = () =>
      Plotly.react(slot, traces(curve, nudge, theme), layout(curve, nudge, theme, slot), {
        displayModeBar: false,
        responsive: false,
        staticPlot: false,
        doubleClick: "reset",
      });
    const Plotly = await plotly().catch(() => null);
    if (!Plotly) {
      slot.textContent = "The plot did not arrive; the table has its numbers.";
      return;
    }
    redraw = () => slot.clientWidth && mine();
    redraw();
  }

  return {
    root,
    /** @param {Nudge} nudge @param {Theme} theme */
    update(nudge, theme) {
      root.hidden = !nudge.sweep?.length;
      if (!nudge.sweep?.length) return;
      const curve = curveOf(nudge.sweep);
      words.textContent = curveWords(curve, { kink: nudge.kink !== null, stencil: nudge.stencil });
      numbers.replaceChildren(table(rowsOf(curve, nudge)));
      if (hasPlotly()) plot(curve, nudge, theme);
    },
    unmount: undo.run,
  };
}

/** @param {HTMLElement} slot @param {HTMLDetailsElement} fold @returns {void} recorded pages have no plot of it */
function tableAlone(slot, fold) {
  slot.hidden = true;
  fold.open = true;
}

/** @param {import("./error-curve.js").Row[]} rows */
function table(rows) {
  const told = rows.some((row) => row.kind);
  return el(
    "table",
    {},
    el(
      "thead",
      {},
      el("tr", {}, ...["step h", "error", ...(told ? ["kind"] : [])].map((name) => el("th", { scope: "col" }, name))),
    ),
    el(
      "tbody",
      {},
      ...rows.map((row) =>
        el(
          "tr",
          { class: row.used ? "used" : null },
          el("th", { scope: "row" }, stepText(row.step)),
          el("td", {}, numberText(row.error, 2)),
          told ? el("td", {}, row.kind) : null,
        ),
      ),
    ),
  );
}

/** @param {Theme} theme */
function inks(theme) {
  return theme === "dark"
    ? { ink: "#ede9df", muted: "#a69f92", rule: "#36332c", line: "#a79bff", used: "#f0764d" }
    : { ink: "#211f1b", muted: "#696359", rule: "#e6e1d6", line: "#5646c2", used: "#cf4a22" };
}

/** @param {Curve} curve @param {Nudge} nudge @param {Theme} theme */
function traces({ points }, nudge, theme) {
  const { line, used } = inks(theme);
  const error = numberIn(nudge.relative_error);
  const all = {
    type: "scatter",
    mode: "lines+markers",
    x: points.map(({ step }) => step),
    y: points.map(({ error }) => Math.max(error, NOTHING)),
    line: { color: line, width: 2 },
    marker: { color: line, size: 6 },
    hovertemplate: "h = %{x:.1e}<br>error %{y:.1e}<extra></extra>",
  };
  if (nudge.kink) return [all];
  return [
    all,
    {
      type: "scatter",
      mode: "markers",
      x: [nudge.step],
      y: [Math.max(error, NOTHING)],
      marker: { color: used, size: 13, symbol: "diamond-open", line: { width: 2.5 } },
      hovertemplate: `used: h = %{x:.1e}, ${nudge.stencil} points<br>error %{y:.1e}<extra></extra>`,
    },
  ];
}

/** @param {Curve} curve @param {Nudge} nudge @param {Theme} theme @param {HTMLElement} slot */
function layout(curve, nudge, theme, slot) {
  const { muted, rule, used } = inks(theme);
  const size = parseFloat(getComputedStyle(slot).fontSize) || 12;
  const [bottom, top] = spreadOf(curve, nudge);
  const every = top - bottom > 9 ? 3 : top - bottom > 4 ? 2 : 1;
  const axis = { ...AXIS, color: muted, gridcolor: rule };
  const title = (/** @type {string} */ text) => ({ text, standoff: size / 2 });
  return {
    width: slot.clientWidth,
    height: slot.clientHeight,
    margin: { l: 4.6 * size, r: size, t: 3.8 * size, b: 3.6 * size },
    showlegend: false,
    paper_bgcolor: "rgba(0,0,0,0)",
    plot_bgcolor: "rgba(0,0,0,0)",
    font: { family: "monospace", size: size * 0.92, color: muted },
    hoverlabel: { font: { family: "monospace", size } },
    xaxis: { ...axis, dtick: 2, title: title("step h") },
    yaxis: { ...axis, dtick: every, title: title("error"), range: [bottom - 1.2, top + 0.8] },
    shapes: nudge.kink ? [] : [{ ...MARK, x0: nudge.step, x1: nudge.step, line: { ...MARK.line, color: used } }],
    annotations: annotations(curve, nudge, theme, size),
  };
}

const AXIS = { type: "log", zeroline: false, exponentformat: "power", fixedrange: true, ticks: "" };
const MARK = { type: "line", xref: "x", yref: "paper", y0: 0, y1: 1, line: { width: 1.5, dash: "dot" } };

/** @param {Curve} curve @param {Nudge} nudge @returns {[number, number]} decades from the least error to the largest */
function spreadOf({ points }, nudge) {
  const errors = [...points.map(({ error }) => error), ...(nudge.kink ? [] : [numberIn(nudge.relative_error)])];
  const decades = errors.map((error) => Math.log10(Math.max(error, NOTHING)));
  return [Math.min(...decades), Math.max(...decades)];
}

/** @param {Curve} curve @param {Nudge} nudge @param {Theme} theme @param {number} size of the letters */
function annotations({ rounding, truncation }, nudge, theme, size) {
  const { ink, used } = inks(theme);
  const label = (/** @type {string} */ text, /** @type {object} */ more) => ({
    text,
    showarrow: false,
    font: { size, color: ink },
    ...{ yref: "paper", y: 1, yanchor: "bottom", yshift: size * 1.5 },
    ...more,
  });
  const over = { x: Math.log10(nudge.step), xref: "x", xanchor: "center", yshift: 0, font: { size, color: used } };
  return [
    ...(rounding === null ? [] : [label("← rounding", { xref: "paper", x: 0, xanchor: "left" })]),
    ...(truncation === null ? [] : [label("truncation →", { xref: "paper", x: 1, xanchor: "right" })]),
    ...(nudge.kink ? [] : [label(`used: ${nudge.stencil} points`, over)]),
  ];
}
