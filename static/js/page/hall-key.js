import { numberText } from "../shared/format.js";
/** @typedef {import("../walk/frame.js").Frame} Frame */

/**
 * What a slide's colours mean, for who came late: of what the step makes, how large its numbers get.
 * @param {Frame} frame @returns {string} "dC ± 0.0522"; empty where there are no colours, or they are still asked for
 */
export function hallKey({ walk, node, step, known, asking, inspecting, pick }) {
  const back = step.direction === "backward" && !inspecting;
  const tensor = back ? walk.gradientAt(node.name, known).tensor : walk.tensor(node.value);
  if (asking || pick || !tensor || tensor.size < 2 || tensor.codes) return "";
  return `${back ? "d" : ""}${node.variable}\u00a0±\u00a0${numberText(tensor.largest, 3)}`;
}
