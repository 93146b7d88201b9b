import { el } from "./elements.js";

/**
 * A button, and what it does.
 * @param {Record<string, string|number|boolean|null>} props @param {() => void} act
 * @param {...(Node|string|null)} children
 */
export function button(props, act, ...children) {
  const made = el("button", { type: "button", ...props }, ...children);
  made.addEventListener("click", () => act());
  return made;
}
