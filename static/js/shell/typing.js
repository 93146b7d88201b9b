/** What a key is written into, or chosen with. */
const WRITTEN = "textarea, select, [contenteditable], input:not([type=checkbox], [type=radio], [type=range])";
/** What moves a switch, a slider or one of several choices. */
const MOVING = new Set([" ", "ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight", "Home", "End", "PageUp", "PageDown"]);

/**
 * Whether somebody is typing: the key belongs to the field that has the focus.
 * @param {{matches?: (selector: string) => boolean}} target @param {string} key @returns {boolean}
 */
export function isTyping(target, key) {
  if (!target.matches) return false;
  return target.matches(WRITTEN) || (MOVING.has(key) && target.matches("input"));
}
