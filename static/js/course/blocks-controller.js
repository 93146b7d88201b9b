import { UNDONE } from "../figures/drawing.js";
import { cleanups } from "../shared/dom/elements.js";
import { mountBlock } from "./block-controller.js";
import { withDeed } from "./progress.js";
import { idle, mountSchedule } from "./schedule-view.js";
/** @typedef {ReturnType<typeof mountBlock>} Block */

/**
 * The blocks of a chapter, each drawn when it comes near.
 * @param {{chapter: string, parts: HTMLElement[]}} page @param {import("./reading-controller.js").Reading} reading
 * @param {ReturnType<typeof import("./programs-controller.js").mountPrograms>["all"]} programs
 * @param {import("../figures/figure-controller.js").Look} look
 * @param {import("./block-controller.js").Holding & {drawn: () => void}} hears
 */
export function mountBlocks({ chapter, parts }, reading, programs, look, hears) {
  const undo = cleanups();
  /** @type {Map<HTMLElement, Block>} */
  const all = new Map();
  for (const section of parts) {
    const home = section.matches(".block") && programs.get(section.dataset.program ?? "");
    if (!home) continue;
    const deed = reading.progress.deeds[section.id] ?? UNDONE;
    const done = (/** @type {import("../figures/drawing.js").Deed} */ next) => {
      reading.keep(withDeed(reading.progress, section.id, next));
      hold();
    };
    all.set(section, undo.part(mountBlock(section, { ...home, chapter, deed, look, hears: { ...hears, done } })));
  }
  /** What would answer a question waits for it. */
  function hold() {
    const open = (/** @type {string} */ id) => !reading.progress.deeds[id]?.outcome;
    for (const block of all.values()) block.wait.update(open);
  }
  hold();
  const schedule = undo.part(mountSchedule(async (section) => all.get(section)?.draw()));
  for (const section of all.keys()) schedule.watch(section);
  return {
    all,
    redraw: async () => {
      for (const block of all.values()) {
        await idle();
        block.redraw();
      }
      hears.drawn();
    },
    settle: () => [...all.values()].map((block) => block.settle()),
    unmount: undo.run,
  };
}
