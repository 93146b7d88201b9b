import { asApiError, post } from "../shared/api.js";
import { latest } from "../shared/latest.js";
import { retry } from "../shared/retry.js";
/** @typedef {import("../course/types.js").ChapterAnswer} Judged what the server says of an answer */

/** Has answers of a chapter's questions judged. @param {string} chapter @param {string} block */
export function makeQuizLoader(chapter, block) {
  const requests = latest();
  const path = `/api/chapters/${encodeURIComponent(chapter)}/answer`;
  return {
    /**
     * @param {string} answer
     * @param {{arrived: (judged: Judged) => void, failed: (problem: import("../walk/types.js").Problem) => void}} hears
     */
    judge(answer, { arrived, failed }) {
      const run = async (/** @type {AbortSignal} */ signal) =>
        (await retry(() => post(path, { block, answer }, signal), { signal, quiet: true })).json();
      requests.ask(run, { arrived, failed: (error) => failed(asApiError(error, "Try it again.").problem) });
    },
    unmount: requests.stop,
  };
}
