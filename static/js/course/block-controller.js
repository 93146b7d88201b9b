import { FIGURES } from "../figures/registry-controller.js";
import { Missing } from "../figures/drawing.js";
import { walkLink } from "../figures/deep-link.js";
import { asApiError } from "../shared/api.js";
import { cleanups } from "../shared/dom/elements.js";
import { mountFigureFrame } from "./figure-frame-view.js";
import { mountWaiting } from "./waiting-view.js";
import { blockOf, stageOf } from "./section-view.js";
/** @typedef {import("../figures/drawing.js").Deed} Deed */
/** @typedef {import("../figures/drawing.js").Figure} Figure */
/** @typedef {import("../figures/program-loader.js").Program} Program */
/** @typedef {import("../figures/figure-controller.js").Look} Look */
/** @typedef {import("../walk/walk.js").Walk} Walk */
/** @typedef {import("../wobble/wobble.js").Nudged} Nudged */
/**
 * `path` of the program's walk; `deed` is what a reader did here before; `drawn` is heard once the figure is there,
 * `hold` of a number that is held until it is `letGo`.
 * @typedef {{program: Program, path: string, chapter: string, deed: Deed, look: Look,
 *   hears: Holding & {done: (deed: Deed) => void, drawn: () => void}}} Home
 * @typedef {{hold: (section: HTMLElement, program: Program, nudged: Nudged) => void, letGo: () => void}} Holding
 */

const HINT = "Reload the page.";

/**
 * One block of a chapter, drawn when it comes near: a figure with its way into the walk, or a question.
 * @param {HTMLElement} section @param {Home} home
 */
export function mountBlock(section, home) {
  return new Block(section, home);
}

class Block {
  /** @param {HTMLElement} section @param {Home} home */
  constructor(section, home) {
    this.section = section;
    this.home = home;
    this.program = home.program;
    this.block = blockOf(section);
    this.stage = stageOf(section);
    this.frame = mountFigureFrame(section, this.stage);
    this.deed = home.deed;
    /** @type {Figure|null} */
    this.figure = null;
    /** @type {Promise<void>|null} */
    this.coming = null;
    this.inSight = false;
    this.undo = cleanups();
    this.wait = this.undo.part(mountWaiting(section, this.block.props.waits ?? [], () => this.seen()));
    this.played = this.watch(({ isIntersecting }) => isIntersecting && this.playOnce(), 0.75);
    this.watch(({ isIntersecting }) => (this.inSight = isIntersecting)).observe(this.stage);
    this.undo.add(() => this.figure?.unmount());
    for (const type of ["pointerenter", "focusin", "gradwalk:opened"]) this.undo.on(section, type, () => this.link());
    this.undo.on(this.frame.replay, "click", () => this.replay());
  }

  /** @param {(entry: IntersectionObserverEntry) => void} seen @param {number} [threshold] */
  watch(seen, threshold = 0) {
    const observer = new IntersectionObserver((entries) => entries.forEach(seen), { threshold });
    this.undo.add(() => observer.disconnect());
    return observer;
  }

  /** What moves does so by itself when it first comes into sight, unless somebody speaks over it. */
  playOnce() {
    if (!this.figure?.play || this.wait.on) return;
    this.played.disconnect();
    if (!this.home.look.projector()) this.figure.play();
  }

  /** It waits no longer: what moves is watched for again. */
  seen() {
    this.played.unobserve(this.stage);
    if (this.figure?.play) this.played.observe(this.stage);
  }

  replay() {
    if (!this.figure?.play?.()) this.home.look.say("Your system asks for less motion: nothing moves.");
  }

  link() {
    const spot = this.figure?.spot?.();
    const { link } = this.frame;
    link.hidden = !spot;
    if (!spot) return;
    const { path, chapter } = this.home;
    link.href = walkLink(path, { ...spot, changes: this.program.shown }, `/learn/${chapter}#${this.section.id}`);
  }

  /** @returns {import("../figures/drawing.js").Needs|null} what it draws of numbers on their way; null out of sight */
  needs() {
    return (this.inSight && this.figure?.needs?.()) || null;
  }

  /** @returns {Nudged|null} the number that is held in it; null out of sight */
  nudged() {
    return (this.inSight && this.figure?.nudged?.()) || null;
  }

  /** @returns {import("../wobble/wobble-view.js").Mark[]} what wobbles in it, in sight */
  marks() {
    return (this.inSight && this.figure?.marks?.()) || [];
  }

  /** @param {Deed} deed */
  done(deed) {
    const turned = deed.outcome !== this.deed.outcome;
    this.deed = deed;
    this.section.dataset.outcome = deed.outcome;
    this.home.hears.done(deed);
    if (turned) this.home.hears.drawn();
    requestAnimationFrame(() => this.stage.querySelector(".answer-says")?.scrollIntoView({ block: "nearest" }));
  }

  /** @param {Walk} walk */
  make(walk) {
    const { block, program, stage, frame, deed } = this;
    const draw = FIGURES[block.kind];
    if (!draw) return;
    const { chapter, look, hears } = this.home;
    const hold = (/** @type {Nudged} */ nudged) => hears.hold(this.section, program, nudged);
    const done = (/** @type {Deed} */ next) => this.done(next);
    this.section.dataset.outcome = deed.outcome;
    stage.replaceChildren();
    const asked = { body: stage, block, chapter, program, walk, deed, done };
    const figure = draw({ ...asked, ...look, hold, letGo: hears.letGo });
    this.figure = figure;
    if (walk !== program.walk && program.walk) figure.update(program.walk, true);
    frame.drawn();
    frame.replay.hidden = !figure.play || block.kind === "collapse";
    this.link();
    if (figure.play) this.played.observe(stage);
    this.home.hears.drawn();
  }

  async load() {
    this.section.setAttribute("aria-busy", "true");
    try {
      const walk = await this.program.ready();
      if (!this.figure) this.make(walk);
    } catch (error) {
      this.coming = null;
      if (error instanceof Missing) console.error(error);
      this.frame.failed(asApiError(error, HINT).problem, () => this.draw());
    }
  }

  /** @returns {Promise<void>} */
  draw() {
    return (this.coming ??= this.load());
  }

  /** For paper: as it looks when nothing moves any more. */
  async settle() {
    try {
      if (this.stage.querySelector("[aria-busy=true]")) {
        this.figure?.unmount(); // its request is still under way: nothing waits for that one
        this.figure = null;
      }
      const walk = this.figure ? null : await this.program.atOnce();
      if (walk && !this.figure) this.make(walk);
      this.figure?.rest?.();
      this.figure?.redraw();
    } catch (error) {
      console.error(error); // its words stand in its place
    }
  }

  /** @returns {string[]} the lines that are still asked for here, as `program:tensor` or `program:6` */
  unanswered() {
    return this.deed.outcome ? [] : (this.block.props.veils ?? []);
  }

  /** @returns {number|null} the step of the walk that it shows */
  step() {
    const told = Number.isInteger(this.block.props.step) ? this.block.props.step : null;
    return this.figure?.spot?.()?.step ?? told;
  }

  /** What is out of sight waits until the numbers rest. @param {Walk} walk @param {boolean} rests */
  update(walk, rests) {
    if (rests || this.needs()) this.figure?.update(walk, rests);
  }

  redraw() {
    this.figure?.redraw();
  }

  unmount = () => this.undo.run();
}
