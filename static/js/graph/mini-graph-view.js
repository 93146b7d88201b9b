import { svg } from "../shared/dom/elements.js";
import { rowsOf } from "./graph-rows.js";
import { dotLook, isWalked, miniGraphOf } from "./mini-graph.js";
/** @typedef {import("../walk/frame.js").Frame} Frame */

/**
 * Where in the graph a step is, for a screen that has no room for the graph.
 * @param {import("../walk/walk.js").Walk} walk
 */
export function mountMiniGraph(walk) {
  const { width, height, dots, ways, bands } = miniGraphOf(rowsOf(walk.document));
  const lines = ways.map((way) => ({ way, path: svg("path", { d: way.path }) }));
  const marks = dots.map(({ name, x, y }) => ({ name, dot: svg("circle", { cx: x, cy: y, r: 4 }) }));
  const root = svg(
    "svg",
    { class: "mini-graph", viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true" },
    ...bands.map((band) => svg("rect", { class: "mini-band", x: band.left, y: 0, width: band.width, height, rx: 4 })),
    ...lines.map(({ path }) => path),
    ...marks.map(({ dot }) => dot),
  );
  root.style.setProperty("--dots", String(dots.length));
  return {
    /** @param {Frame} frame @returns {SVGElement} */
    at(frame) {
      root.classList.toggle("goes-back", frame.step.direction === "backward");
      for (const { way, path } of lines) path.setAttribute("class", isWalked(way, frame) ? "way now" : "way");
      for (const { name, dot } of marks) {
        const look = dotLook(name, frame);
        dot.setAttribute("class", look);
        dot.setAttribute("r", look.endsWith(" now") ? "6.5" : "4");
      }
      return root;
    },
    unmount: () => root.remove(),
  };
}
