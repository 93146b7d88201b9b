import { asApiError, post } from "../shared/api.js";
import { latest } from "../shared/latest.js";
import { retry } from "../shared/retry.js";
/** @typedef {import("../course/types.js").ChapterAnswer} ChapterAnswer what the server says of an answer */
/** @typedef {import("../walk/types.js").Problem} Problem */
/** @typedef {{arrived: (judged: ChapterAnswer) => void, failed: (problem: Problem) => void}} Hears */

/** Has answers of a chapter's questions judged. @param {string} chapter @param {string} block */
export function makeQuizLoader(chapter, block) {
  const requests = latest();
  const path = `/api/chapters/${encodeURIComponent(chapter)}/answer`;

  /** @param {{answer: string}|{show: true}} asked @param {Hears} hears */
  function ask(asked, { arrived, failed }) {
    const run = async (/** @type {AbortSignal} */ signal) =>
      (await retry(() => post(path, { block, ...asked }, signal), { signal, quiet: true })).json();
    requests.ask(run, { arrived, failed: (error) => failed(asApiError(error, "Try it again.").problem) });
  }

  return {
    /** @param {string} answer @param {Hears} hears */
    judge: (answer, hears) => ask({ answer }, hears),
    /** The right answer, and why. @param {Hears} hears */
    show: (hears) => ask({ show: true }, hears),
    unmount: requests.stop,
  };
}
