import { mountContents } from "./contents-view.js";
import { doneCount, readUpTo } from "./progress.js";
import { keepProgress, keptProgress } from "./progress-storage-controller.js";
/** @typedef {ReturnType<typeof makeReading>} Reading */

/**
 * How far a chapter is read and which of its questions are done: kept, and shown beside the text.
 * @param {{chapter: string, parts: HTMLElement[], article: HTMLElement}} page @param {HTMLElement} root of the contents
 */
export function makeReading({ chapter, parts, article }, root) {
  const headings = /** @type {HTMLElement[]} */ ([...article.querySelectorAll("h2[id]:not(.answer-key *)")]);
  const contents = mountContents(root, headings, parts.filter((part) => part.matches(".block.question")).length);
  let progress = keptProgress(chapter);
  let now = 0;

  /** @returns {HTMLElement|null} under which one reads */
  function heading() {
    return headings.filter((one) => parts.findIndex((part) => part.contains(one)) <= now).at(-1) ?? null;
  }

  /** @param {import("./progress.js").Progress} next */
  function keep(next) {
    progress = next;
    keepProgress(chapter, progress);
    contents.update(progress, doneCount(progress), heading());
  }
  return {
    /** The part that is being read. */
    get now() {
      return now;
    },
    get progress() {
      return progress;
    },
    keep,
    /** @param {number} part */
    moveTo(part) {
      now = part;
      const named = parts.slice(0, part + 1).filter(({ id }) => id);
      keep(readUpTo(progress, part + 1, parts.length, named.at(-1)?.id ?? ""));
      parts.forEach((one, i) => one.classList.toggle("is-read-now", i === part));
    },
    unmount: contents.unmount,
  };
}
