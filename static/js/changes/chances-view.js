import { el } from "../shared/dom/elements.js";
import { chanceWords, topOf } from "./chances.js";
/** @typedef {import("./chances.js").Chances} Chances */

/** The probabilities of the example in focus as bars, each beside what it was. */
export function mountChances() {
  const words = el("figcaption", {});
  const bars = el("div", { class: "chance-bars", "aria-hidden": "true" });
  const root = el("figure", { class: "chances", hidden: true }, bars, words);
  /** @type {Chances|null} */
  let before = null;
  let top = 0;

  /** @param {Chances} first */
  function begin(first) {
    before = first;
    top = 0;
    bars.replaceChildren(
      ...first.names.map((name, i) => {
        const bar = el("span", { class: "chance" }, el("s", {}), el("i", {}), el("b", {}, name));
        bar.classList.toggle("right", i === first.target);
        return bar;
      }),
    );
  }

  const solids = () => /** @type {HTMLElement[]} */ ([...bars.querySelectorAll("i")]);

  /**
   * @param {Chances} now @param {string} [told] what is said of them
   * @returns {number} the share that fills the height
   */
  function update(now, told) {
    if (!before || before.shares.length !== now.shares.length) begin(now);
    const was = /** @type {Chances} */ (before);
    top = topOf(was, now, top);
    for (const [i, bar] of [...bars.children].entries()) {
      const [ghost, solid] = /** @type {HTMLElement[]} */ ([...bar.children]);
      ghost.style.bottom = `calc(14px + (100% - 14px) * ${was.shares[i] / top})`;
      solid.style.transform = `scaleY(${now.shares[i] / top})`;
    }
    root.classList.remove("awaited");
    words.textContent = told ?? `${now.example}: ${chanceWords(was, now)}`;
    root.hidden = false;
    return top;
  }

  return {
    root,
    update,
    solids,
    unmount() {
      root.remove();
    },
    /** @param {boolean} offered whether others come: they find their room */
    forget(offered) {
      before = null;
      root.hidden = !offered;
      root.classList.add("awaited");
    },
  };
}
