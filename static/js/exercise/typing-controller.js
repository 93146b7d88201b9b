import { cleanups } from "../shared/dom/elements.js";

/**
 * What is typed before a field is chosen is written into the blank that is open: none of the page's keys is meant. On a
 * projector the keys are a remote's.
 * @param {() => void} enter takes the focus into that blank @returns {import("../shell/types.js").Mounted}
 */
export function mountTyping(enter) {
  const undo = cleanups();
  /** @param {KeyboardEvent} event */
  function write(event) {
    const { key, ctrlKey, metaKey, altKey, target } = event;
    if (target !== document.body || document.body.classList.contains("projector")) return;
    if (key.length !== 1 || key === " " || ctrlKey || metaKey || altKey) return;
    if (document.querySelector("dialog[open]")) return;
    enter();
    event.stopPropagation();
  }
  undo.on(document, "keydown", write, true);
  return { unmount: undo.run };
}
