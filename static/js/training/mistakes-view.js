import { el } from "../shared/dom/elements.js";
import { prose } from "../shared/prose-view.js";
import { lastStatement } from "../walk/plant.js";
/** @typedef {import("./mistakes-loader.js").Line} Line */
/** @typedef {import("../plant/plant.js").Choices["mistakes"][number]} Mistake */

/**
 * In the form: the line that goes wrong, how it does, and what that makes of it.
 * @param {{line: HTMLSelectElement, kind: HTMLSelectElement, says: HTMLElement}} parts
 */
export function mountMistakes({ line, kind, says }) {
  const options = (/** @type {HTMLSelectElement} */ select, /** @type {[string, string][]} */ named) =>
    select.replaceChildren(...named.map(([value, words]) => el("option", { value }, words)));

  return {
    waits() {
      options(line, [["", "looking…"]]);
      options(kind, []);
    },
    /** @param {Line[]} lines */
    lines: (lines) =>
      options(
        line,
        lines.map(({ step, code }) => [String(step), `${step + 1}  ${lastStatement(code)}`]),
      ),
    /** @param {number} step whose mistakes are on their way */
    looking(step) {
      line.value = String(step);
      says.replaceChildren();
    },
    /** @param {Mistake[]} mistakes @param {Mistake|undefined} chosen */
    kinds(mistakes, chosen) {
      options(
        kind,
        mistakes.map(({ mistake, label }) => [mistake, label]),
      );
      kind.value = chosen?.mistake ?? "";
    },
    /** @param {Mistake} mistake */
    say: ({ code, why }) => says.replaceChildren(el("code", {}, lastStatement(code)), el("span", {}, ...prose(why))),
    /** @param {string} words in its place */
    lacks: (words) => says.replaceChildren(el("span", {}, ...prose(words))),
    /** @param {boolean} held whether a run has it already */
    hold: (held) => (line.disabled = kind.disabled = held),
    unmount() {}, // all that it draws in is in the template
  };
}
