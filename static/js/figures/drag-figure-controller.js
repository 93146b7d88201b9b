import { makeCurveLoader } from "../changes/curve-loader.js";
import { mountMove } from "../changes/move-view.js";
import { cutWords } from "../changes/sliders.js";
import { ApiError } from "../shared/api.js";
import { numberIn } from "../shared/json-number.js";
import { cleanups, el } from "../shared/dom/elements.js";
import { prose } from "../shared/prose-view.js";
import { placeOf, placeText, withChanges } from "../walk/changes.js";
import { namedIn } from "./block.js";
import { need } from "./drawing.js";
import { mountFigure } from "./figure-controller.js";
import { others } from "./program-loader.js";
import { mountSheets } from "./sheet-view.js";
/** @typedef {import("./drawing.js").Context} Context */
/** @typedef {import("./drawing.js").Figure} Figure */
/** @typedef {import("../changes/curve.js").Curve} Curve */

/** What a figure shows of itself, whatever else it is to show. */
const OWN = new Set(["loss", "tangent"]);

/**
 * A number to be dragged: the loss along it with its tangent, and the tensors beside it; everything else on the page
 * that belongs to the same program follows.
 * @param {Context} context @returns {Figure}
 */
export function drawDrag({ body, block, program, walk: first, theme, projector, say }) {
  const undo = cleanups();
  const named = need(namedIn(first, block.argument), block);
  const begun = need(program.begun, block);
  const { variable } = begun.node(named.tensor);
  const index = named.index ?? begun.node(named.tensor).shape.map(() => 0);
  const place = placeText(variable, index);
  let walk = first;
  /** @type {Curve|null} */
  let held = null;
  let basis = "";
  const trouble = el("p", { class: "move-trouble", role: "alert", hidden: true });
  const home = el("button", { type: "button", class: "link put-back", hidden: true }, `put ${place} back`);
  const beside = el("div", { class: "figure-box drag-beside" });
  const own = {
    tensor: variable,
    index,
    value: numberIn(need(begun.tensor(begun.node(named.tensor).value).at(index), block)),
  };
  // the loss along this number, wherever the others are by now
  const along = {
    get request() {
      return withChanges(program.request, others(program.changes, own));
    },
  };
  const curves = makeCurveLoader(along, { curve: hold, failed }, withinOf(block.props));
  const view = mountMove({
    moved(value) {
      program.move({ ...own, value }, false);
    },
    kept: () => view.value !== null && program.move({ ...own, value: view.value }, true),
    back,
    grasped: () => {},
    delta: () => {},
  });
  const note = cutWords(begun, named.tensor);
  body.replaceChildren(
    el("div", { class: "drag-hand" }, view.root, trouble),
    note ? el("p", { class: "move-note" }, ...prose(note)) : "",
    beside,
    home,
  );
  const subjects = String(block.props.show ?? "")
    .split(",")
    .map((name) => name.trim())
    .flatMap((name) => (OWN.has(name) || !name ? [] : [need(namedIn(begun, name), block)]))
    .map(({ tensor, of }) => ({ tensor, of }));
  const figure = subjects.length
    ? mountFigure(
        beside,
        walk,
        { step: walk.steps.length - 1 },
        (root, space, maps) => mountSheets(root, space, maps, subjects),
        { theme, projector, say },
      )
    : null;
  undo.on(home, "click", () => {
    back();
    view.focus();
  });
  undo.add(view.unmount);
  undo.add(curves.unmount);
  undo.add(() => figure?.unmount());
  ask();

  function back() {
    program.back(own);
    view.wait(place); // a key that was pressed a moment ago moves nothing any more
    if (held) view.hold(held, names(), numberIn(held.value), numberIn(held.loss));
    say(`${place} is back.`);
  }

  /** The curve depends on where the other numbers are. */
  function ask() {
    const key = JSON.stringify(others(program.changes, own));
    if (key === basis && held) return;
    basis = key;
    if (!held) view.wait(place);
    curves.along(named.tensor, index);
  }

  /** @param {Curve} curve */
  function hold(curve) {
    held = curve;
    trouble.hidden = true;
    view.hold(curve, names(), valueNow(), numberIn(walk.document.loss.value));
    arrived();
  }

  /** Where the number is by now, with the slope that is there. */
  function arrived() {
    view.arrived(numberIn(walk.document.loss.value), valueNow(), slopeNow());
  }

  /** @returns {number|null} the gradient of the number; null where the walk shows it at another place still */
  function slopeNow() {
    const { value, gradient } = walk.node(named.tensor);
    const there = cellOf(value);
    const near = there !== null && Math.abs(there - valueNow()) <= 1e-6 * Math.max(1, Math.abs(there));
    return near && gradient && !walk.lost.has(named.tensor) ? cellOf(gradient.manual) : null;
  }

  /** @param {import("../walk/types.js").Wire} wire @returns {number|null} */
  function cellOf(wire) {
    const tensor = walk.tensor(wire);
    return tensor.block ? null : (tensor.at(index) ?? null);
  }

  function names() {
    return { name: place, loss: walk.lossName };
  }

  /** @returns {number} as it was moved, with all of its digits */
  function valueNow() {
    const moved = program.shown.find((one) => placeOf(one) === place);
    return moved && "value" in moved ? moved.value : numberIn(held?.value ?? own.value);
  }

  /** @param {unknown} error */
  function failed(error) {
    if (!(error instanceof ApiError)) throw error;
    trouble.replaceChildren(...prose(`${error.problem.message} ${error.problem.hint ?? ""}`));
    trouble.hidden = false;
  }

  return {
    update(next, rests) {
      walk = next;
      home.hidden = !program.changes.some((one) => placeOf(one) === place);
      arrived();
      figure?.move({ step: walk.steps.length - 1 });
      figure?.update(walk, rests);
      if (rests) ask();
    },
    needs: () => ({ steps: [], nodes: [named.tensor, ...subjects.map(({ tensor }) => tensor)] }),
    redraw() {
      if (!held) curves.along(named.tensor, index);
      figure?.show();
    },
    spot: () => ({ step: begun.forwardIndex.get(named.tensor) ?? 0, cell: index, of: "value", tensor: named.tensor }),
    unmount: undo.run,
  };
}

/** @param {Record<string, any>} props @returns {import("../changes/curve.js").Within|null} as the chapter has it */
function withinOf({ from, to, axis }) {
  return from === undefined ? null : { least: from, greatest: to, log: axis === "log" };
}
