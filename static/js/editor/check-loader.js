import { ApiError, post } from "../shared/api.js";
/** @typedef {import("./line-notes.js").Report} Report */
/** @typedef {{checking: () => void, accepted: (report: Report, source: string) => void, refused: (error: ApiError) => void}} Hears */

const CALM = 280;
const PATIENCE = 1500;
const BUSY = new Set([429, 503]);

/** Asks the server about the program while it is typed; a newer version aborts the question about the one before. @param {Hears} hears */
export function makeCheckLoader(hears) {
  /** @type {ReturnType<typeof setTimeout>|undefined} */
  let timer;
  let running = new AbortController();

  /** @param {string} body @param {string} source */
  async function ask(body, source) {
    const mine = (running = new AbortController());
    hears.checking();
    try {
      const answer = await (await post("/api/check?refusals=answer", body, mine.signal)).json();
      if (mine.signal.aborted) return;
      if (answer.ok) hears.accepted(answer.report, source);
      else hears.refused(new ApiError(answer.error, 422));
    } catch (error) {
      if (mine.signal.aborted) return;
      if (error instanceof ApiError && BUSY.has(error.status)) later(body, source, PATIENCE);
      else hears.refused(error instanceof ApiError ? error : new ApiError({ code: "page", message: "This page could not read the server's answer.", hint: "Reload it: your text stays." }, 0));
    }
  }

  /** @param {string} body @param {string} source @param {number} wait */
  function later(body, source, wait) {
    stop();
    timer = setTimeout(() => ask(body, source), wait);
  }

  function stop() {
    clearTimeout(timer);
    running.abort();
  }
  return {
    /** @param {string} body @param {string} source @param {boolean} [now] */
    check: (body, source, now = false) => later(body, source, now ? 0 : CALM),
    stop,
  };
}
