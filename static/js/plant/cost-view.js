import { curvesOf, pathWords } from "./plant.js";
import { cleanups, el, svg } from "../shared/dom/elements.js";
import { numberText } from "../shared/format.js";
import { RATE, RATES } from "../walk/rates.js";
import { prose } from "../shared/prose-view.js";
import { spoken } from "../shared/prose.js";
/** @typedef {import("./plant.js").Path} Path */
/** @typedef {import("../walk/types.js").Problem} Problem */

const WIDTH = 480;
const HEIGHT = 200;

/**
 * The dialog in which the wrong gradient goes downhill beside the right one.
 * @param {HTMLDialogElement} dialog @param {HTMLElement} root inside it @param {(rate: number) => void} ask
 */
export function mountCost(dialog, root, ask) {
  const undo = cleanups();
  const wrong = svg("path", { class: "cost-wrong" });
  const right = svg("path", { class: "cost-right" });
  const picture = svg(
    "svg",
    { class: "cost-plot", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none", role: "img" },
    right,
    wrong,
  );
  const ends = [el("span"), el("span")];
  const words = el("p", { class: "cost-words", role: "status" });
  const choice = el("fieldset", { class: "rates" }, el("legend", {}, "learning rate"), ...RATES.map(rateChoice));
  root.replaceChildren(
    words,
    el("div", { class: "cost-figure" }, el("div", { class: "cost-ends", "aria-hidden": "true" }, ...ends), picture),
    el(
      "p",
      { class: "cost-key", "aria-hidden": "true" },
      el("span", { class: "is-wrong" }, "with the mistake"),
      el("span", { class: "is-right" }, "with the right gradient"),
    ),
    choice,
  );
  undo.on(dialog, "click", (event) => {
    if (event.target === dialog || event.target.closest("[data-close]")) dialog.close();
  });

  /** @param {number} rate */
  function rateChoice(rate) {
    const input = el("input", { type: "radio", name: "cost-rate", value: rate, checked: rate === RATE });
    undo.on(input, "change", () => load(rate));
    return el("label", {}, input, numberText(rate));
  }

  /** @param {number} rate */
  function load(rate) {
    root.setAttribute("aria-busy", "true");
    ask(rate);
  }

  return {
    open() {
      words.textContent = "Walking downhill…";
      dialog.showModal();
      const rate = /** @type {HTMLInputElement|null} */ (root.querySelector("input:checked"));
      load(Number(rate?.value ?? RATE));
    },
    /** @param {Path} path @param {string} loss */
    show(path, loss) {
      root.setAttribute("aria-busy", "false");
      const told = pathWords(path, loss);
      const curves = curvesOf(path, WIDTH, HEIGHT);
      wrong.setAttribute("d", curves.wrong);
      right.setAttribute("d", curves.right);
      picture.setAttribute("aria-label", spoken(told));
      [curves.greatest, curves.least].forEach((loss, i) => (ends[i].textContent = numberText(loss, 3)));
      words.replaceChildren(...prose(told));
    },
    /** @param {Problem} problem */
    fail: (problem) => {
      root.setAttribute("aria-busy", "false");
      words.replaceChildren(...prose(`${problem.message} ${problem.hint ?? ""}`));
    },
    unmount() {
      undo.run();
      if (dialog.open) dialog.close();
      root.replaceChildren();
    },
  };
}
