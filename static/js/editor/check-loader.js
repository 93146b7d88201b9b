import { ApiError, asApiError, post } from "../shared/api.js";
import { latest } from "../shared/latest.js";
import { retry } from "../shared/retry.js";
/** @typedef {import("./line-notes.js").Report} Report */
/** @typedef {{accepted: (report: Report, source: string) => void, refused: (error: ApiError) => void}} Hears */

/** Milliseconds without a key before the server is asked. */
const CALM = 280;

/** Asks the server about the program while it is typed; only the latest version counts. @param {Hears} hears */
export function makeCheckLoader(hears) {
  const requests = latest();
  /** @type {ReturnType<typeof setTimeout>|undefined} */
  let timer;

  /** @param {string} body @param {AbortSignal} signal */
  async function check(body, signal) {
    const ask = () => post("/api/check?refusals=answer", body, signal);
    return (await retry(ask, { signal, quiet: true, attempts: Infinity })).json();
  }

  /** @param {string} body @param {string} source */
  function load(body, source) {
    requests.ask((signal) => check(body, signal), {
      arrived(answer) {
        if (answer.ok) hears.accepted(answer.report, source);
        else hears.refused(new ApiError(answer.error, 422));
      },
      failed: (error) => hears.refused(asApiError(error, "Reload it: your text stays.")),
    });
  }

  function stop() {
    clearTimeout(timer);
    requests.stop();
  }
  return {
    /** @param {string} body @param {string} source @param {boolean} [now] */
    check(body, source, now = false) {
      stop();
      timer = setTimeout(() => load(body, source), now ? 0 : CALM);
    },
    stop,
  };
}
