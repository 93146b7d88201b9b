import { feltMost, loudest } from "../walk/pick.js";
import { namedIn } from "./block.js";
import { need } from "./drawing.js";
import { mountFigure } from "./figure-controller.js";
import { mountSheets } from "./sheet-view.js";
/** @typedef {import("./drawing.js").Context} Context */
/** @typedef {import("./drawing.js").Figure} Figure */
/** @typedef {import("./block.js").Named} Named */
/** @typedef {import("../walk/walk.js").Walk} Walk */

/** A tensor: its value, or its gradient once every path has arrived. @param {Context} context @returns {Figure} */
export function drawTensor(context) {
  const { walk, block } = context;
  const named = need(namedIn(walk, block.argument), block);
  return sheet(context, named, { step: walk.steps.length - 1 });
}

/** One number, open: the terms that it is the sum of. @param {Context} context @returns {Figure} */
export function drawCell(context) {
  const { walk, block } = context;
  const named = need(namedIn(walk, block.argument), block);
  const { tensor, of } = named;
  const { value, gradient } = walk.node(tensor);
  const wire = need(of === "value" ? value : gradient?.manual, block);
  const cell = named.index ?? loudest(walk.tensor(wire));
  const step = walk.steps.length - 1;
  const other = walk.steps[step].node === tensor ? null : tensor;
  return sheet(context, named, { step, cell, of, tensor: other }, true);
}

/**
 * @param {Context} context @param {Named} named @param {Partial<import("../walk/store.js").State>} place
 * @param {boolean} [open] whether a number is open from the beginning
 */
function sheet(context, { tensor, of }, place, open = false) {
  let { walk } = context;
  const subject = { tensor, of };
  /** @type {import("./figure-controller.js").Mount} */
  const mount = (root, space, maps) => mountSheets(root, space, maps, [subject], context.block.props.largest);
  const figure = mountFigure(context.body, walk, place, mount, context);
  if (open) figure.open();
  return {
    /** @param {Walk} next @param {boolean} rests */
    update(next, rests) {
      walk = next;
      figure.move({ step: walk.steps.length - 1 });
      figure.update(next, rests);
    },
    needs: () => ({ steps: [], nodes: [tensor] }),
    redraw: () => figure.show(),
    nudged() {
      const { gradient, value } = walk.node(tensor);
      const index = figure.frame().state.cell ?? feltMost(walk, [tensor])?.index;
      if (!index && !gradient) return null;
      return { tensor, index: index ?? loudest(walk.tensor(value)) };
    },
    marks: figure.marks,
    spot() {
      const { cell } = figure.frame().state;
      const step = of === "value" ? walk.forwardIndex.get(tensor) : walk.backwardIndex.get(tensor)?.at(-1);
      return step === undefined ? { step: 0, tensor, cell, of } : { step, cell, of };
    },
    unmount: figure.unmount,
  };
}
