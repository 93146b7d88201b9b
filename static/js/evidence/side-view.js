import { drawnSide, focusRow, ticks } from "../shared/axis-labels.js";
import { plotHeight, plotSize } from "./chart-view.js";
import { el } from "../shared/dom/elements.js";
/** @typedef {import("../walk/frame.js").Frame} Frame */
/** @typedef {import("../shared/tensor.js").Tensor} Tensor */

/** Letters of an axis that have room above the names of the rows. */
const AXIS = 12;

/** @param {HTMLElement} side @param {Frame} frame @param {(Tensor|null)[]} tensors beside which the rows are named */
export function drawSide(side, frame, tensors) {
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
