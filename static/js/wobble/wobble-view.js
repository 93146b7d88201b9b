import { el, reducedMotion } from "../shared/dom/elements.js";
import { prose } from "../shared/prose-view.js";
import { mountSwing } from "./swing-view.js";
import { backWords, listOf, wordsOf } from "./wobble.js";
/** @typedef {import("./wobble.js").Wobble} Wobble */
/** @typedef {import("../walk/walk.js").Walk} Walk */
/**
 * What stands for a tensor on the page; `backward`: for its gradient alone.
 * @typedef {{name: string, element: HTMLElement, backward?: boolean}} Mark
 */
/** @typedef {ReturnType<typeof makeMarking>} Marking */

/** Milliseconds: one wobble, how much later it comes to the next line, and a flash on the way back. */
const PERIOD = 420;
const LATER = 28;
const FLASH = { duration: 480, easing: "ease-out" };
/** Pixels of the largest wobble. */
const WIDEST = 6;
/** How long the way back stays to be read. */
const STAYS = 4000;
const LIST = "How far each tensor moves at most";

/**
 * What a nudge moves wobbles in proportion, along the way forward; let go, the same way lights backwards. Where less
 * motion is asked for, marks and numbers stand instead.
 * @param {HTMLElement} root where it is told @param {Walk} walk @param {() => Mark[]} marks that are in sight
 */
export function mountWobble(root, walk, marks) {
  const { mark, move, wave, clear } = makeMarking();
  const swing = mountSwing();
  /** @type {ReturnType<typeof setTimeout>|undefined} */
  let timer;
  /** @type {Mark[]} its own list, which wobbles and lights, too: a graph may be out of sight */
  let told = [];
  const back = el("p", { class: "is-backward" });

  function rest() {
    clearTimeout(timer);
    root.classList.remove("let-go");
    clear();
  }

  function hide() {
    rest();
    root.hidden = true;
  }

  /** @param {Wobble} wobble */
  function tell(wobble) {
    told = itemsOf(walk, wobble);
    const list = el("ol", { "aria-label": LIST }, ...told.map(({ element }) => element));
    // the last words have their room from the beginning: what is being read doesn't move as it is let go
    back.replaceChildren(...prose(backWords(walk, wobble)));
    back.classList.add("coming");
    root.replaceChildren(el("p", {}, ...prose(wordsOf(walk, wobble))), list, swing.root, back);
    if (wobble.chances) swing.begin(wobble.chances, wave, wobble.moves.size * LATER);
    else swing.hide();
    root.hidden = false;
    foldMiddle(list);
  }

  return {
    /** @param {Wobble} wobble */
    begin(wobble) {
      rest();
      tell(wobble);
      const order = [...wobble.moves.keys()];
      for (const { name, element, backward } of [...told, ...marks()]) {
        if (backward) continue;
        const amplitude = wobble.moves.get(name)?.amplitude ?? 0;
        mark(element, amplitude ? "wobbles" : "stands-still");
        if (!amplitude || reducedMotion()) continue;
        const far = `translateX(${(WIDEST * amplitude).toFixed(2)}px)`;
        const near = `translateX(${(-WIDEST * amplitude).toFixed(2)}px)`;
        wave(element, ["none", far, near, "none"], order.indexOf(name) * LATER);
      }
    },
    /** @param {Wobble} wobble that ends */
    end(wobble) {
      rest();
      back.classList.remove("coming");
      root.classList.toggle("let-go", back.hasChildNodes());
      const order = wobble.slope === 0 ? [] : [...wobble.moves.keys()].reverse();
      for (const { name, element } of [...told, ...marks()]) {
        const at = order.indexOf(name);
        if (at < 0) continue;
        mark(element, "lit-back");
        if (!reducedMotion()) move(element, flash(element), { ...FLASH, delay: at * 2 * LATER });
      }
      timer = setTimeout(hide, STAYS);
    },
    hide,
    /** @param {string} words why nothing wobbles */
    refuse(words) {
      rest();
      root.replaceChildren(el("p", {}, ...prose(words)));
      root.hidden = false;
      timer = setTimeout(hide, STAYS);
    },
    unmount() {
      hide();
      swing.unmount();
    },
  };
}

/** @param {Walk} walk @param {Wobble} wobble @returns {Mark[]} what moves, and how far, as words */
function itemsOf(walk, wobble) {
  return listOf(walk, wobble).map(({ name, variable, most }) => ({
    name,
    element: el("li", {}, el("code", {}, variable), el("span", {}, `${most}ε`)),
  }));
}

/**
 * Of a list with more than its rows hold the nearest tensors and the last one stay, and how many are between them.
 * @param {HTMLElement} list
 */
function foldMiddle(list) {
  const fits = () => list.scrollHeight <= list.clientHeight;
  if (fits()) return;
  const middle = /** @type {HTMLElement[]} */ ([...list.children]).slice(1, -1).reverse();
  const more = el("li", {});
  list.lastElementChild?.before(more);
  for (const [i, item] of middle.entries()) {
    item.hidden = true;
    more.textContent = `… ${i + 1} more`;
    if (fits()) return;
  }
}

/** @param {HTMLElement} element @returns {Keyframe[]} larger where it stands alone: words of a list have neighbours */
function flash(element) {
  const large = element instanceof HTMLLIElement ? {} : { transform: "scale(1.3)" };
  return [{ opacity: 0.25 }, { opacity: 1, ...large, offset: 0.4 }, {}];
}

/** What is marked and moved, until all of it is cleared away. */
function makeMarking() {
  /** @type {Animation[]} */
  const running = [];
  /** @type {HTMLElement[]} */
  const marked = [];
  return {
    /** @param {HTMLElement} element @param {string} name */
    mark: (element, name) => {
      element.classList.add(name);
      marked.push(element);
    },
    /** @param {HTMLElement} element @param {Keyframe[]} frames @param {KeyframeAnimationOptions} how */
    move: (element, frames, how) => {
      running.push(element.animate(frames, how));
    },
    /** There and back, until it is cleared. @param {HTMLElement} element @param {string[]} at @param {number} delay */
    wave: (element, at, delay) => {
      const frames = at.map((transform) => ({ transform }));
      running.push(element.animate(frames, { duration: PERIOD, delay, iterations: Infinity, easing: "ease-in-out" }));
    },
    clear: () => {
      for (const animation of running.splice(0)) animation.cancel();
      for (const element of marked.splice(0)) element.classList.remove("wobbles", "stands-still", "lit-back");
    },
  };
}
