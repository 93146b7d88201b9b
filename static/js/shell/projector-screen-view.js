import { cleanups, el, icon } from "../shared/dom/elements.js";
import { labelOf } from "./keys.js";

/**
 * What a projector has on every page: the way out of the mode, and a black screen that any key takes away again.
 * @param {() => void} leaves
 */
export function mountProjectorScreen(leaves) {
  const undo = cleanups();
  const words = "Leave projector mode";
  const leave = el(
    "button",
    {
      type: "button",
      class: "leave",
      "aria-label": words,
      title: `${words} (${labelOf("projector")} or ${labelOf("leave")})`,
    },
    icon("close"),
  );
  const black = el(
    "div",
    { class: "black", role: "status", hidden: true },
    el("span", { class: "unseen" }, "The screen is black; any key brings it back."),
  );
  document.body.append(leave, black);

  /** @param {Event} event whatever is pressed first brings the picture back, and does nothing else */
  function lighten(event) {
    if (black.hidden) return;
    black.hidden = true;
    event.preventDefault();
    event.stopPropagation();
  }
  undo.on(leave, "click", leaves);
  undo.on(black, "click", lighten);
  undo.on(document, "keydown", lighten, true);
  undo.add(() => [leave, black].forEach((part) => part.remove()));
  return {
    /** @param {boolean} on */
    blacken: (on) => (black.hidden = !on),
    unmount: undo.run,
  };
}
