import { button } from "../shared/dom/button.js";
import { labelOf } from "../shared/axis-labels.js";
import { el, icon } from "../shared/dom/elements.js";
import { blockNames, cellBeside, waysOf } from "./jacobian.js";
/** @typedef {import("../walk/frame.js").Frame} Frame */
/** @typedef {import("./jacobian.js").Jacobian} Jacobian */

/**
 * @param {Frame} frame @param {Jacobian} answer @param {(along: import("./jacobian.js").Pair|null) => void} cut
 * @returns {HTMLElement|null} along which axis it is cut into blocks, where more than one will do
 */
function cutter(frame, answer, cut) {
  const ways = waysOf(frame, answer);
  if (!ways.length) return null;
  const buttons = ways.map(({ along, text, now }) => {
    const props = { class: "way", "aria-pressed": String(now), "data-part": `cut ${along ?? "whole"}` };
    return button(props, () => cut(along), text);
  });
  return el(
    "div",
    { class: "ways", role: "group", "aria-label": "Along which axis it is cut into blocks" },
    ...buttons,
  );
}

/**
 * @param {Frame} frame @param {Jacobian} answer @param {(cell: number[]) => void} choose
 * @param {(along: import("./jacobian.js").Pair|null) => void} cut
 */
export function stepper(frame, answer, choose, cut) {
  const ways = cutter(frame, answer, cut);
  if (!answer.along.length) return el("div", { class: "stepper" }, ways);
  const { node, walk } = frame;
  const label =
    answer.along.length === 1 ? labelOf(walk.document.labels, node.dims[answer.along[0][1]], answer.at[0]) : null;
  const arrow = (/** @type {string} */ name, /** @type {string} */ words, /** @type {number} */ by) => {
    const props = { class: "quiet", "aria-label": words, "data-part": name };
    return button(props, () => choose(cellBeside(frame, answer, by)), icon(name));
  };
  return el(
    "div",
    { class: "stepper", role: "group", "aria-label": "Which block" },
    ways,
    arrow("back", "the block before", -1),
    el(
      "span",
      { "aria-live": "polite" },
      // beside the axes to choose from, the one that is chosen needs no name
      ...blockNames(frame, answer).flatMap((name, i) => [
        el("span", { class: ways ? "unseen" : null }, name.slice(0, name.lastIndexOf(" ") + 1)),
        `${answer.at[i]}${i < answer.at.length - 1 ? ", " : ""}`,
      ]),
      label ? el("code", {}, label) : null,
    ),
    arrow("next", "the next block", 1),
  );
}
