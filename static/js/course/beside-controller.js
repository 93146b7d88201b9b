import { byId } from "../shared/dom/elements.js";
import { mountCompanion } from "./companion-controller.js";
/** @typedef {ReturnType<typeof import("./block-controller.js").mountBlock>} Block */

/**
 * The program of the part that is read, beside it, and the line that it shows.
 * @param {{chapter: string, parts: HTMLElement[]}} page @param {import("./reading-controller.js").Reading} reading
 * @param {Map<HTMLElement, Block>} blocks @param {ReturnType<typeof
 *   import("./programs-controller.js").mountPrograms>["all"]} programs @param {() => "light"|"dark"} theme
 */
export function mountBeside({ chapter, parts }, reading, blocks, programs, theme) {
  const companion = mountCompanion(byId("companion"), { theme, go });

  /** @param {string} program @param {number} step */
  function go(program, step) {
    const found = [...blocks.values()].find((block) => block.program.name === program && block.step() === step);
    if (found) return found.section.scrollIntoView({ block: "center" });
    const { at } = reading.progress;
    const from = encodeURIComponent(`/learn/${chapter}${at && `#${at}`}`);
    const home = programs.get(program);
    if (home) location.assign(`${home.path}?step=${step + 1}&from=${from}`);
  }

  return {
    update() {
      const { now } = reading;
      const drawn = (/** @type {HTMLElement} */ part) => blocks.has(part);
      const near =
        parts
          .slice(0, now + 1)
          .filter(drawn)
          .at(-1) ?? parts.find(drawn);
      const block = near && blocks.get(near);
      const walk = block?.program.walk;
      if (!block || !walk) return;
      const here = [now - 1, now, now + 1].some((part) => parts[part] === near);
      const own = `${block.program.name}:`;
      const asked = [...blocks.values()].flatMap((one) => one.unanswered()).filter((line) => line.startsWith(own));
      const unwritten = new Set(asked.map((line) => line.slice(own.length)));
      companion.update(block.program.name, walk, here ? block.step() : null, unwritten);
    },
    unmount: () => companion.unmount(),
  };
}
