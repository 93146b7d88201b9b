import { mountGlossary } from "../glossary/glossary-view.js";
import { UNDONE } from "../figures/drawing.js";
import { makeProgram } from "../figures/program-loader.js";
import { asApiError } from "../shared/api.js";
import { mountNotice } from "../shared/notice-view.js";
import { mountPlainHeader } from "../shared/plain-header-controller.js";
import { byId, cleanups } from "../shared/dom/elements.js";
import { shownTheme } from "../shared/dom/theme.js";
import { mountArrival } from "./arrival-view.js";
import { mountBlock } from "./block-controller.js";
import { mountCompanion } from "./companion-controller.js";
import { mountComputedNumbers } from "./computed-numbers-view.js";
import { mountContents } from "./contents-view.js";
import { mountExercises } from "./exercises-view.js";
import { doneCount, readUpTo, withDeed } from "./progress.js";
import { keepProgress, keptProgress } from "./progress-storage-controller.js";
import { mountPaper } from "./paper-controller.js";
import { mountReadingPosition } from "./reading-position-view.js";
import { idle, mountSchedule } from "./schedule-view.js";
import { dataIn } from "./section-view.js";
import { mountSlides } from "./slides-controller.js";
/** @typedef {import("../figures/program-loader.js").Program} Program */
/** @typedef {import("../walk/walk.js").Walk} Walk */
/** @typedef {ReturnType<typeof mountBlock>} Block */

const CALM = 250;

