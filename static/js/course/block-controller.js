import { FIGURES } from "../figures/registry-controller.js";
import { Missing } from "../figures/drawing.js";
import { walkLink } from "../figures/deep-link.js";
import { asApiError } from "../shared/api.js";
import { cleanups } from "../shared/dom/elements.js";
import { mountFigureFrame } from "./figure-frame-view.js";
import { blockOf, stageOf } from "./section-view.js";
/** @typedef {import("../figures/drawing.js").Deed} Deed */
/** @typedef {import("../figures/drawing.js").Figure} Figure */
/** @typedef {import("../figures/program-loader.js").Program} Program */
/** @typedef {import("../figures/figure-controller.js").Look} Look */
/** @typedef {import("../walk/walk.js").Walk} Walk */
/**
 * `path` of the program's walk; `deed` is what a reader did here before; `drawn` is heard once the figure is there.
 * @typedef {{program: Program, path: string, chapter: string, deed: Deed, look: Look,
 *   hears: {done: (deed: Deed) => void, drawn: () => void}}} Home
 */

const HINT = "Reload the page.";

/**
 * One block of a chapter, drawn when it comes near: a figure with its way into the walk, or a question.
 * @param {HTMLElement} section @param {Home} home
 */
export function mountBlock(section, { program, path, chapter, deed: begun, look, hears }) {
  const undo = cleanups();
  const block = blockOf(section);
  const stage = stageOf(section);
  const frame = mountFigureFrame(section, stage);
  let deed = begun;
  /** @type {Figure|null} */
  let figure = null;
  /** @type {Promise<void>|null} */
  let coming = null;
  const played = new IntersectionObserver(
    (entries) => {
      if (!figure?.play || !entries.some(({ isIntersecting }) => isIntersecting)) return;
      played.disconnect();
      if (!look.projector()) figure.play();
    },
    { threshold: 0.75 },
  );
  undo.add(() => played.disconnect());
  let inSight = false;
  const sight = new IntersectionObserver((entries) => {
    inSight = entries[entries.length - 1].isIntersecting;
  });
  sight.observe(stage);
  undo.add(() => sight.disconnect());
  undo.add(() => figure?.unmount());
  for (const type of ["pointerenter", "focusin", "gradwalk:opened"]) undo.on(section, type, link);
  undo.on(
    frame.replay,
    "click",
    () => figure?.play?.() || look.say("Your system asks for less motion: nothing moves."),
  );

  function link() {
    const spot = figure?.spot?.();
    frame.link.hidden = !spot;
    if (spot) frame.link.href = walkLink(path, { ...spot, changes: program.shown }, `/learn/${chapter}#${section.id}`);
  }

  /** @returns {import("../figures/drawing.js").Needs|null} what it draws of numbers on their way; null out of sight */
  function needs() {
    return (inSight && figure?.needs?.()) || null;
  }

  /** @param {Walk} walk */
  function make(walk) {
    const draw = FIGURES[block.kind];
    if (!draw) return;
    const { theme, projector, say } = look;
    const done = (/** @type {Deed} */ next) => {
      const turned = next.outcome !== deed.outcome;
      deed = next;
      section.dataset.outcome = next.outcome;
      hears.done(next);
      if (turned) hears.drawn();
    };
    section.dataset.outcome = deed.outcome;
    stage.replaceChildren();
    figure = draw({ body: stage, block, chapter, program, walk, deed, done, theme, projector, say });
    if (walk !== program.walk && program.walk) figure.update(program.walk, true);
    frame.drawn();
    frame.replay.hidden = !figure.play || block.kind === "collapse";
    link();
    if (figure.play) played.observe(stage);
    hears.drawn();
  }

  async function load() {
    section.setAttribute("aria-busy", "true");
    try {
      const walk = await program.ready();
      if (!figure) make(walk);
    } catch (error) {
      coming = null;
      if (error instanceof Missing) console.error(error);
      frame.failed(asApiError(error, HINT).problem, () => draw());
    }
  }

  /** @returns {Promise<void>} */
  function draw() {
    coming ??= load();
    return coming;
  }

  return {
    section,
    program,
    draw,
    /** For paper: as it looks when nothing moves any more. */
    async settle() {
      try {
        if (stage.querySelector("[aria-busy=true]")) {
          figure?.unmount(); // its request is still under way: nothing waits for that one
          figure = null;
        }
        const walk = figure ? null : await program.atOnce();
        if (walk && !figure) make(walk);
        figure?.rest?.();
        figure?.redraw();
      } catch (error) {
        console.error(error); // its words stand in its place
      }
    },
    /** @returns {string[]} the tensors whose gradients are still asked for here */
    unanswered() {
      const { walk } = program;
      const asked = deed.outcome || !walk ? [] : (block.props.veils ?? []);
      return asked.filter((/** @type {string} */ name) => walk?.nodes.has(name));
    },
    /** @returns {number|null} the step of the walk that it shows */
    step() {
      const told = Number.isInteger(block.props.step) ? block.props.step : null;
      return figure?.spot?.()?.step ?? told;
    },
    /** What is out of sight waits until the numbers rest. @param {Walk} walk @param {boolean} rests */
    update(walk, rests) {
      if (rests || needs()) figure?.update(walk, rests);
    },
    needs,
    redraw: () => figure?.redraw(),
    unmount: undo.run,
  };
}
