import { drawHeatmap } from "../shared/heatmap-view.js";
import { el } from "../shared/dom/elements.js";
import { numberText, percentText, shapeText } from "../shared/format.js";
import { prose } from "../shared/prose-view.js";
import { Tensor, gridOf } from "../shared/tensor.js";
import { bars } from "./bars-view.js";
import { mountPlaces } from "./places-view.js";
/** @typedef {import("./types.js").Saturation} Saturation */

const MAP = { width: 240, height: 140 };

/**
 * The cells of an activation that let next to nothing through, while a slider scales a parameter above it.
 * @param {HTMLElement} host @param {Saturation} made the answer of POST /api/saturation
 * @param {import("./piece-view.js").How} how `place` is the scale it begins with, counted from 1; without one the
 *   parameter as it is; `settle` asks for another parameter, where that is possible
 */
export function drawSaturation(host, made, { theme, place, moved = () => undefined, settle }) {
  const [value, flat] = [0, 1].map(() => el("canvas", { class: "heat", role: "img" }));
  const told = el("p", { class: "derivation-told" });
  const charts = el("div", { class: "saturation-charts" });
  const labels = made.scales.map((scale) => `${numberText(scale)}×`);

  /** @param {number} at */
  function draw(at) {
    const point = made.points[at];
    const cells = new Tensor(point.value);
    const { rows, cols } = gridOf(cells.shape);
    const side = Math.max(0.5, Math.min(MAP.width / cols, MAP.height / rows, 26));
    const look = { theme, width: Math.max(30, cols * side), height: Math.max(12, rows * side) };
    drawHeatmap(value, cells, { ...look, max: cells.stats.maxAbs });
    drawHeatmap(flat, new Tensor(point.flat), { ...look, max: 1 });
    value.setAttribute("aria-label", `${made.tensor}, ${shapeText(made.shape)}`);
    flat.setAttribute("aria-label", `${percentText(point.share)} of its cells are flat`);
    told.replaceChildren(...prose([point.text, made.constant].filter(Boolean).join(" ")));
    charts.replaceChildren(
      bars({
        title: "share of flat cells",
        values: made.points.map(({ share }) => share),
        labels,
        current: at,
        format: shortPercent,
      }),
      bars({ title: `norm of d${made.through}`, values: made.points.map(({ norm }) => norm), labels, current: at }),
    );
  }

  const places = mountPlaces(host, {
    title: `What ${made.tensor} lets through`,
    class: "saturation",
    count: made.points.length,
    place: place ?? made.usual + 1,
    slider: (at) => `${labels[at]} ${made.parameter}`,
    draw,
    spoken: (at) => `${made.points[at].text} The norm in front is ${made.points[at].norm}.`,
    moved,
  });
  if (settle && made.parameters.length > 1) places.head.prepend(choice(made, settle, places.on));
  places.body.append(
    el(
      "div",
      { class: "saturation-maps" },
      el("figure", {}, value, el("figcaption", {}, el("code", {}, made.tensor))),
      el("figure", {}, flat, el("figcaption", {}, made.rule)),
    ),
    told,
    charts,
  );
  places.begin();
  return places;
}

/** @param {number} share @returns {string} as short as it has to be above a bar */
function shortPercent(share) {
  if (share === 0) return "0 %";
  return share < 0.001 ? "<0.1 %" : percentText(share);
}

/**
 * @param {Saturation} made @param {(settings: object) => void} settle
 * @param {ReturnType<typeof mountPlaces>["on"]} on
 */
function choice(made, settle, on) {
  const select = el(
    "select",
    { "aria-label": "parameter that is scaled" },
    ...made.parameters.map((name) => el("option", { value: name, selected: name === made.parameter }, name)),
  );
  on(select, "change", () => settle({ parameter: select.value }));
  return select;
}
