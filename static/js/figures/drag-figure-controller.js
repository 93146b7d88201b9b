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
/** @typedef {import("../walk/walk.js").Walk} Walk */

/** What a figure shows of itself, whatever else it is to show. */
const OWN = new Set(["loss", "tangent"]);

/**
 * A number to be dragged: the loss along it with its tangent, and the tensors beside it; everything else on the page
 * that belongs to the same program follows.
 * @param {Context} context @returns {Figure}
 */
export function drawDrag(context) {
  const drag = new Drag(context);
  return {
    update: (walk, rests) => drag.update(walk, rests),
    needs: () => ({ steps: [], nodes: [drag.node, ...drag.subjects.map(({ tensor }) => tensor)] }),
    redraw: () => drag.redraw(),
    spot: () => drag.spot(),
    nudged: () => ({ tensor: drag.node, index: drag.index }),
    marks: () => drag.figure?.marks() ?? [],
    unmount: drag.unmount,
  };
}

class Drag {
  /** @param {Context} context */
  constructor(context) {
    const { block, program, walk } = context;
    const named = need(namedIn(walk, block.argument), block);
    this.context = context;
    this.walk = walk;
    this.begun = need(program.begun, block);
    this.node = named.tensor;
    const { variable, shape, value } = this.begun.node(this.node);
    this.index = named.index ?? shape.map(() => 0);
    this.place = placeText(variable, this.index);
    const first = numberIn(need(this.begun.tensor(value).at(this.index), block));
    this.own = { tensor: variable, index: this.index, value: first };
    /** @type {Curve|null} */
    this.held = null;
    this.basis = "";
    this.subjects = subjectsOf(this.begun, block);
    this.trouble = el("p", { class: "move-trouble", role: "alert", hidden: true });
    this.home = el("button", { type: "button", class: "link put-back", hidden: true }, `put ${this.place} back`);
    this.curves = this.loader();
    this.view = this.mover();
    this.figure = this.draw();
    this.unmount = this.listen();
    this.ask();
  }

  /** Asks for the loss along this number, wherever the others are by now. */
  loader() {
    const { program, block } = this.context;
    const { own } = this;
    const along = {
      get request() {
        return withChanges(program.request, others(program.changes, own));
      },
    };
    return makeCurveLoader(along, { curve: this.hold, failed: this.failed }, withinOf(block.props));
  }

  mover() {
    const { program } = this.context;
    return mountMove({
      moved: (value) => program.move({ ...this.own, value }, false),
      kept: () => {
        if (this.view.value !== null) program.move({ ...this.own, value: this.view.value }, true);
      },
      back: () => this.back(),
      grasped: () => {},
      delta: () => {},
    });
  }

  draw() {
    const { body } = this.context;
    const { walk, subjects } = this;
    const note = cutWords(this.begun, this.node);
    const beside = el("div", { class: "figure-box drag-beside" });
    body.replaceChildren(
      el("div", { class: "drag-hand" }, this.view.root, this.trouble),
      note ? el("p", { class: "move-note" }, ...prose(note)) : "",
      beside,
      this.home,
    );
    /** @type {import("./figure-controller.js").Mount} */
    const mount = (root, space, maps) => mountSheets(root, space, maps, subjects);
    const last = { step: walk.steps.length - 1 };
    return subjects.length ? mountFigure(beside, walk, last, mount, this.context) : null;
  }

  /** @returns {() => void} */
  listen() {
    const undo = cleanups();
    undo.on(this.home, "click", () => {
      this.back();
      this.view.focus();
    });
    undo.add(this.view.unmount);
    undo.add(this.curves.unmount);
    undo.add(() => this.figure?.unmount());
    return undo.run;
  }

  back() {
    const { held, view, place } = this;
    this.context.program.back(this.own);
    view.wait(place); // a key that was pressed a moment ago moves nothing any more
    if (held) view.hold(held, this.names(), numberIn(held.value), numberIn(held.loss));
    this.context.say(`${place} is back.`);
  }

  /** The curve depends on where the other numbers are. */
  ask() {
    const key = JSON.stringify(others(this.context.program.changes, this.own));
    if (key === this.basis && this.held) return;
    this.basis = key;
    if (!this.held) this.view.wait(this.place);
    this.curves.along(this.node, this.index);
  }

  /** @type {(curve: Curve) => void} */
  hold = (curve) => {
    this.held = curve;
    this.trouble.hidden = true;
    this.view.hold(curve, this.names(), this.valueNow(), this.lossNow());
    this.arrived();
  };

  /** @type {(error: unknown) => void} */
  failed = (error) => {
    if (!(error instanceof ApiError)) throw error;
    this.trouble.replaceChildren(...prose(`${error.problem.message} ${error.problem.hint ?? ""}`));
    this.trouble.hidden = false;
  };

  /** Where the number is by now, with the slope that is there. */
  arrived() {
    this.view.arrived(this.lossNow(), this.valueNow(), this.slopeNow());
  }

  /** @returns {number|null} the gradient of the number; null where the walk shows it at another place still */
  slopeNow() {
    const { value, gradient } = this.walk.node(this.node);
    const there = this.cellOf(value);
    const near = there !== null && Math.abs(there - this.valueNow()) <= 1e-6 * Math.max(1, Math.abs(there));
    return near && gradient && !this.walk.lost.has(this.node) ? this.cellOf(gradient.manual) : null;
  }

  /** @param {import("../walk/types.js").Wire} wire @returns {number|null} */
  cellOf(wire) {
    const tensor = this.walk.tensor(wire);
    return tensor.block ? null : (tensor.at(this.index) ?? null);
  }

  names() {
    return { name: this.place, loss: this.walk.lossName };
  }

  /** @returns {number} */
  lossNow() {
    return numberIn(this.walk.document.loss.value);
  }

  /** @returns {number} as it was moved, with all of its digits */
  valueNow() {
    const moved = this.context.program.shown.find((one) => placeOf(one) === this.place);
    return moved && "value" in moved ? moved.value : numberIn(this.held?.value ?? this.own.value);
  }

  /** @param {Walk} walk @param {boolean} rests */
  update(walk, rests) {
    this.walk = walk;
    this.home.hidden = !this.context.program.changes.some((one) => placeOf(one) === this.place);
    this.arrived();
    this.figure?.move({ step: walk.steps.length - 1 });
    this.figure?.update(walk, rests);
    if (rests) this.ask();
  }

  redraw() {
    if (!this.held) this.curves.along(this.node, this.index);
    this.figure?.show();
  }

  /** @returns {import("./deep-link.js").Spot} */
  spot() {
    const step = this.begun.forwardIndex.get(this.node) ?? 0;
    return { step, cell: this.index, of: "value", tensor: this.node };
  }
}

/** @param {Walk} walk @param {import("./block.js").Block} block the tensors that it shows beside the number */
function subjectsOf(walk, block) {
  const names = String(block.props.show ?? "").split(",");
  return names
    .map((name) => name.trim())
    .filter((name) => name && !OWN.has(name))
    .map((name) => need(namedIn(walk, name), block))
    .map(({ tensor, of }) => ({ tensor, of }));
}

/** @param {Record<string, any>} props @returns {import("../changes/curve.js").Within|null} as the chapter has it */
function withinOf({ from, to, axis }) {
  return from === undefined ? null : { least: from, greatest: to, log: axis === "log" };
}
