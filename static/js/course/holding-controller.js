import { byId } from "../shared/dom/elements.js";
import { withChanges } from "../walk/changes.js";
import { mountWobbleController } from "../wobble/wobble-controller.js";
/** @typedef {import("../figures/program-loader.js").Program} Program */
/** @typedef {import("../walk/walk.js").Walk} Walk */
/** @typedef {import("../wobble/wobble.js").Nudged} Nudged */
/** @typedef {ReturnType<typeof import("./block-controller.js").mountBlock>} Block */

/** Whose number the key holds: where the focus is, else the pointer, else what is being read. */
const NEAREST = [":focus-within", ":hover", ".is-read-now"];

/**
 * A number that is held: in every figure of its program what depends on it wobbles.
 * @param {() => Block[]} blocks @param {(words: string) => void} tell
 */
export function mountHolding(blocks, tell) {
  const root = byId("wobble");
  /** @type {{request: string, wobble: ReturnType<typeof mountWobbleController>}|null} */
  let now = null;

  /** @param {Program} program @param {Walk} walk that it shows now */
  function wobbleOf(program, walk) {
    const request = withChanges(program.request, program.shown);
    if (now?.request === request) return now.wobble;
    now?.wobble.unmount();
    const marks = () => blocks().flatMap((block) => (block.program === program ? block.marks() : []));
    now = { request, wobble: mountWobbleController(root, walk, marks, request) };
    return now.wobble;
  }

  /** @param {HTMLElement} section where it is held @param {Program} program @param {Nudged} nudged */
  function hold(section, program, nudged) {
    if (!program.walk) return;
    const { top, bottom } = section.getBoundingClientRect();
    root.classList.toggle("is-above", top + bottom > innerHeight); // what is told leaves the figure in sight
    wobbleOf(program, program.walk).hold(nudged);
  }

  return {
    hold,
    letGo: () => now?.wobble.letGo(),
    key: () => {
      const there = blocks().filter((block) => block.nudged());
      const near = NEAREST.flatMap((how) => there.filter(({ section }) => section.matches(how)));
      const block = near[0] ?? there[0];
      const nudged = block?.nudged();
      if (nudged) hold(block.section, block.program, nudged);
      else tell("There is no number in sight to nudge.");
    },
    unmount: () => now?.wobble.unmount(),
  };
}
