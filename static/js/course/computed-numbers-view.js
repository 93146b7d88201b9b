import { namedIn, numberAt } from "../figures/block.js";
import { fixedText, numberText } from "../shared/format.js";
/** @typedef {import("../walk/walk.js").Walk} Walk */

const FORM = /^(.+?)\s*\|\s*(\.?)(\d+)$/s;
const STALE = "As it was before you moved a number";

/**
 * The numbers of a text that the server computed: they follow where they are a cell of a tensor; one that is computed
 * from several says that it is from before.
 * @param {HTMLElement} root
 */
export function mountComputedNumbers(root) {
  const found = [.../** @type {NodeListOf<HTMLElement>} */ (root.querySelectorAll(".value[data-expression]"))];
  const numbers = found.map((element) => ({ element, text: element.textContent ?? "" }));
  return {
    /**
     * @param {string} program @param {Walk} walk
     * @returns {string[]} the tensors of the numbers that are in the window
     */
    inSight(program, walk) {
      const here = numbers.filter(({ element }) => {
        const { top, bottom } = element.getBoundingClientRect();
        return (element.dataset.program ?? "") === program && bottom > 0 && top < innerHeight;
      });
      return here.flatMap(({ element }) => namedIn(walk, partsOf(element)[1])?.tensor ?? []);
    },
    /** @param {string} program @param {Walk} walk @param {boolean} changed whether it is not as the chapter began */
    update(program, walk, changed) {
      for (const { element, text } of numbers) {
        if ((element.dataset.program ?? "") !== program) continue;
        const now = changed ? numberNow(walk, element) : text;
        element.textContent = now ?? text;
        element.classList.toggle("moved", changed && now !== null && now !== text);
        element.classList.toggle("stale", now === null);
        if (now === null) element.title = STALE;
        else element.removeAttribute("title");
      }
    },
    unmount: () => numbers.forEach(({ element, text }) => (element.textContent = text)),
  };
}

/** @param {HTMLElement} element @returns {string[]} its expression, whether it has decimals, how many digits */
function partsOf({ dataset: { expression = "" } }) {
  return FORM.exec(expression) ?? ["", expression, "", "3"];
}

/** @param {Walk} walk @param {HTMLElement} element @returns {string|null} null for more than a name */
function numberNow(walk, element) {
  const [, name, decimals, digits] = partsOf(element);
  const number = numberAt(walk, name);
  if (number === null) return null;
  return decimals ? fixedText(number, Number(digits)) : numberText(number, Number(digits));
}
