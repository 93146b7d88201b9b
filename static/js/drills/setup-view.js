import { BOXES, countBoxes, isDue, nextDeck } from "../practice/boxes.js";
import { counted } from "../shared/plural.js";
import { el } from "../shared/dom/elements.js";
import { SIZES } from "./address.js";
/** @typedef {import("./deck.js").Drill} Drill */
/** @typedef {import("./deck.js").Group} Group */
/** @typedef {import("../practice/boxes.js").Boxes} Boxes */

/**
 * The choice of groups and of how many drills, before a deck is begun.
 * @param {HTMLElement} root
 * @param {{groups: Group[], drills: Drill[], boxes: Boxes, chosen: string[], most: number}} all
 */
export function fillSetup(root, { groups, drills, boxes, chosen, most }) {
  root.replaceChildren(
    el(
      "fieldset",
      { class: "drill-groups" },
      el("legend", {}, "Which rules?"),
      ...groups.map((group) => groupChoice(group, drills, boxes, !chosen.length || chosen.includes(group.name))),
    ),
    el(
      "fieldset",
      { class: "drill-sizes" },
      el("legend", {}, "How many?"),
      ...SIZES.map((size) =>
        el(
          "label",
          {},
          el("input", { type: "radio", name: "most", value: size, checked: size === most }),
          String(size),
        ),
      ),
    ),
    el("button", { type: "submit", class: "button strong" }, "Start"),
    boxesPicture(drills, boxes),
  );
}

/** @param {Group} group @param {Drill[]} drills @param {Boxes} boxes @param {boolean} checked */
function groupChoice({ name, title }, drills, boxes, checked) {
  const own = drills.filter(({ group }) => group === name);
  const due = own.filter(({ id }) => isDue(nextDeck(boxes), id)).length;
  return el(
    "label",
    {},
    el("input", { type: "checkbox", name: "group", value: name, checked }),
    el("span", {}, title),
    el("span", { class: "fact" }, due ? `${due} due of ${own.length}` : counted(own.length, "drill")),
  );
}

/** @param {Drill[]} drills @param {Boxes} boxes @returns {HTMLElement} how many drills lie in each box */
export function boxesPicture(drills, boxes) {
  const counts = countBoxes(
    boxes,
    drills.map(({ id }) => id),
  );
  const titles = ["new", "every deck", ...Array.from({ length: BOXES - 1 }, (_, i) => `every ${2 ** (i + 1)}th`)];
  titles[2] = "every other";
  return el(
    "figure",
    { class: "boxes" },
    el("ol", {}, ...counts.map((count, i) => el("li", {}, el("b", {}, String(count)), el("span", {}, titles[i])))),
    el(
      "figcaption",
      {},
      "A drill that is right at once comes half as often, at last in every 16th deck. Any other is back in the next.",
    ),
  );
}
