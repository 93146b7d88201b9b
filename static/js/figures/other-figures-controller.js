import { drawAnswer } from "../lens/highlights-view.js";
import { makeJacobianLoader } from "../jacobian/jacobian-loader.js";
import { mountGraph } from "../graph/graph-view.js";
import { mountJacobian } from "../jacobian/jacobian-view.js";
import { mountTugOfWar } from "../tug-of-war/tug-of-war-view.js";
import { el, icon } from "../shared/dom/elements.js";
import { stepWords } from "../walk/announcement.js";
import { namedIn, stepAt } from "./block.js";
import { need } from "./drawing.js";
import { mountFigure } from "./figure-controller.js";
import { headOf, neededAt } from "./step-figure-controller.js";
/** @typedef {import("./drawing.js").Context} Context */
/** @typedef {import("./drawing.js").Figure} Figure */
/** @typedef {import("../walk/walk.js").Walk} Walk */

/** `dlogits[0]` as a tug-of-war, with the rope of one example. @param {Context} context @returns {Figure} */
export function drawRope({ body, block, walk: first, theme, projector, say }) {
  const named = need(namedIn(first, block.argument), block);
  let walk = first;
  const at = () => walk.backwardIndex.get(named.tensor)?.at(-1) ?? null;
  const step = need(at(), block);
  const cellIn = (/** @type {number} */ row) => [row, walk.node(named.tensor).targets?.[row] ?? 0];
  const figure = mountFigure(
    body,
    walk,
    { step, cell: cellIn(named.index?.[0] ?? 0) },
    (root, space, maps) =>
      mountTugOfWar(root, space, {
        maps,
        outline: drawAnswer,
        row: (row) => figure.show({ cell: cellIn(row), of: null }),
      }),
    { theme, projector, say },
  );
  return {
    update(next, rests) {
      walk = next;
      const index = at();
      if (index === null) return;
      figure.move({ step: index });
      figure.update(next, rests);
    },
    needs: () => neededAt(walk, at() ?? step),
    redraw: () => figure.show(),
    spot: () => ({ step, cell: figure.frame().state.cell }),
    unmount: figure.unmount,
  };
}

/** `Y w`: the step from Y back to w as a product with its local Jacobian. @param {Context} context @returns {Figure} */
export function drawJacobian({ body, block, walk: first, theme, projector, say }) {
  const [result, input] = block.argument.split(" ");
  let walk = first;
  const at = () => stepAt(walk, "backward", input, result) ?? stepAt(walk, "backward", input);
  const begun = need(at(), block);
  /** @type {ReturnType<typeof mountFigure>|null} */
  let figure = null;

  /** A walk with other numbers has other Jacobians. @param {number} step */
  function mount(step) {
    figure?.unmount();
    const jacobians = makeJacobianLoader(walk);
    figure = mountFigure(
      body,
      walk,
      { step, view: "jacobian" },
      (root, space) => mountJacobian(root, space, { jacobians, cell: (cell) => figure?.show({ cell }) }),
      { theme, projector, say },
    );
  }
  mount(begun);
  return {
    update(next, rests) {
      walk = next;
      const step = at();
      if (step !== null && rests) mount(step);
    },
    redraw: () => figure?.show(),
    spot: () => ({ step: begun, view: "jacobian" }),
    unmount: () => figure?.unmount(),
  };
}

const ROW = 34;

/** The graph, to be walked through where it stands. @param {Context} context @returns {Figure} */
export function drawGraph({ body, walk: first, theme, projector, say }) {
  let walk = first;
  let step = 0;
  const back = el("button", { type: "button", class: "round", "aria-label": "Previous step" }, icon("back"));
  const next = el("button", { type: "button", class: "round", "aria-label": "Next step" }, icon("next"));
  const head = el("div", { class: "figure-head" });
  const where = el("span", { class: "figure-where" });
  const sheet = el("div", { class: "graph" });
  const box = el("div", { class: "figure-box figure-graph" });
  const signs = { root: el("div", { class: "legend", hidden: true }), fold: el("button", { type: "button" }) };
  body.replaceChildren(el("div", { class: "figure-steps" }, back, next, where), head, box);
  const rows = walk.document.nodes.filter((node) => node.line !== null).length;
  sheet.style.height = `${rows * ROW + 24}px`;
  const mount = (/** @type {HTMLElement} */ root) => {
    root.append(sheet);
    /** @type {{walk: Walk, view: ReturnType<typeof mountGraph>}|null} */
    let drawn = null;
    return {
      update(/** @type {import("../walk/frame.js").Frame} */ frame) {
        if (drawn?.walk !== frame.walk) {
          drawn?.view.unmount();
          drawn = { walk: frame.walk, view: mountGraph(sheet, frame.walk, choose, signs) };
        }
        drawn.view.update(frame);
      },
      unmount: () => drawn?.view.unmount(),
    };
  };
  const figure = mountFigure(box, walk, { step }, mount, { theme, projector, say });

  /** @param {string} name */
  function choose(name) {
    const found = walk.stepFor(name, step);
    if (found !== null) go(found);
  }

  /** @param {number} index @param {boolean} [quiet] */
  function go(index, quiet = false) {
    step = walk.clamp(index);
    figure.show({ step });
    head.replaceChildren(...headOf(walk, step));
    where.textContent = stepWords(walk, walk.steps[step]);
    back.disabled = step === 0;
    next.disabled = step === walk.steps.length - 1;
    if (!quiet) say(`${where.textContent}: ${walk.steps[step].code}`);
  }
  back.addEventListener("click", () => go(step - 1));
  next.addEventListener("click", () => go(step + 1));
  go(0, true);
  return {
    update(made, rests) {
      walk = made;
      if (!rests) return;
      figure.update(made, rests);
      go(step, true);
    },
    redraw: () => figure.show(),
    spot: () => ({ step }),
    unmount: figure.unmount,
  };
}
