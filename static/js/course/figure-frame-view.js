import { el, icon } from "../shared/dom/elements.js";
import { prose } from "../shared/prose-view.js";
/** @typedef {import("../walk/types.js").Problem} Problem */

/**
 * What stands around a figure: its way into the walk, its motion once more, and what went wrong where it could not be
 * drawn.
 * @param {HTMLElement} section @param {HTMLElement} stage
 */
export function mountFigureFrame(section, stage) {
  const link = el("a", { class: "into-walk", hidden: true }, "Open in the walk");
  const replay = el(
    "button",
    {
      type: "button",
      class: "quiet replay",
      hidden: true,
      "aria-label": "Show the motion again",
      title: "Show the motion again",
    },
    icon("again"),
  );
  const frame = el("button", { type: "button", class: "link as-frame", hidden: true }, "Copy as a frame");
  const foot = el("p", { class: "block-foot" }, replay, link, frame);
  section.append(foot);

  return {
    link,
    replay,
    frame,
    /** The figure is there: what stood in its place is for paper and for a voice. */
    drawn() {
      section.classList.add("is-drawn");
      section.classList.remove("is-failed");
      section.removeAttribute("aria-busy");
    },
    /** @param {Problem} problem @param {(() => void)|null} again */
    failed({ message, hint }, again) {
      section.classList.add("is-failed");
      section.removeAttribute("aria-busy");
      const retry = el("button", { type: "button", class: "button" }, "Try again");
      retry.addEventListener("click", () => again?.());
      stage.replaceChildren(
        el(
          "div",
          { class: "figure-failed", role: "status" },
          el("p", {}, ...prose(`${message} ${hint ?? ""}`)),
          again ? retry : null,
        ),
      );
    },
    unmount: () => foot.remove(),
  };
}
