import { numberAt } from "../figures/block.js";
import { numberText } from "../shared/format.js";
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
    /** @param {string} program @param {Walk} walk @param {boolean} changed whether it is not as the chapter began */
    update(program, walk, changed) {
      for (const { element, text } of numbers) {
        if ((element.dataset.program ?? "") !== program) continue;
        const now = changed ? numberNow(walk, element.dataset.expression ?? "") : text;
        element.textContent = now ?? text;
        element.classList.toggle("moved", changed && now !== null && now !== text);
        element.classList.toggle("stale", now === null);
        if (now === null) element.title = STALE;
        else element.removeAttribute("title");
      }
    },
  };
}

/** @param {Walk} walk @param {string} expression with its form @returns {string|null} null for more than a name */
function numberNow(walk, expression) {
  const [, name, decimals, digits] = FORM.exec(expression) ?? ["", expression, "", "3"];
  const number = numberAt(walk, name);
  if (number === null) return null;
  if (!decimals) return numberText(number, Number(digits));
  return number
    .toFixed(Number(digits))
    .replace(/^-(?=.*[1-9])/, "−")
    .replace(/^-/, "");
}
