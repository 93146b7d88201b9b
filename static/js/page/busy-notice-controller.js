import { patience } from "../shared/retry.js";
/** @typedef {ReturnType<typeof import("../shared/notice-view.js").mountNotice>} Notice */

/** Says while the server is busy with others and is being asked again. @param {Notice} notice @returns {{unmount: () => void}} */
export function mountBusyNotice(notice) {
  let said = false;
  function update() {
    const waits = patience.waiting > 0;
    if (waits && !said) notice.show("The server is busy with others. Asking again…", { label: "Cancel", act: () => patience.giveUp() });
    if (!waits && said) notice.hide();
    said = waits;
  }
  update();
  patience.addEventListener("change", update);
  return { unmount: () => patience.removeEventListener("change", update) };
}
