import { asApiError } from "../shared/api.js";
import { waits } from "../shared/retry.js";
import { cleanups } from "../shared/dom/elements.js";
import { mountNoticeLine } from "./notice-view.js";
/** @typedef {ReturnType<typeof mountNotice>} Notice */

/** The page's one notice: what was done, what failed, and why a request waits while it is being asked again. */
export function mountNotice() {
  const undo = cleanups();
  const line = undo.part(mountNoticeLine());
  let waiting = false;

  function tellWaiting() {
    const before = waiting;
    waiting = waits.count > 0;
    if (waiting && !before) line.show(`${waits.reason} Asking again…`, { label: "Cancel", act: () => waits.giveUp() });
    if (!waiting && before) line.hide();
  }
  waits.addEventListener("change", tellWaiting);
  undo.add(() => waits.removeEventListener("change", tellWaiting));
  tellWaiting();
  return {
    show: line.show,
    hide: line.hide,
    /** @param {unknown} error @param {string} hint what helps where the error is none of the server's */
    fail(error, hint) {
      const { problem } = asApiError(error, hint);
      line.show(`${problem.message} ${problem.hint ?? ""}`, null, 8);
    },
    unmount: undo.run,
  };
}
