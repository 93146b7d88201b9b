import { waits } from "../shared/retry.js";
/** @typedef {ReturnType<typeof import("../shared/notice-view.js").mountNotice>} Notice */

/**
 * Says why a request waits, while the server is busy or starting and is being asked again.
 * @param {Notice} notice @returns {{unmount: () => void}}
 */
export function mountBusyNotice(notice) {
  let said = false;
  function update() {
    const waiting = waits.count > 0;
    if (waiting && !said) notice.show(`${waits.reason} Asking again…`, { label: "Cancel", act: () => waits.giveUp() });
    if (!waiting && said) notice.hide();
    said = waiting;
  }
  update();
  waits.addEventListener("change", update);
  return { unmount: () => waits.removeEventListener("change", update) };
}
