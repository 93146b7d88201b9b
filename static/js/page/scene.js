/** @typedef {import("../walk/frame.js").Frame} Frame */
/** @typedef {import("../lens/highlights.js").Lights} Lights */
/** @typedef {import("../lens/lens.js").Term} Term */
/**
 * A view of the walk, by what it hears of. A frame is drawn in three passes: `update` writes what stands around the
 * picture; `reveal` may read positions then; `finish` takes the room that is left. `follow` is the same step with other
 * numbers, again and again, `tried` the loss that they make. `light` shows the lines and nodes that an open number
 * lights up, `point` its marks in pictures of tensors, with the term that is pointed at, `answer` what belongs to the
 * cell that is pointed at.
 * @typedef {{update?: (frame: Frame) => void, reveal?: (frame: Frame) => void, finish?: (frame: Frame) => void,
 *   follow?: (frame: Frame) => void, tried?: (loss: number) => void, light?: (lights: Lights|null) => void,
 *   point?: (frame: Frame, lights: Lights|null, hot: Term|null) => void,
 *   marks?: () => import("../wobble/wobble-view.js").Mark[],
 *   answer?: (pointed: import("../lens/pickable-cells-view.js").Pointed|null) => void, unmount: () => void}} View
 */

/** @param {() => void} act */
function atOnce(act) {
  act();
}

/** The frame that is drawn, and the views that draw it, each in its turn. */
export class Scene {
  constructor() {
    /** @type {Frame|null} */
    this.frame = null;
    /** @type {View[]} */
    this.views = [];
    /** @type {Partial<Record<keyof Frame["state"], View[]>>} the few that show this of the state; of the rest all do */
    this.alone = {};
    /** @type {[Lights|null, Term|null]} what an open number lights up, and its term that is pointed at */
    this.shining = [null, null];
    /** How often all has been drawn: what was to be finished before that is not. */
    this.turn = 0;
  }

  /** @param {Frame} frame @param {() => void} revealed @param {typeof atOnce} [finishing] when room is taken */
  draw(frame, revealed, finishing = atOnce) {
    const turn = (this.turn += 1);
    this.#surround(frame, this.views, revealed);
    finishing(() => {
      if (turn !== this.turn) return;
      const now = this.frame ?? frame;
      for (const view of this.views) view.finish?.(now);
      this.point(now);
    });
  }

  /** @param {Frame} frame @param {(keyof Frame["state"])[]} keys that have changed @returns {boolean} few show them */
  drawFew(frame, keys) {
    const few = keys.length > 0 && keys.every((key) => key in this.alone);
    const views = few ? [...new Set(keys.flatMap((key) => this.alone[key] ?? []))] : [];
    this.#surround(frame, views);
    for (const view of views) view.finish?.(frame);
    return few;
  }

  /** @param {Frame} frame @param {View[]} views @param {() => void} [revealed] */
  #surround(frame, views, revealed = () => undefined) {
    for (const view of views) view.update?.(frame);
    // reading positions makes the browser lay out the page: once, after everything around the picture has been written
    for (const view of views) view.reveal?.(frame);
    revealed();
  }

  /** @param {Frame} frame */
  follow(frame) {
    for (const view of this.views) view.follow?.(frame);
    this.point(frame);
  }

  /** Marks and lights in every picture of a tensor. @param {Frame} frame */
  point(frame) {
    for (const view of this.views) view.point?.(frame, ...this.shining);
  }

  /** @param {Lights|null} lights @param {Term|null} hot */
  shine(lights, hot) {
    if (!lights && !this.shining[0]) return;
    this.shining = [lights, hot];
    for (const view of this.views) view.light?.(lights);
    if (this.frame) this.point(this.frame);
  }

  /** @param {import("../lens/pickable-cells-view.js").Pointed|null} pointed */
  answer(pointed) {
    for (const view of this.views) view.answer?.(pointed);
  }

  /** @returns {import("../wobble/wobble-view.js").Mark[]} what stands for a tensor, wherever it is drawn */
  marks() {
    return this.views.flatMap((view) => view.marks?.() ?? []);
  }

  /** @param {number} loss */
  tried(loss) {
    for (const view of this.views) view.tried?.(loss);
  }

  unmount() {
    for (const view of this.views.splice(0).reverse()) view.unmount();
  }
}