/** A chapter of the course: prose with figures that live. @returns {() => void} unmount */
export function mountChapterPage() {
  const undo = cleanups();
  const main = byId("chapter");
  const article = byId("reading");
  const chapter = main.dataset.chapter ?? "";
  const parts = /** @type {HTMLElement[]} */ ([...article.children].filter((part) => !part.matches(".answer-key")));
  const sections = parts.filter((part) => part.matches(".block"));
  const questions = sections.filter((section) => section.classList.contains("question")).map(({ id }) => id);
  const headings = /** @type {HTMLElement[]} */ ([...article.querySelectorAll("h2[id]:not(.answer-key *)")]);
  let progress = keptProgress(chapter);
  /** Which part is being read. */
  let now = 0;
  /** @type {ReturnType<typeof setTimeout>|undefined} */
  let speech;

  const notice = mountNotice();
  const look = {
    theme: () => (paper.on ? "light" : shownTheme()),
    projector: () => document.body.classList.contains("projector"),
    say,
  };
  const numbers = mountComputedNumbers(article);
  const contents = mountContents(byId("contents"), headings, questions.length);
  const exercises = mountExercises(byId("exercises"), chapter);
  const programs = new Map(
    /** @type {{name: string, lesson: string}[]} */ (dataIn("programs")).map(({ name, lesson }) => {
      const request = JSON.stringify({ lesson });
      /** @type {Program} */
      const program = makeProgram(name, request, {
        moved: (walk, rests) => moved(program, walk, rests),
        failed,
        needs: () => needed(program),
      });
      undo.add(program.unmount);
      return [name, { program, path: `/walk/${encodeURIComponent(lesson)}` }];
    }),
  );
  const companion = mountCompanion(byId("companion"), { theme: look.theme, go: goToStep });
  undo.add(companion.unmount);
  /** @type {Map<HTMLElement, Block>} */
  const blocks = new Map(
    sections.flatMap((section) => {
      const home = programs.get(section.dataset.program ?? "");
      if (!home) return [];
      const deed = progress.deeds[section.id] ?? UNDONE;
      const hears = {
        done: (/** @type {import("../figures/drawing.js").Deed} */ next) => keep(withDeed(progress, section.id, next)),
        drawn: mark,
      };
      return [[section, mountBlock(section, { ...home, chapter, deed, look, hears })]];
    }),
  );
  const schedule = mountSchedule(async (section) => blocks.get(section)?.draw());
  for (const section of blocks.keys()) schedule.watch(section);
  undo.add(schedule.unmount);
  undo.add(() => blocks.forEach((block) => block.unmount()));
  const position = mountReadingPosition(parts, reading);
  undo.add(position.unmount);
  const slides = mountSlides(parts, byId("projector"), {
    now: () => now,
    shown(slide) {
      for (const part of slide) blocks.get(parts[part])?.draw();
      reading(slide[slide.length - 1]);
    },
    changed: redraw,
  });
  undo.add(slides.unmount);
  undo.add(mountPlainHeader());
  undo.add(mountArrival(article));
  undo.add(mountGlossary(article, { still: true, leftOut: ".block, .value" }).unmount);
  undo.add(notice.unmount);
  const theme = new MutationObserver(redraw); // colours of pictures are drawn, not styled
  theme.observe(document.documentElement, { attributeFilter: ["data-theme"] });
  undo.add(() => theme.disconnect());
  const paper = mountPaper({ settle: () => [...blocks.values()].map((block) => block.settle()), leave: redraw });
  undo.add(paper.unmount);
  undo.on(document, "keydown", (event) => {
    if (event.key === "Escape" && !event.defaultPrevented && !slides.on) resetAll();
  });
  main.setAttribute("aria-busy", "false");
  programs.get("")?.program.ready().then(begun, failed);

  /** @param {Walk} walk the first of the chapter's own program */
  function begun(walk) {
    exercises.update(walk);
    mark();
  }

  /** @param {Program} program @returns {import("../figures/drawing.js").Needs} of all that is in sight of it */
  function needed(program) {
    const own = [...blocks.values()].filter((block) => block.program === program);
    const needs = own.flatMap((block) => block.needs() ?? []);
    const told = program.walk ? numbers.inSight(program.name, program.walk) : [];
    return {
      steps: [...new Set(needs.flatMap(({ steps }) => steps))],
      nodes: [...new Set([...needs.flatMap(({ nodes }) => nodes), ...told])],
    };
  }

  /** @param {Program} program @param {Walk} walk @param {boolean} rests */
  function moved(program, walk, rests) {
    numbers.update(program.name, walk, program.shown.length > 0);
    main.classList.toggle(
      "has-changes",
      [...programs.values()].some((one) => one.program.changes.length > 0),
    );
    for (const block of blocks.values()) if (block.program === program) block.update(walk, rests);
    if (rests) mark();
    performance.mark("gradwalk:moved");
    document.dispatchEvent(new CustomEvent("gradwalk:moved"));
  }

  /** All numbers that were moved go back. */
  function resetAll() {
    const changed = [...programs.values()].filter(({ program }) => program.changes.length);
    for (const { program } of changed) program.reset();
    if (changed.length) say("Every number is back.");
  }

  /** @param {unknown} error */
  function failed(error) {
    const { problem } = asApiError(error, "Reload it.");
    notice.show(`${problem.message} ${problem.hint ?? ""}`, null, 8);
  }

  /** @param {string} words */
  function say(words) {
    clearTimeout(speech);
    speech = setTimeout(() => (byId("announcer").textContent = words.replace(/[`*]/g, "")), CALM);
  }

  /** @param {number} part */
  function reading(part) {
    now = part;
    const id =
      parts[part].id ||
      parts
        .slice(0, part + 1)
        .filter(({ id }) => id)
        .at(-1)?.id ||
      "";
    keep(readUpTo(progress, part + 1, parts.length, id));
    parts.forEach((one, i) => one.classList.toggle("is-read-now", i === part));
    mark();
  }

  /** @param {import("./progress.js").Progress} next */
  function keep(next) {
    progress = next;
    keepProgress(chapter, progress);
    contents.update(progress, doneCount(progress), headingAt(now));
  }

  /** @param {number} part @returns {HTMLElement|null} */
  function headingAt(part) {
    const above = headings.filter((heading) => {
      const own = parts.findIndex((one) => one.contains(heading));
      return own <= part;
    });
    return above.at(-1) ?? null;
  }

  /** The companion shows the program of the part that is read, and the line that it shows. */
  function mark() {
    const before = parts.slice(0, now + 1).filter((part) => blocks.has(part));
    const near = before.at(-1) ?? parts.find((part) => blocks.has(part));
    const block = near && blocks.get(near);
    const walk = block?.program.walk;
    if (!block || !walk) return;
    const here = parts[now] === near || parts[now - 1] === near || parts[now + 1] === near;
    const own = [...blocks.values()].filter(({ program }) => program === block.program);
    const unwritten = new Set(own.flatMap((one) => one.unanswered()));
    companion.update(block.program.name, walk, here ? block.step() : null, unwritten);
  }

  /** @param {string} program @param {number} step */
  function goToStep(program, step) {
    const found = [...blocks.values()].find((block) => block.program.name === program && block.step() === step);
    const home = programs.get(program);
    const from = encodeURIComponent(`/learn/${chapter}${progress.at && `#${progress.at}`}`);
    if (!found) return home && location.assign(`${home.path}?step=${step + 1}&from=${from}`);
    found.section.scrollIntoView({ block: "center" });
  }

  async function redraw() {
    for (const block of blocks.values()) {
      await idle();
      block.redraw();
    }
    mark();
  }

  return undo.run;
}
