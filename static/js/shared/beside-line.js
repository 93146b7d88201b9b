/** @typedef {{width: number, height: number}} Size */

/**
 * Where a small box goes: below the line that it belongs to, above it where there is no room below, and in the window.
 * @param {{top: number, bottom: number}} line @param {number} left where it would begin @param {Size} box
 * @param {Size} room the window @param {number} gap around it, in px like all of these
 * @returns {{left: number, top: number}}
 */
export function besideLine(line, left, box, room, gap) {
  const below = line.bottom + gap;
  const above = line.top - gap - box.height;
  const lowest = room.height - box.height - gap;
  return {
    left: Math.max(gap, Math.min(left, room.width - box.width - gap)),
    top: below <= lowest || above < gap ? Math.min(below, lowest) : above,
  };
}
