import { announcement } from "../model/sentence.js";
import { byId } from "../views/dom.js";
/** @typedef {import("../model/frame.js").Frame} Frame */

const CALM = 250;

/** Says each step once it stands still, and tells the world when it has been painted. */
export function mountMoments() {
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

  return {
    /** @param {Frame} frame */
    update(frame) {
      ({ index } = frame.step);
      clearTimeout(speech);
      speech = setTimeout(() => { announcer.textContent = announcement(frame); }, CALM);
      if (waiting) return;
      waiting = true;
      // the message arrives after the frame that the animation callback belongs to has been painted
      requestAnimationFrame(() => {
        const channel = new MessageChannel();
        channel.port1.onmessage = painted;
        channel.port2.postMessage(null);
      });
    },
    unmount: () => clearTimeout(speech),
  };
}
