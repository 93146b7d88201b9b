import { counted } from "../shared/plural.js";
/** @typedef {import("../walk/frame.js").Frame} Frame */
/** @typedef {import("./differences.js").Nudge} Nudge */

/** @param {Frame} frame @param {Nudge} nudge @returns {string} what was done, with `code` */
export function doneWords({ node, walk }, nudge) {
  const name = `\`${node.variable}\``;
  const runs = nudge.evaluations ? `, ${counted(nudge.evaluations, "time")} in all` : "";
  const again = `What depends on it ran again in float64${runs}.`;
  const change = changeWords(nudge, `\`${walk.document.loss.name}\``);
  const by = nudge.stencil === 4 ? "±h and ±2h" : "±h";
  if (nudge.mode === "direction" && node.shape.every((size) => size === 1))
    return `${name} was nudged by ${by}. ${again} ${change} the gradient.`;
  if (nudge.mode === "direction") {
    const nudged = `Every cell of ${name} was nudged at once, by ${by} along one random direction.`;
    return `${nudged} ${again} ${change} the gradient along that direction.`;
  }
  const cells = nudge.cells?.length ?? 0;
  if (cells <= 1) return `Only this cell of ${name} was nudged, by ${by}. ${again} ${change} the gradient of the cell.`;
  const nudged = `${cells} cells of ${name} were nudged, one after another. ${again}`;
  return `${nudged} Each slope found must equal the gradient of its cell. The one that agrees least is shown large.`;
}

/** @param {Nudge} nudge @param {string} loss */
function changeWords({ stencil }, loss) {
  return stencil === 4
    ? `The slope of ${loss} through these four points must equal`
    : `The change of ${loss} divided by 2h must equal`;
}
