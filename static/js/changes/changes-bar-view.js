import { adjusted, effectWords, keyOf, sliderOf } from "./sliders.js";
import { changeWords, withAmount } from "../walk/changes.js";
import { cleanups, el, icon } from "../shared/dom/elements.js";
import { labelOf } from "../shell/keys.js";
import { prose } from "../shared/prose-view.js";
/** @typedef {import("../walk/changes.js").Change} Change */
/**
 * `keep` walks with these changes alone, `attempt` shows what they would do; `own` takes the walk over as a program of
 * one's own, `delta` switches between what there is and what has changed.
 * @typedef {{keep: (changes: Change[]) => void, attempt: (changes: Change[]) => void, undo: () => void,
 *   own: () => void, delta: () => void}} Acts
 */
/** @typedef {{root: HTMLElement, set: (change: Change) => void, range: HTMLInputElement}} Chip */

/** Milliseconds without a key after which a slider stays where it is. */
const CALM = 700;

/**
 * What of the walk was changed by hand, each change a slider with its own name; and the ways back.
 * @param {HTMLElement} root @param {Acts} acts
 */
export function mountChangesBar(root, acts) {
  const undo = cleanups();
  /** @type {Change[]} that the walk is made with */
  let kept = [];
  /** @type {Change[]|null} those that the sliders stand for, while they are not kept yet */
  let tried = null;
  /** The slider that was moved last. */
  let moving = 0;
  /** @type {Change|null} what was kept or made last, until the walk with it tells what it did */
  let awaited = null;
  /** @type {ReturnType<typeof setTimeout>|undefined} */
  let calm;
  let pressing = false;
  /** @type {Map<string, {chip: Chip, most: number}>} */
  const chips = new Map();
  const list = el("ul", { class: "changes-list", "aria-label": "Changes" });
  const told = el("p", { class: "changes-effect" });
  const spoken = el("p", { class: "unseen", role: "status" }); // not each of the many losses on the way
  const last = el("button", { type: "button", class: "link", title: `Undo (${labelOf("undo")})` }, "undo");
  const all = el("button", { type: "button", class: "link" });
  const own = el("button", { type: "button", class: "link" }, "keep as a program");
  const delta = el(
    "button",
    { type: "button", class: "switch", role: "switch", "aria-checked": "false" },
    "what changed",
    el("i"),
  );
  root.replaceChildren(el("span", { class: "changes-words" }, "Changed:"), list, told, spoken, delta, last, all, own);
  undo.on(last, "click", acts.undo);
  undo.on(all, "click", () => acts.keep([]));
  undo.on(own, "click", acts.own);
  undo.on(delta, "click", acts.delta);
  // what the mouse presses would hear of no click if it were drawn anew before: so nothing is kept until then
  undo.on(document, "mousedown", () => (pressing = true), true);
  undo.on(document, "mouseup", release, true);
  undo.on(document, "click", keep, true);

  function release() {
    pressing = false;
    if (tried) keepSoon();
  }

  function keepSoon() {
    clearTimeout(calm);
    calm = setTimeout(keepUnlessPressed, CALM);
  }

  function keepUnlessPressed() {
    if (!pressing) keep();
  }

  /** @param {number} at @param {number} amount */
  function move(at, amount) {
    clearTimeout(calm);
    tried = adjusted(tried ?? kept, at, amount);
    moving = at;
    acts.attempt(tried);
  }

  function keep() {
    clearTimeout(calm);
    if (!tried) return;
    awaited = tried[moving];
    acts.keep(tried);
  }

  /** @param {string} key @param {() => number} at its place in the list @returns {Chip} */
  function chipFor(key, at) {
    const name = el("span", { class: "change-name" });
    const range = el("input", { type: "range", class: "change-range" });
    const away = el("button", { type: "button", class: "quiet change-away" }, icon("close"));
    // the name comes last: as it grows and shrinks, the slider stays below the pointer
    const chip = el("li", { class: "change" }, el("label", {}, range, name), away);
    /** @type {Change|null} */
    let change = null;
    let pressed = false;
    range.addEventListener("pointerdown", () => (pressed = true));
    range.addEventListener("input", () => {
      move(at(), Number(range.value));
      if (change) write(withAmount(change, Number(range.value)));
    });
    range.addEventListener("change", () => {
      if (pressed) keep();
      else keepSoon();
      pressed = false;
    });
    range.addEventListener("blur", keepUnlessPressed);
    range.addEventListener("keydown", (event) => {
      if (event.key === "Enter") keep();
      if (event.key !== "Escape" || !tried) return;
      event.preventDefault();
      event.stopPropagation();
      clearTimeout(calm);
      acts.keep([...kept]); // what was tried is drawn already
    });
    away.addEventListener("click", () => {
      clearTimeout(calm);
      acts.keep((tried ?? kept).filter((_, i) => i !== at()));
    });

    /** @param {Change} next */
    function write(next) {
      change = next;
      name.replaceChildren(...prose(changeWords(next)));
      range.setAttribute("aria-valuetext", name.textContent ?? "");
      away.setAttribute("aria-label", `Put back ${name.textContent}`);
      away.title = `Put back ${name.textContent}`;
    }
    return {
      root: chip,
      range,
      set(next) {
        const slider = sliderOf(next, chips.get(key)?.most);
        chips.set(key, { chip: this, most: slider.greatest });
        Object.assign(range, { min: slider.least, max: slider.greatest, step: slider.step });
        range.value = String(slider.value);
        write(next);
      },
    };
  }

  /** @param {Change[]} changes */
  function draw(changes) {
    const seen = new Map();
    const shown = changes.map((change, i) => {
      const turn = (seen.get(keyOf(change)) ?? 0) + 1;
      seen.set(keyOf(change), turn);
      const key = `${keyOf(change)} ${turn}`;
      const { chip } = chips.get(key) ?? { chip: chipFor(key, () => placeIn(key)) };
      chip.root.dataset.key = key;
      chip.set(change);
      return chip.root;
    });
    if (shown.some((one, i) => list.children[i] !== one) || list.children.length !== shown.length)
      list.replaceChildren(...shown);
  }

  /** @param {string} key */
  function placeIn(key) {
    return [...list.children].findIndex((one) => /** @type {HTMLElement} */ (one).dataset.key === key);
  }

  return {
    /** @param {Change[]} changes @param {boolean} changed whether what changed is drawn */
    update(changes, changed) {
      delta.setAttribute("aria-checked", String(changed));
      if (changes === kept) return;
      clearTimeout(calm);
      tried = null;
      const grown = changes.length > kept.length;
      if (keyOfAll(changes) !== keyOfAll(kept)) spoken.textContent = told.textContent = "";
      kept = changes;
      root.hidden = changes.length === 0;
      all.textContent = changes.length < 2 ? "put it back" : "put all back";
      draw(changes);
      if (grown) list.scrollLeft = list.scrollWidth;
    },
    /** @param {string} lossName @param {number} before @param {number} after what the sliders make of the loss */
    tried(lossName, before, after) {
      if (tried) told.textContent = effectWords(tried[moving], lossName, before, after);
    },
    /** @param {string} lossName @param {number} before @param {number} after the loss of another walk that is there */
    walked(lossName, before, after) {
      if (awaited) spoken.textContent = told.textContent = effectWords(awaited, lossName, before, after);
      awaited = null;
    },
    /** To the slider of the change that was made last. */
    made() {
      awaited = kept[kept.length - 1];
      /** @type {HTMLElement|null} */ (list.lastElementChild?.querySelector("input"))?.focus();
    },
    unmount() {
      clearTimeout(calm);
      undo.run();
    },
  };
}

/** @param {Change[]} changes */
function keyOfAll(changes) {
  return changes.map(keyOf).join();
}
