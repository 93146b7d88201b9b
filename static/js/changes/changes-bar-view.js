import { adjusted, effectWords, keyOf, turnsOf } from "./sliders.js";
import { changedSwitch } from "./changed-switch-view.js";
import { Slider } from "./slider-view.js";
import { cleanups, el } from "../shared/dom/elements.js";
import { labelOf } from "../shell/keys.js";
/** @typedef {import("../walk/changes.js").Change} Change */
/**
 * `keep` walks with these changes alone, `attempt` shows what they would do; `own` takes the walk over as a program of
 * one's own, `delta` switches between what there is and what has changed.
 * @typedef {{keep: (changes: Change[]) => void, attempt: (changes: Change[]) => void, undo: () => void,
 *   own: () => void, delta: () => void}} Acts
 */

/** Milliseconds without a key after which a slider stays where it is. */
const CALM = 700;

/** What of the walk was changed by hand, each change a slider with its own name; and the ways back. */
class ChangesBar {
  /** @param {HTMLElement} root @param {Acts} acts */
  constructor(root, acts) {
    this.root = root;
    this.acts = acts;
    this.undo = cleanups();
    /** @type {Change[]} that the walk is made with */
    this.kept = [];
    /** @type {Change[]|null} those that the sliders stand for, while they are not kept yet */
    this.attempt = null;
    /** The slider that was moved last. */
    this.moving = 0;
    /** @type {Change|null} what was kept or made last, until the walk with it tells what it did */
    this.awaited = null;
    /** @type {ReturnType<typeof setTimeout>|undefined} */
    this.calm = undefined;
    this.pressing = false;
    /** @type {Map<string, Slider>} */
    this.sliders = new Map();
    this.parts = partsOf(root);
    this.#listen();
  }

  #listen() {
    const { undo, acts } = this;
    const { last, all, own, delta } = this.parts;
    undo.on(last, "click", acts.undo);
    undo.on(all, "click", () => acts.keep([]));
    undo.on(own, "click", acts.own);
    undo.on(delta, "click", acts.delta);
    // what the mouse presses would hear of no click if it were drawn anew before: so nothing is kept until then
    undo.on(document, "mousedown", () => (this.pressing = true), true);
    undo.on(document, "mouseup", () => this.#release(), true);
    undo.on(document, "click", () => this.#keep(), true);
  }

  #release() {
    this.pressing = false;
    if (this.attempt) this.#keepSoon();
  }

  #keepSoon() {
    clearTimeout(this.calm);
    this.calm = setTimeout(() => this.#keepUnlessPressed(), CALM);
  }

  #keepUnlessPressed() {
    if (!this.pressing) this.#keep();
  }

  #keep() {
    clearTimeout(this.calm);
    if (!this.attempt) return;
    this.awaited = this.attempt[this.moving];
    this.acts.keep(this.attempt);
  }

  /** @param {number} at @param {number} amount */
  #move(at, amount) {
    clearTimeout(this.calm);
    this.attempt = adjusted(this.attempt ?? this.kept, at, amount);
    this.moving = at;
    this.acts.attempt(this.attempt);
  }

  /** @returns {boolean} whether there was anything to take back */
  #back() {
    if (!this.attempt) return false;
    clearTimeout(this.calm);
    this.acts.keep([...this.kept]); // what was tried is drawn already
    return true;
  }

  /** @param {number} at */
  #away(at) {
    clearTimeout(this.calm);
    this.acts.keep((this.attempt ?? this.kept).filter((_, i) => i !== at));
  }

  /** @param {string} key @returns {Slider} the same one for as long as its change is there, and when it comes again */
  #sliderFor(key) {
    const known = this.sliders.get(key);
    if (known) return known;
    const at = () => this.#placeIn(key);
    const slider = new Slider({
      moved: (amount) => this.#move(at(), amount),
      stays: () => this.#keep(),
      soon: () => this.#keepSoon(),
      left: () => this.#keepUnlessPressed(),
      back: () => this.#back(),
      away: () => this.#away(at()),
    });
    this.sliders.set(key, slider);
    return slider;
  }

  /** @param {string} key */
  #placeIn(key) {
    return [...this.parts.list.children].findIndex((one) => one === this.sliders.get(key)?.root);
  }

  /** @param {Change[]} changes */
  #draw(changes) {
    const { list } = this.parts;
    const shown = turnsOf(changes).map((key, i) => {
      const slider = this.#sliderFor(key);
      slider.set(changes[i]);
      return slider.root;
    });
    if (shown.some((one, i) => list.children[i] !== one) || list.children.length !== shown.length)
      list.replaceChildren(...shown);
  }

  /** @param {Change[]} changes @param {boolean} changed whether what changed is drawn */
  update = (changes, changed) => {
    const { list, all, delta } = this.parts;
    delta.setAttribute("aria-checked", String(changed));
    if (changes === this.kept) return;
    clearTimeout(this.calm);
    this.attempt = null;
    const grown = changes.length > this.kept.length;
    if (keyOfAll(changes) !== keyOfAll(this.kept)) this.#say("");
    this.kept = changes;
    this.root.hidden = changes.length === 0;
    all.textContent = changes.length < 2 ? "put it back" : "put all back";
    this.#draw(changes);
    if (grown) list.scrollLeft = list.scrollWidth;
  };

  /** @param {string} words seen and heard */
  #say(words) {
    this.parts.spoken.textContent = this.parts.told.textContent = words;
  }

  /** @param {string} lossName @param {number} before @param {number} after what the sliders make of the loss */
  tried = (lossName, before, after) => {
    if (this.attempt) this.parts.told.textContent = effectWords(this.attempt[this.moving], lossName, before, after);
  };

  /** @param {string} lossName @param {number} before @param {number} after the loss of another walk that is there */
  walked = (lossName, before, after) => {
    if (this.awaited) this.#say(effectWords(this.awaited, lossName, before, after));
    this.awaited = null;
  };

  /** To the slider of the change that was made last. */
  made = () => {
    this.awaited = this.kept[this.kept.length - 1];
    /** @type {HTMLElement|null} */ (this.parts.list.lastElementChild?.querySelector("input"))?.focus();
  };

  unmount = () => {
    clearTimeout(this.calm);
    this.undo.run();
  };
}

/** @param {HTMLElement} root @param {Acts} acts */
export const mountChangesBar = (root, acts) => new ChangesBar(root, acts);

/** @param {HTMLElement} root */
function partsOf(root) {
  const list = el("ul", { class: "changes-list", "aria-label": "Changes" });
  const told = el("p", { class: "changes-effect" });
  const spoken = el("p", { class: "unseen", role: "status" }); // not each of the many losses on the way
  const last = el("button", { type: "button", class: "link", title: `Undo (${labelOf("undo")})` }, "undo");
  const all = el("button", { type: "button", class: "link" });
  const own = el("button", { type: "button", class: "link" }, "keep as a program");
  const delta = changedSwitch();
  root.replaceChildren(el("span", { class: "changes-words" }, "Changed:"), list, told, spoken, delta, last, all, own);
  return { list, told, spoken, last, all, own, delta };
}

/** @param {Change[]} changes */
function keyOfAll(changes) {
  return changes.map(keyOf).join();
}
