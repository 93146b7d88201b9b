import { el } from "../shared/dom/elements.js";

/** Between what there is and what has changed. @param {Record<string, string>} [props] */
export function changedSwitch(props = {}) {
  return el(
    "button",
    { type: "button", class: "switch", role: "switch", "aria-checked": "false", ...props },
    "what changed",
    el("i"),
  );
}
