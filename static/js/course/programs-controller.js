import { makeProgram } from "../figures/program-loader.js";
import { cleanups } from "../shared/dom/elements.js";
import { mountComputedNumbers } from "./computed-numbers-view.js";
import { dataIn } from "./section-view.js";
import { at } from "../shared/address.js";
/** @typedef {import("../figures/program-loader.js").Program} Program */
/** @typedef {import("../walk/walk.js").Walk} Walk */
/** @typedef {ReturnType<typeof import("./block-controller.js").mountBlock>} Block */

/**
 * The programs of a chapter: what is moved in one is followed by its blocks and by the numbers of the text.
 * @param {{main: HTMLElement, article: HTMLElement}} page
 * @param {{blocks: () => Block[], rested: () => void, failed: (error: unknown) => void}} hears `rested`: numbers that
 *   were moved stay as they are
 */
export function mountPrograms({ main, article }, { blocks, rested, failed }) {
  const undo = cleanups();
  const numbers = undo.part(mountComputedNumbers(article));
  const named = /** @type {{name: string, lesson: string}[]} */ (dataIn("programs"));
  const all = new Map(named.map(({ name, lesson }) => [name, { program: made(name, lesson), path: pathOf(lesson) }]));

  /** @param {string} name @param {string} lesson @returns {Program} */
  function made(name, lesson) {
    /** @type {Program} */
    const program = makeProgram(name, JSON.stringify({ lesson }), {
      moved: (walk, rests) => moved(program, walk, rests),
      failed,
      needs: () => needed(program),
    });
    return undo.part(program);
  }

  /** @param {Program} program @returns {import("../figures/drawing.js").Needs} of all that is in sight of it */
  function needed(program) {
    const needs = blocks().flatMap((block) => (block.program === program ? (block.needs() ?? []) : []));
    const told = program.walk ? numbers.inSight(program.name, program.walk) : [];
    return {
      steps: [...new Set(needs.flatMap(({ steps }) => steps))],
      nodes: [...new Set([...needs.flatMap(({ nodes }) => nodes), ...told])],
    };
  }

  const changed = () => [...all.values()].map(({ program }) => program).filter(({ changes }) => changes.length > 0);

  /** @param {Program} program @param {Walk} walk @param {boolean} rests */
  function moved(program, walk, rests) {
    numbers.update(program.name, walk, program.shown.length > 0);
    main.classList.toggle("has-changes", changed().length > 0);
    for (const block of blocks()) if (block.program === program) block.update(walk, rests);
    if (rests) rested();
    performance.mark("gradwalk:moved");
    document.dispatchEvent(new CustomEvent("gradwalk:moved"));
  }

  return {
    all,
    /** All numbers that were moved go back. @returns {boolean} whether any were */
    reset() {
      const moved = changed();
      for (const program of moved) program.reset();
      return moved.length > 0;
    },
    unmount: undo.run,
  };
}

/** @param {string} lesson */
function pathOf(lesson) {
  return at(`/walk/${encodeURIComponent(lesson)}`);
}
