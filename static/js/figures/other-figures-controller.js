import { drawAnswer } from "../lens/highlights-view.js";
import { makeJacobianLoader } from "../jacobian/jacobian-loader.js";
import { mountJacobian } from "../jacobian/jacobian-view.js";
import { mountTugOfWar } from "../tug-of-war/tug-of-war-view.js";
import { namedIn, stepAt } from "./block.js";
import { need } from "./drawing.js";
import { mountFigure } from "./figure-controller.js";
import { neededAt } from "./step-figure-controller.js";
/** @typedef {import("./drawing.js").Context} Context */
/** @typedef {import("./drawing.js").Figure} Figure */
/** @typedef {import("../walk/walk.js").Walk} Walk */

/** `dlogits[0]` as a tug-of-war, with the rope of one example. @param {Context} context @returns {Figure} */
export function drawRope(context) {
  const { body, block, walk: first } = context;
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
    context,
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
    nudged: figure.nudged,
    spot: () => ({ step, cell: figure.frame().state.cell }),
    unmount: figure.unmount,
  };
}

/** `Y w`: the step from Y back to w as a product with its local Jacobian. @param {Context} context @returns {Figure} */
export function drawJacobian(context) {
  const { body, block, walk: first } = context;
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
      context,
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
