import { NOTHING } from "../walk/pick.js";
import { exampleWords } from "../walk/example.js";
import { differing } from "../shared/differing.js";
import { button } from "../shared/dom/button.js";
import { el, icon } from "../shared/dom/elements.js";

/**
 * The example of the batch that is in focus in every picture, and the way to the others.
 * @param {import("../walk/walk.js").Walk} walk
 * @param {Pick<import("./views-controller.js").Acts, "jump"|"say">} acts
 */
export function mountExample(walk, acts) {
  const { examples } = walk;
  const words = el("output", {});
  const props = { class: "example", role: "group", "aria-label": "The example in focus", hidden: examples < 2 };
  const root = el(
    "div",
    props,
    el("span", { "aria-hidden": "true" }, "example"),
    way("Previous example", "back", -1),
    words,
    way("Next example", "next", 1),
  );
  const differs = differing();
  /** @type {number|null} */
  let now = null;

  /** @param {string} label @param {string} sign @param {number} by */
  function way(label, sign, by) {
    return button({ class: "quiet", "aria-label": label, title: label }, () => go(by), icon(sign));
  }

  /** @param {number} by @returns {boolean} whether there is another one */
  function go(by) {
    if (examples < 2) return false;
    const example = now === null ? (by > 0 ? 0 : examples - 1) : (now + by + examples) % examples;
    acts.jump({ ...NOTHING, example });
    acts.say(exampleWords(walk, example));
    return true;
  }
  return {
    root,
    go,
    /** @param {import("../walk/frame.js").Frame} frame */
    update({ state }) {
      now = state.example;
      if (!differs(now)) return;
      words.textContent = `${now ?? "–"}`;
      root.title = now === null ? "Which example is in focus" : exampleWords(walk, now);
    },
    unmount: () => root.remove(),
  };
}
