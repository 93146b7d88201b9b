import { colourOf } from "../shared/colour-scale.js";
import { el, reducedMotion } from "../shared/dom/elements.js";
import { fly } from "../shared/dom/motion.js";
/** @typedef {import("../shared/colour-scale.js").Theme} Theme */
/** @typedef {import("./lens.js").Term} Term */
/** @typedef {import("./term-strip.js").Strip} Strip */

const CELL = 14;

/**
 * Cells that run into one, on one colour scale with it.
 * @param {(term: Term) => void} follow @param {(term: Term|null) => void} hot
 */
export function mountStrip(follow, hot) {
  const root = el("div", { class: "strip", "aria-hidden": "true" });
  const caption = el("p", { class: "strip-caption" });
  /** @type {Animation[]} */
  let flying = [];

  return {
    root,
    caption,
    /**
     * @param {Strip|null} strip @param {number} sum @param {[string, string]} words @param {Theme} theme
     * @param {boolean} moves whether this number was just opened
     */
    update(strip, sum, words, theme, moves) {
      flying.forEach((animation) => animation.cancel());
      flying = [];
      root.hidden = caption.hidden = strip === null;
      caption.replaceChildren(words[0], words[1] ? el("span", {}, `: ${words[1]}`) : "");
      if (!strip) return root.replaceChildren();
      const count = strip.groups.reduce((all, group) => all + group.length, 0);
      const groups = strip.groups.map((group) => drawGroup(group, strip.peak, theme, count, { follow, hot }));
      const one = drawCells([sum], strip.peak, theme, "one");
      root.replaceChildren(...groups, el("span", { class: "into" }, "Σ →"), one);
      if (moves && one.checkVisibility() && !reducedMotion())
        flying = groups.flatMap((group) => fly(group.querySelector("canvas"), one));
    },
    unmount: () => flying.forEach((animation) => animation.cancel()),
  };
}

/**
 * @param {number[]} values @param {number} peak @param {Theme} theme @param {string} name
 * @returns {HTMLCanvasElement} one pixel per cell, enlarged by CSS
 */
function drawCells(values, peak, theme, name) {
  const canvas = el("canvas", { class: `heat ${name}`, width: values.length, height: 1 });
  const pen = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  values.forEach((value, i) => {
    pen.fillStyle = `rgb(${colourOf(value, peak, theme).join(",")})`;
    pen.fillRect(i, 0, 1, 1);
  });
  return canvas;
}

/**
 * @param {Term[]} group @param {number} peak @param {Theme} theme @param {number} count of all groups
 * @param {{follow: (term: Term) => void, hot: (term: Term|null) => void}} acts
 */
function drawGroup(group, peak, theme, count, acts) {
  const canvas = drawCells(
    group.map((term) => term.product ?? 0),
    peak,
    theme,
    "all",
  );
  const run = el(
    "span",
    { class: "run", style: `--cells:${group.length};min-width:${Math.max(2, Math.min(CELL, 200 / count))}px` },
    canvas,
  );
  const at = (/** @type {MouseEvent} */ event) => {
    const box = canvas.getBoundingClientRect();
    return group[
      Math.max(0, Math.min(group.length - 1, Math.floor(((event.clientX - box.left) / box.width) * group.length)))
    ];
  };
  canvas.addEventListener("click", (event) => acts.follow(at(event)));
  canvas.addEventListener("mousemove", (event) => acts.hot(at(event)));
  canvas.addEventListener("mouseleave", () => acts.hot(null));
  return run;
}
