import { frameOf } from "../walk/frame.js";
import { mountLensController } from "../lens/lens-controller.js";
import { mountPointing } from "../lens/pointing-controller.js";
import { NOTHING, heldIn } from "../walk/pick.js";
import { Predictions } from "../quiz/predictions.js";
import { motionTime } from "../walk/tempo.js";
import { cleanups, el, reducedMotion } from "../shared/dom/elements.js";
import { watchWidth } from "../shared/dom/watch-width.js";
import { resting } from "./block.js";
/** @typedef {import("../walk/frame.js").Frame} Frame */
/** @typedef {import("../walk/store.js").State} State */
/** @typedef {import("../walk/walk.js").Walk} Walk */
/** @typedef {import("../lens/pickable-cells-view.js").Acts} Maps */
/** @typedef {import("../lens/pickable-cells-view.js").Pointed} Pointed */
/** @typedef {import("../lens/highlights.js").Lights} Lights */
/** @typedef {import("../lens/lens.js").Term} Term */
/** @typedef {import("../equation/equation-view.js").Space} Space */
/**
 * A picture of a frame, as the walk has them.
 * @typedef {{update: (frame: Frame) => void, unmount: () => void,
 *   point?: (frame: Frame, lights: Lights|null, hot: Term|null) => void, answer?: (pointed: Pointed|null) => void,
 *   play?: (how: {duration: number, backwards: boolean}) => void, repaint?: (frame: Frame) => boolean,
 *   marks?: () => import("../wobble/wobble-view.js").Mark[]}} View
 *   `repaint` shows other numbers in the same picture, where it can
 */
/** @typedef {(root: HTMLElement, space: Space, maps: Maps) => View} Mount */
/**
 * What a figure knows of the page: how it looks now, and who speaks; `hold` a number until `letGo`, where there is
 * something that wobbles with it.
 * @typedef {{theme: () => "light"|"dark", projector: () => boolean, say: (words: string) => void,
 *   hold?: (nudged: import("../wobble/wobble.js").Nudged) => void, letGo?: () => void}} Look
 */

/** Room of a picture on a page that is read, in pixels. */
const HEIGHT = 300;
let figures = 0;

/**
 * A picture of one moment of a walk that lives outside the Walk page: its cells answer the pointer and open below it.
 * @param {HTMLElement} box @param {Walk} first @param {Partial<State>} place @param {Mount} mount @param {Look} look
 */
export function mountFigure(box, first, place, mount, look) {
  return new Figure(box, first, place, mount, look);
}

class Figure {
  /**
   * @param {HTMLElement} box @param {Walk} walk @param {Partial<State>} place @param {Mount} mount @param {Look} look
   */
  constructor(box, walk, place, mount, look) {
    this.box = box;
    this.walk = walk;
    this.look = look;
    this.predictions = new Predictions();
    /** @type {State} */
    this.state = { ...resting(look.theme(), look.projector()), ...place };
    /** @type {ReturnType<typeof mountLensController>|null} */
    this.lens = null;
    /** @type {[Lights|null, Term|null]} */
    this.shining = [null, null];
    this.picture = el("div", { class: "figure-picture" });
    this.root = lensBox();
    box.append(this.picture, this.root);
    this.pointing = mountPointing((pointed) => this.view.answer?.(pointed));
    const width = watchWidth(box, () => this.draw());
    const space = { width: () => width.now, height: () => this.height(), large: look.projector };
    this.view = mount(this.picture, space, this.maps());
    this.undo = this.listen();
    this.undo.add(width.unmount);
    this.draw();
  }

  /** @returns {Maps} what a cell does */
  maps() {
    const { hold, letGo } = this.look;
    return {
      ...(hold && { hold: (tensor, index) => hold({ tensor, index }), letGo }),
      pick: (...args) => this.open().pick(...args),
      enter: (...args) => this.open().enter(...args),
      extend: (...args) => this.open().pick(...args),
      follow: (term) => this.open().follow(term),
      pointing: this.pointing,
    };
  }

