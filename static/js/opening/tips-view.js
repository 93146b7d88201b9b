import { mountPopover } from "../shared/dom/popover.js";
import { el } from "../shared/dom/elements.js";
import { numberText, shapeText } from "../shared/format.js";
/** @typedef {import("./scene.js").Scene} Scene */
/** @typedef {import("./scene.js").Tile} Tile */

const ROLES = {
  parameter: "A parameter: training moves it.",
  data: "The letters that the network reads.",
  target: "The letter that comes next: what it should guess.",
};

/** What a tensor of the picture is, where it is pointed at. @param {Scene} scene */
export function mountTips({ tiles }) {
  const { unmount } = mountPopover(".opening-tile", ({ dataset }) => {
    const tile = tiles.find(({ name }) => name === dataset.tile);
    return tile ? tipOf(tile) : null;
  });
  return { unmount };
}

/** @param {Tile} tile @returns {HTMLElement[]} */
function tipOf({ variable, shape, line, lane, own, norm }) {
  const head = [el("b", {}, variable), el("span", { class: "name-shape" }, shapeText(shape))];
  const said = line ? el("code", {}, line) : ROLES[/** @type {keyof typeof ROLES} */ (lane)];
  const notes = [
    ...(own && line ? ["The picture shows this example’s row."] : []),
    ...(norm ? [`The norm of its gradient is ${numberText(norm, 3)}.`] : []),
  ];
  return [
    el("p", { class: "name-head" }, ...head),
    el("p", {}, said),
    ...notes.map((note) => el("p", { class: "name-what" }, note)),
  ];
}
