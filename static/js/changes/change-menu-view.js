import { button } from "../shared/dom/button.js";
import { DEEDS, changeOf, changeable, cutWords, partsOf } from "./sliders.js";
import { boxOf } from "../walk/pick.js";
import { cleanups, el } from "../shared/dom/elements.js";
import { prose } from "../shared/prose-view.js";
/** @typedef {import("../walk/changes.js").Change} Change */
/** @typedef {import("../walk/frame.js").Frame} Frame */
/** @typedef {{make: (change: Change) => void, downhill: () => void}} Acts */

const GAP = 6;

/**
 * What can be done to a whole tensor or to the chosen cells of it, in a menu below its name.
 * @param {HTMLElement} home what it stands in @param {Acts} acts
 */
export function mountChangeMenu(home, acts) {
  const undo = cleanups();
  const box = el("div", { class: "change-menu", popover: "auto", role: "dialog", "aria-labelledby": "change-title" });
  home.append(box);
  undo.add(() => box.remove());
  /** @type {HTMLElement|null} */
  let opener = null;

  /** @param {() => void} act */
  function choose(act) {
    box.hidePopover();
    act();
  }

  undo.on(box, "keydown", (event) => {
    event.stopPropagation(); // the keys of the walk mean nothing here
    if (event.key !== "Escape") return;
    event.preventDefault();
    box.hidePopover();
    opener?.focus();
  });

  return {
    /** @param {Frame} frame @param {HTMLElement} anchor the button that asked for it */
    open(frame, anchor) {
      const name = changeable(frame);
      if (!name) return acts.downhill();
      opener = anchor;
      box.replaceChildren(
        ...contents(frame, name, {
          make: (change) => choose(() => acts.make(change)),
          downhill: () => choose(acts.downhill),
        }),
      );
      box.showPopover();
      placeBelow(box, anchor);
      /** @type {HTMLElement|null} */ (box.querySelector("input:checked"))?.focus();
    },
    unmount: undo.run,
  };
}

/** @param {HTMLElement} box @param {HTMLElement} anchor */
function placeBelow(box, anchor) {
  const { left, bottom } = anchor.getBoundingClientRect();
  box.style.left = `${Math.max(GAP, Math.min(left, innerWidth - box.offsetWidth - GAP))}px`;
  box.style.top = `${Math.max(GAP, Math.min(bottom + GAP, innerHeight - box.offsetHeight - GAP))}px`;
}

/** @param {Frame} frame @param {string} name @param {Acts} acts @returns {Node[]} */
function contents({ walk, state }, name, { make, downhill }) {
  const { variable, shape, value } = walk.node(name);
  const box = state.cell && state.reach ? boxOf(state.cell, state.reach) : null;
  const parts = partsOf(variable, shape, state.cell, box);
  let chosen = parts[0];
  const size = walk.tensor(value).stats.rms;
  const where = parts.map((part, i) => partChoice(part.words, i === 0, () => (chosen = part)));
  const deeds = DEEDS.map((deed) => deedButton(deed, () => make(changeOf(deed.kind, variable, chosen.index, size))));
  const cut = cutWords(walk, name);
  const keys = "Shift with a click or the arrow keys chooses several cells of a heatmap.";
  return [
    el("h2", { id: "change-title" }, ...prose(`Change \`${variable}\``)),
    el("fieldset", { class: "change-parts" }, el("legend", { class: "unseen" }, "Which cells"), ...where),
    el("div", { class: "deeds" }, ...deeds),
    ...(cut ? [el("p", { class: "change-note" }, ...prose(cut))] : []),
    el("p", { class: "change-note for-keys" }, keys),
    button({ class: "link" }, downhill, "Step downhill with all parameters…"),
  ];
}

/** @param {string} words @param {boolean} checked @param {() => void} choose @returns {HTMLElement} */
function partChoice(words, checked, choose) {
  const input = el("input", { type: "radio", name: "change-part", checked });
  input.addEventListener("change", choose);
  return el("label", {}, input, el("span", {}, ...prose(words)));
}

/** @param {typeof DEEDS[number]} deed @param {() => void} act @returns {HTMLElement} */
function deedButton({ sign, name, words }, act) {
  return button(
    { class: "deed", "data-deed": name },
    act,
    el("b", { "aria-hidden": "true" }, sign),
    el("span", {}, name),
    el("small", {}, words),
  );
}