  listen() {
    const undo = cleanups();
    undo.add(this.pointing.unmount);
    undo.add(() => this.view.unmount());
    undo.add(() => this.lens?.unmount());
    undo.on(this.box, "keydown", (event) => {
      if (event.key !== "Escape" || !this.state.cell || !this.lens) return;
      event.stopPropagation();
      this.lens.close();
    });
    return undo;
  }

  /** @returns {number} */
  height() {
    return this.look.projector() ? Math.max(240, innerHeight * 0.5) : HEIGHT;
  }

  /** @returns {Frame} */
  frame() {
    return frameOf(this.walk, this.state, this.predictions);
  }

  /** Opens the number that the state names; mounted when a cell is first picked. */
  open() {
    if (this.lens) return this.lens;
    const change = (/** @type {Partial<State>} */ next) => this.change(next);
    const { say } = this.look;
    const acts = { change, jump: change, say, tell: say, shine: this.shine };
    this.lens = mountLensController(this.walk, acts, this.root);
    this.lens.update(this.frame());
    return this.lens;
  }

  /** @type {(lights: Lights|null, hot: Term|null) => void} */
  shine = (lights, hot) => {
    this.shining = [lights, hot];
    this.view.point?.(this.frame(), lights, hot);
  };

  /**
   * A figure stays at its step: a term that leads elsewhere opens here, as a number of another tensor.
   * @param {Partial<State>} next
   */
  change(next) {
    const { walk, state } = this;
    const { step, node } = this.frame();
    const away = next.step === undefined || next.step === step.index ? null : walk.steps[walk.clamp(next.step)].node;
    const tensor = next.node ?? away ?? next.tensor ?? null;
    this.state = { ...state, ...next, step: step.index, node: state.node, view: state.view };
    if ("cell" in next) this.state.tensor = tensor === node.name ? null : tensor;
    const now = this.frame();
    this.open().update(now);
    this.view.point?.(now, ...this.shining);
    this.box.dispatchEvent(new CustomEvent("gradwalk:opened", { bubbles: true }));
  }

  draw() {
    const now = this.frame();
    this.pointing.update(now);
    this.view.update(now);
    this.lens?.update(now);
  }

  /** @param {Partial<State>} [next] another place of the same walk, or the same in another look */
  show(next = {}) {
    this.move({ ...next, theme: this.look.theme(), projector: this.look.projector() });
    this.draw();
  }

  /** @param {Partial<State>} next another place, which the next walk is drawn at */
  move(next) {
    this.state = { ...this.state, ...next };
  }

  /** @param {Walk} next with other numbers @param {boolean} rests whether they stay for now */
  update(next, rests) {
    this.walk = next;
    const { cell, of, tensor, path, trail } = this.state;
    if (rests) this.shut();
    const now = this.frame();
    this.pointing.update(now);
    if (!this.view.repaint?.(now)) this.view.update(now);
    if (cell && rests) this.change({ ...NOTHING, cell, of, tensor, path, trail });
  }

  /** The lens goes, which shows the numbers of one walk. */
  shut() {
    if (!this.lens) return;
    this.lens.unmount();
    this.lens = null;
    this.shining = [null, null];
  }

  /** @returns {boolean} whether anything may move */
  play = () => {
    if (reducedMotion() || !this.view.play) return false;
    this.view.play({ duration: motionTime(1), backwards: false });
    return true;
  };

  marks = () => this.view.marks?.() ?? [];

  nudged = () => heldIn(this.frame());

  unmount = () => {
    this.undo.run();
    this.box.replaceChildren();
  };
}

function lensBox() {
  const id = `lens-${(figures += 1)}`;
  const props = { class: "lens", role: "group", id, tabindex: -1, hidden: true, "aria-labelledby": `${id}-title` };
  return el("div", props);
}
