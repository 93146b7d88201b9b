import { mountGlossary } from "../glossary/glossary-view.js";
import { byId, cleanups } from "../shared/dom/elements.js";
import { mountShell } from "../shell/shell-controller.js";
import { copySnippet, mayBeEmbedded } from "../shell/embedding-controller.js";
import { onTheme, shownTheme } from "../shell/theme-view.js";
import { mountArrival } from "./arrival-view.js";
import { mountBeside } from "./beside-controller.js";
import { mountBlocks } from "./blocks-controller.js";
import { mountExercises } from "./exercises-view.js";
import { mountHolding } from "./holding-controller.js";
import { mountPaper } from "./paper-controller.js";
import { mountPrograms } from "./programs-controller.js";
import { makeReading } from "./reading-controller.js";
import { mountReadingPosition } from "./reading-position-view.js";
import { mountSlides } from "./slides-controller.js";

const CALM = 250;
const HINT = "Reload it.";

/** A chapter of the course: prose with figures that live. */
export function mountChapterPage() {
  const undo = cleanups();
  const page = pageOf(byId("chapter"), byId("reading"));
  const { article, chapter, parts } = page;
  const shell = undo.part(mountShell({ lists: ["chapter"], projected }));
  const { notice, projector } = shell;
  const say = speaker(undo);
  const failed = (/** @type {unknown} */ error) => notice.fail(error, HINT);

  const reading = undo.part(makeReading(page, byId("contents")));
  const exercises = undo.part(mountExercises(byId("exercises"), chapter));
  const programs = undo.part(mountPrograms(page, { blocks: blocksThere, rested: () => beside.update(), failed }));
  const look = { theme, projector: () => projector.on, say };
  const holding = undo.part(mountHolding(blocksThere, (words) => notice.show(words, null, 4)));
  const hears = { hold: holding.hold, letGo: holding.letGo, drawn: () => beside.update() };
  const blocks = undo.part(mountBlocks(page, reading, programs.all, look, hears));
  const beside = undo.part(mountBeside(page, reading, blocks.all, programs.all, theme));
  undo.part(mountReadingPosition(parts, moveTo));
  const slides = undo.part(mountSlides(parts, { now: () => reading.now, shown }));
  undo.part(mountArrival(article));
  undo.part(mountGlossary(article, { still: true, leftOut: ".block, .value" }));
  undo.part(mountFrames(article, notice));
  undo.add(onTheme(blocks.redraw));
  const paper = undo.part(mountPaper({ settle: blocks.settle, leave: blocks.redraw }));
  undo.part(shell.listen("chapter", { ...slides.keys, reset, hold: holding.key }));
  page.main.setAttribute("aria-busy", "false");
  programs.all.get("")?.program.ready().then(begun, failed);
  return { unmount: undo.run };

  /** @returns {"light"|"dark"} */
  function theme() {
    return paper.on ? "light" : shownTheme();
  }

  /** @returns {import("./programs-controller.js").Block[]} */
  function blocksThere() {
    return [...blocks.all.values()];
  }

  /** @param {import("../walk/walk.js").Walk} walk the first of the chapter's own program */
  function begun(walk) {
    exercises.update(walk);
    beside.update();
  }

  /** @param {number} part that is being read */
  function moveTo(part) {
    reading.moveTo(part);
    beside.update();
  }

  /** @param {number[]} slide the parts of it */
  function shown(slide) {
    for (const part of slide) blocks.all.get(parts[part])?.draw();
    moveTo(slide[slide.length - 1]);
  }

  /** @param {boolean} on */
  function projected(on) {
    slides.begin(on);
    blocks.redraw();
    if (!on) slides.end();
  }

  function reset() {
    if (programs.reset()) say("Every number is back.");
  }
}

/** @param {HTMLElement} main @param {HTMLElement} article */
function pageOf(main, article) {
  const children = /** @type {HTMLElement[]} */ ([...article.children]);
  const parts = children.filter((part) => !part.matches(".answer-key"));
  return { main, article, parts, chapter: main.dataset.chapter ?? "" };
}

/** @param {HTMLElement} article @param {import("../shell/notice-controller.js").Notice} notice */
function mountFrames(article, notice) {
  const undo = cleanups();
  for (const button of /** @type {Iterable<HTMLElement>} */ (article.querySelectorAll(".as-frame")))
    button.hidden = !mayBeEmbedded;
  undo.on(article, "click", (event) => {
    if (event.target.closest(".as-frame")) copySnippet(notice, event.target.closest(".block").id);
  });
  return { unmount: undo.run };
}

/** @param {ReturnType<typeof cleanups>} undo @returns {(words: string) => void} says what stays for a moment */
function speaker(undo) {
  /** @type {ReturnType<typeof setTimeout>|undefined} */
  let speech;
  undo.add(() => clearTimeout(speech));
  return (words) => {
    clearTimeout(speech);
    speech = setTimeout(() => (byId("announcer").textContent = words.replace(/[`*]/g, "")), CALM);
  };
}
