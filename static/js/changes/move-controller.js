import { makeChancesLoader } from "./chances-loader.js";
import { mountChances } from "./chances-view.js";
import { makeCurveLoader } from "./curve-loader.js";
import { cutWords } from "./sliders.js";
import { mountMove } from "./move-view.js";
import { placeText, withChange } from "../walk/changes.js";
import { numberIn } from "../shared/json-number.js";
import { ApiError } from "../shared/api.js";
import { byId, el } from "../shared/dom/elements.js";
import { prose } from "../shared/prose-view.js";
/** @typedef {import("../walk/frame.js").Frame} Frame */
/** @typedef {import("../walk/store.js").State} State */
/** @typedef {import("../walk/walk.js").Walk} Walk */
/** @typedef {import("./curve.js").Curve} Curve */
/**
 * `ask` walks anew with these changes, `try` draws what they would do to a tensor, `close` puts the number down.
 * @typedef {{ask: (question: Partial<State>) => void, change: (change: Partial<State>) => void,
 *   try: (changes: import("../walk/changes.js").Change[], name: string) => void, close: () => void}} Acts
 */

/** @typedef {{name: string, index: number[], value: number}} Moved */

/**
 * The number that is looked into, taken in the hand: on the way only what is on the screen follows; where it stays the
 * whole walk is made anew.
 */
class MoveController {
  /** @param {Walk} walk @param {Acts} acts */
  constructor(walk, acts) {
    this.walk = walk;
    this.acts = acts;
    this.root = byId("hand");
    this.trouble = el("p", { class: "move-trouble", role: "alert", hidden: true });
    this.note = el("p", { class: "move-note" });
    /** @type {Frame|null} */
    this.frame = null;
    this.asked = "";
    /** @type {Curve|null} */
    this.held = null;
    /** @type {Moved|null} a move that is drawn and not yet kept */
    this.moved = null;
    this.loader = makeCurveLoader(walk, { curve: (curve) => this.#know(curve), failed: (error) => this.failed(error) });
    this.view = mountMove({
      moved: (value) => this.#move(value),
      grasped: (pointer) => {
        if (this.hand) this.hand.way.pointer = pointer;
      },
      kept: () => this.#keep(),
      back: () => this.#back(),
      delta: () => this.frame && acts.change({ delta: !this.frame.state.delta }),
    });
    this.likely = makeChancesLoader(walk);
    this.chances = mountChances();
    this.view.beside(this.chances.root);
    this.root.replaceChildren(this.note, this.view.root, this.trouble);
  }

  /** @returns {import("../walk/store.js").Hand|null|undefined} */
  get hand() {
    return this.frame?.state.hand;
  }

  failed = (/** @type {unknown} */ error) => {
    if (!(error instanceof ApiError)) throw error;
    this.trouble.replaceChildren(...prose(`${error.problem.message} ${error.problem.hint ?? ""}`));
    this.trouble.hidden = false;
  };

  /** @param {number} value */
  #move(value) {
    const { pick, state } = this.frame ?? {};
    if (!pick || !state?.hand) return;
    this.moved = { name: pick.tensor, index: pick.index, value };
    state.hand.way.value = value;
    this.acts.try(this.#changesWith(state, this.moved), pick.tensor);
  }

  /** @param {{tensor: string, index: number[]}} place @returns {string} as the code has it */
  #nameOf({ tensor, index }) {
    return placeText(this.walk.node(tensor).variable, index);
  }

  /** @param {State} state @param {Moved} move */
  #changesWith({ changes }, { name, index, value }) {
    return withChange(changes, { tensor: this.walk.node(name).variable, index, value });
  }

