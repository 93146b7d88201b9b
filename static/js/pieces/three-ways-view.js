import { badge } from "../walk/badge-view.js";
import { drawHeatmap } from "../shared/heatmap-view.js";
import { el, svg } from "../shared/dom/elements.js";
import { prose } from "../shared/prose-view.js";
import { shapeText } from "../shared/format.js";
import { numberIn } from "../shared/json-number.js";
import { Tensor } from "../shared/tensor.js";
import { mountPlaces } from "./places-view.js";
import { busiest, rowWords } from "./three-ways.js";
/** @typedef {import("./three-ways.js").ThreeWays} ThreeWays */

const MAP = { height: 250, cell: 12, between: 150 };

/**
 * An embedding's gradient as a loop, as index_add and as a one-hot product, with the picture that all three share:
 * which upstream rows land on which row of the table.
 * @param {HTMLElement} host @param {ThreeWays} made the answer of POST /api/threeways
 * @param {import("./piece-view.js").How} how `place` is the way it begins with, counted from 1
 */
export function drawThreeWays(host, made, { theme, place = 1, moved = () => undefined }) {
  const way = el("div", { class: "way-shown" });
  const words = el("p", { class: "landing-words", role: "status" });
  const [rows, gradient] = [new Tensor(made.rows), new Tensor(made.gradient)];
  const lines = svg("svg", { class: "landing-lines", "aria-hidden": "true", preserveAspectRatio: "none" });
  const range = el("input", { type: "range", min: 0, max: gradient.shape[0] - 1, step: 1 });

  /** @param {number} at */
  function draw(at) {
    const { name, code, text, check } = made.ways[at];
    way.replaceChildren(
      el("p", { class: "way-name" }, el("b", {}, name), badge(check.level, check.words)),
      el(
        "div",
        { class: "derivation-code" },
        ...code.split("\n").map((line) => el("code", { class: "derivation-line" }, line)),
      ),
      el("p", { class: "derivation-told" }, ...prose(text)),
    );
  }

  /** @param {number} row */
  function light(row) {
    range.value = String(row);
    words.replaceChildren(...prose(rowWords(made, row)));
    range.setAttribute("aria-valuetext", made.labels[row] ? `${row}, ${made.labels[row]}` : String(row));
    for (const line of lines.children) line.classList.toggle("lit", line.getAttribute("data-row") === String(row));
    // lit lines are drawn last, above the others
    lines.append(...[...lines.children].filter((line) => line.classList.contains("lit")));
  }

  const places = mountPlaces(host, {
    title: `${made.variable} in three ways`,
    class: "three-ways",
    count: made.ways.length,
    place,
    draw,
    spoken: (at) =>
      `${made.ways[at].name}: ${made.ways[at].check.level}, ${made.ways[at].check.words}. ${made.ways[at].text}`,
    moved,
  });
  const sheet = canvasOf(gradient, made, theme);
  const figure = el(
    "figure",
    { class: "landing" },
    column(`${made.upstream} by row`, rows.shape, canvasOf(rows, made, theme)),
    el("div", { class: "landing-between" }, lines),
    column(made.variable, gradient.shape, sheet),
  );
  drawLines(lines, made.places, gradient.shape[0]);
  places.on(range, "input", () => light(Number(range.value)));
  places.on(sheet, "click", (event) => {
    const box = sheet.getBoundingClientRect();
    light(Math.min(gradient.shape[0] - 1, Math.floor(((event.clientY - box.top) / box.height) * gradient.shape[0])));
  });
  places.body.append(way, figure, el("label", { class: "landing-row" }, `row of ${made.variable} `, range), words);
  places.begin();
  light(busiest(made.places));
  return places;
}

/** @param {string} name @param {number[]} shape @param {HTMLCanvasElement} canvas */
function column(name, shape, canvas) {
  return el("div", { class: "landing-column" }, el("p", {}, el("code", {}, name), ` ${shapeText(shape)}`), canvas);
}

/** @param {Tensor} tensor @param {ThreeWays} made @param {"light"|"dark"} theme */
function canvasOf(tensor, made, theme) {
  const canvas = el("canvas", { class: "heat", role: "img", "aria-label": `a heatmap, ${shapeText(tensor.shape)}` });
  const width = Math.max(24, Math.min(180, (tensor.shape[1] ?? 1) * MAP.cell));
  drawHeatmap(canvas, tensor, { max: numberIn(made.scale), theme, width, height: MAP.height });
  return canvas;
}

/** @param {SVGElement} root @param {number[]} places @param {number} rows one line from each upstream row to its row */
function drawLines(root, places, rows) {
  const [width, height] = [MAP.between, MAP.height];
  root.setAttribute("viewBox", `0 0 ${width} ${height}`);
  root.replaceChildren(
    ...places.map((row, at) => {
      const [from, to] = [((at + 0.5) / places.length) * height, ((row + 0.5) / rows) * height];
      const middle = width / 2;
      return svg("path", { d: `M0 ${from}C${middle} ${from} ${middle} ${to} ${width} ${to}`, "data-row": row });
    }),
  );
}
