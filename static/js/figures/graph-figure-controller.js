import { el, icon } from "../shared/dom/elements.js";
import { watchWidth } from "../shared/dom/watch-width.js";
import { stepWords } from "../walk/announcement.js";
import { feltMost, loudest } from "../walk/pick.js";
import { drawGraphOf } from "./drawn-graph-view.js";
import { headOf } from "./step-figure-controller.js";
/** @typedef {import("./drawing.js").Context} Context */
/** @typedef {import("./drawing.js").Figure} Figure */
/** @typedef {import("../walk/walk.js").Walk} Walk */
/** @typedef {import("../wobble/wobble.js").Nudged} Nudged */

/** Of a page that is read, and of a projector: how wide a letter is, and how high a node. */
const LETTERS = { page: { letter: 7.9, high: 42 }, hall: { letter: 12.2, high: 64 } };
/** As high as a graph of many lines becomes; of a projector what is left beside caption, tools and rims. */
const HIGHEST = 900;
const AROUND = 300;

/** The graph: whole at first, then walked step by step where it stands. @param {Context} context @returns {Figure} */
export function drawGraph({ body, walk: first, projector, say, hold, letGo }) {
  let walk = first;
  /** @type {number|null} none while the whole is shown */
  let step = null;
  const [back, next] = [tool("Previous step", "back"), tool("Next step", "next")];
  const head = el("div", { class: "figure-head" });
  const where = el("span", { class: "figure-where" });
  const box = el("div", { class: "figure-box figure-graph" });
  body.replaceChildren(box, el("div", { class: "figure-steps" }, back, next, where), head);
  const graph = drawGraphOf(walk, {
    choose(name) {
      const found = walk.stepFor(name, step ?? 0) ?? walk.backwardIndex.get(name)?.at(-1);
      if (found !== undefined) go(found);
    },
    hold: hold && ((name) => hold(loudestOf(walk, name))),
    letGo,
  });
  box.append(graph.root);
  const width = watchWidth(box, place);
  back.addEventListener("click", () => go(step || null, -1));
  next.addEventListener("click", () => go(step ?? -1, 1));

  function place() {
    const hall = projector();
    const letters = hall ? LETTERS.hall : LETTERS.page;
    graph.place({ width: width.now, height: hall ? Math.max(240, innerHeight - AROUND) : HIGHEST, ...letters });
  }

  /** @param {number|null} from @param {number} [by] */
  function go(from, by = 0) {
    step = from === null ? null : walk.clamp(from + by);
    show();
    if (step !== null) say(`${where.textContent}: ${walk.steps[step].code}`);
  }

  function show() {
    graph.update(walk, step);
    head.replaceChildren(...(step === null ? [] : headOf(walk, step)));
    where.textContent = step === null ? "Walk it" : stepWords(walk, walk.steps[step]);
    back.disabled = step === null;
    next.disabled = step === walk.steps.length - 1;
  }
  place();
  show();
  return {
    update(made) {
      walk = made;
      show();
    },
    redraw: place,
    spot: () => ({ step: step ?? 0 }),
    nudged: () => heldOf(walk, step),
    marks: graph.marks,
    unmount() {
      graph.unmount();
      width.unmount();
    },
  };
}

/** @param {Walk} walk @param {string} name @returns {Nudged} its cell that the loss feels most, else the largest */
function loudestOf(walk, name) {
  return feltMost(walk, [name]) ?? { tensor: name, index: loudest(walk.tensor(walk.node(name).value)) };
}

/** @param {Walk} walk @param {number|null} step @returns {Nudged|null} of the step; of the whole, where it begins */
function heldOf(walk, step) {
  const { node } = walk.steps[step ?? 0];
  const here = step === null ? [] : [node, ...walk.node(node).inputs];
  const given = [...walk.nodes.values()].filter(({ role }) => role === "parameter").map(({ name }) => name);
  return feltMost(walk, [...here, ...given, ...walk.nodes.keys()]);
}

/** @param {string} label @param {string} sign */
function tool(label, sign) {
  return el("button", { type: "button", class: "round", "aria-label": label }, icon(sign));
}