  /** What was moved stays: the walk is made anew with it. */
  #keep() {
    if (!this.frame || !this.moved) return;
    const changes = this.#changesWith(this.frame.state, this.moved);
    this.#rest();
    this.acts.ask({ changes });
  }

  /** Nothing is on its way any more. */
  #rest() {
    this.moved = null;
    if (this.hand) this.hand.way.value = null;
  }

  /** As it was before it was taken; from there, it is put down. */
  #back() {
    const { hand, changes } = this.frame?.state ?? {};
    const away = this.moved !== null || hand?.before !== changes;
    this.#rest();
    if (hand && away) this.acts.ask({ changes: hand.before, hand: { ...hand } });
    else this.acts.close();
  }

  /** @param {Curve} curve that was asked for: the number is in the hand now, and in sight */
  #know(curve) {
    if (!this.hand) return;
    this.acts.change({ hand: { ...this.hand, curve } });
    this.root.scrollIntoView({ block: "nearest" });
  }

  /** @param {Curve} curve of the number that is open */
  #hold(curve) {
    const { walk, view } = this;
    if (this.held === curve) return;
    this.held = curve;
    this.trouble.hidden = true;
    const value = walk.tensor(walk.node(curve.tensor).value).at(curve.index) ?? NaN;
    const names = { name: this.#nameOf(curve), loss: walk.lossName };
    view.hold(curve, names, value, numberIn(walk.document.loss.value));
    // what was moved while this walk was on its way goes on from there
    const { way } = this.hand ?? {};
    if (way && way.value !== null && way.value !== value) view.resume(way.value, way.pointer);
  }

  /** @param {import("../walk/pick.js").Pick} pick */
  #ask(pick) {
    const key = keyOf(pick);
    if (this.asked === key) return;
    this.asked = key;
    this.held = null;
    this.chances.forget(this.likely.offered);
    this.#likely(key);
    this.view.wait(this.#nameOf(pick));
    this.note.replaceChildren(...prose(cutWords(this.walk, pick.tensor)));
    this.note.hidden = !this.note.childNodes.length;
    const curve = this.hand?.curve;
    if (!curve || keyOf(curve) !== key) this.loader.along(pick.tensor, pick.index);
  }

  /** What each class gets: before the number was taken, and by now. @param {string} key */
  async #likely(key) {
    const now = this.frame?.state.changes ?? [];
    const before = this.hand?.before ?? now;
    for (const changes of before === now ? [now] : [before, now]) {
      const found = await this.likely.look(now, changes);
      if (!found || this.asked !== key || this.moved) continue;
      this.chances.update(found);
    }
  }

  update = (/** @type {Frame} */ frame) => {
    this.frame = frame;
    const { pick, state } = frame;
    const open = Boolean(state.hand) && pick !== null;
    this.root.hidden = !open;
    byId("story").classList.toggle("holding", open);
    if (!open) this.asked = "";
    // who goes on to something else within a moment of moving this has moved it all the same
    if (this.moved && (!open || !pick || keyOf(pick) !== `${this.moved.name} ${this.moved.index}`))
      queueMicrotask(() => this.#keep());
    if (!open || !pick) return;
    this.view.showDelta(state.delta);
    this.#ask(pick);
    const curve = state.hand?.curve;
    if (curve && this.asked === keyOf(curve)) this.#hold(curve);
  };

  focus = () => this.view.focus();

  /**
   * @param {number} loss that these changes make: while it was on its way the number may have gone on
   * @param {import("../walk/changes.js").Change[]} changes
   * @param {import("../walk/types.js").StepTensors} sent what the walk becomes
   */
  arrived = (loss, changes, sent) => {
    const last = changes.at(-1);
    if (!this.moved || !last || !("value" in last)) return;
    this.view.arrived(loss, last.value);
    const chances = this.likely.read(sent);
    if (chances) this.chances.update(chances);
  };

  unmount = () => {
    this.loader.unmount();
    this.view.unmount();
    this.root.replaceChildren();
    this.root.hidden = true;
    byId("story").classList.remove("holding");
  };
}

/** @param {Walk} walk @param {Acts} acts */
export const mountMoveController = (walk, acts) => new MoveController(walk, acts);

/** @param {{tensor: string, index: number[]}} place */
function keyOf({ tensor, index }) {
  return `${tensor} ${index}`;
}
