import { asApiError } from "../shared/api.js";
import { latest } from "../shared/latest.js";
import { byId } from "../shared/dom/elements.js";
import { showProblem } from "./problem-view.js";

/**
 * What a page is made of and has to ask for: until it is there the page is busy, and if it fails the page says why.
 * @template Answer
 * @param {HTMLElement} main
 * @param {{ask: (signal: AbortSignal) => Promise<Answer>, arrived: (answer: Answer) => void, hint: string}} page
 *   `hint`: what helps where the error is none of the server's
 */
export function mountLoading(main, { ask, arrived, hint }) {
  const requests = latest();
  const busy = (/** @type {boolean} */ now) => main.setAttribute("aria-busy", String(now));

  function load() {
    busy(true);
    main.classList.remove("failed");
    byId("problem").hidden = true;
    requests.ask(ask, {
      arrived(answer) {
        busy(false);
        arrived(answer);
      },
      failed,
    });
  }

  /** @param {unknown} error */
  function failed(error) {
    busy(false);
    main.classList.add("failed");
    const { problem, status } = asApiError(error, hint);
    // what was refused once is refused again
    showProblem(byId("problem"), problem, status === 422 ? [] : [{ label: "Try again", act: load }]);
  }
  load();
  return { unmount: requests.stop };
}
