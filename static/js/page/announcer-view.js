import { announcement } from "../walk/announcement.js";
import { byId } from "../shared/dom/elements.js";
import { afterPaint } from "../shared/dom/after-paint.js";
/** @typedef {import("../walk/frame.js").Frame} Frame */

const CALM = 250;

/** Says each step once it stands still, and tells the world when it has been painted. */
export function mountAnnouncer() {
  const announcer = byId("announcer");
  /** @type {ReturnType<typeof setTimeout>|undefined} */
  let speech;
  let waiting = false;
  let index = 0;

  function painted() {
    waiting = false;
    performance.mark("gradwalk:painted", { detail: { index } });
    document.dispatchEvent(new CustomEvent("gradwalk:step", { detail: { index } }));
  }

  /** @param {string} words said when nothing else has been said for a moment */
  function say(words) {
    clearTimeout(speech);
    speech = setTimeout(() => {
      announcer.textContent = words;
    }, CALM);
  }

  return {
    say,
    /** @param {Frame} frame */
    update: (frame) => {
      ({ index } = frame.step);
      say(announcement(frame));
      if (waiting) return;
      waiting = true;
      afterPaint(painted);
    },
    unmount: () => clearTimeout(speech),
  };
}
