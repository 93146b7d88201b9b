/**
 * What was done in a game, each deed once: a look at a line (`cell` where it is of one), a hint, a line that was
 * accused, a mistake that was named. `right` is what came of the last two.
 * @typedef {"gradient"|"nudge"|"lens"|"run"} Look
 * @typedef {{do: Look|"hint"|"accuse"|"name", line?: number, cell?: number[], grade?: number, mistake?: string,
 *   right?: boolean}} Deed
 * @typedef {{deeds: Deed[], over: ""|"found"|"shown"}} Game
 */

const WHOLE = 100;

/** What each look costs. @type {Readonly<Record<Look, number>>} */
export const LOOKS = { gradient: 2, nudge: 4, lens: 3, run: 20 };
/** What each hint costs, by its grade from 1. */
export const HINTS = [10, 20, 30];
/** What a wrong line costs: whoever tries them one by one has nothing left after two. */
export const ACCUSED = 60;
/** What a wrong mistake costs. */
export const NAMED = 20;

/** @type {Game} */
export const BEGUN = { deeds: [], over: "" };

/** @param {Deed} deed @returns {string} by which the same one is known again */
export function keyOf({ do: what, line, cell, grade, mistake }) {
  return [what, line, grade, mistake, cell?.join(",")].filter((part) => part !== undefined).join(" ");
}

/** @param {Game} game @param {Deed} deed @returns {boolean} whether it was done already, and so is free */
export function isDone({ deeds }, deed) {
  return deeds.some((one) => keyOf(one) === keyOf(deed));
}

/** @param {Game} game @param {Deed} deed @returns {Game} what is done twice counts once */
export function withDeed(game, deed) {
  return game.over || isDone(game, deed) ? game : { ...game, deeds: [...game.deeds, deed] };
}

/**
 * @param {Game} game @param {Game} other the same game, played on elsewhere
 * @returns {Game} what was done in either; how it ended first is how it ended
 */
export function together(game, other) {
  const deeds = [...game.deeds, ...other.deeds.filter((deed) => !isDone(game, deed))];
  return { deeds, over: game.over || other.over };
}

/** @param {Deed} deed @returns {number} */
function costOf(deed) {
  if (deed.do === "hint") return HINTS[(deed.grade ?? 1) - 1] ?? 0;
  if (deed.do === "accuse") return deed.right ? 0 : ACCUSED;
  if (deed.do === "name") return deed.right ? 0 : NAMED;
  return LOOKS[deed.do];
}

/** @param {Game} game @returns {number} what is left of the points; none where the answer was shown */
export function pointsOf({ deeds, over }) {
  if (over === "shown") return 0;
  return Math.max(0, WHOLE - deeds.reduce((sum, deed) => sum + costOf(deed), 0));
}

/** @param {Game} game @returns {number} */
export function looksOf({ deeds }) {
  return deeds.filter((deed) => deed.do in LOOKS).length;
}

/** @param {Game} game @returns {number|null} the line that was found */
export function foundLine({ deeds }) {
  return deeds.find((deed) => deed.do === "accuse" && deed.right)?.line ?? null;
}

/** @param {Game} game @returns {{line?: number, mistake?: string}} the line and the mistake that were found */
export function namedIn({ deeds }) {
  const named = deeds.find((deed) => deed.do === "name" && deed.right);
  return { line: named?.line, mistake: named?.mistake };
}

/** @param {Game} game @returns {number} how many hints were taken */
export function hintsOf({ deeds }) {
  return deeds.filter((deed) => deed.do === "hint").length;
}

/** @param {number} lines more than one @returns {number} looks that halve the lines until one is left */
export function halvings(lines) {
  return (lines - 1).toString(2).length;
}

/** @param {any} kept @returns {Game} what of something kept is a game; else a new one */
export function gameIn(kept) {
  const deeds = Array.isArray(kept?.deeds) ? kept.deeds.filter(isDeed) : [];
  return { deeds, over: kept?.over === "found" || kept?.over === "shown" ? kept.over : "" };
}

const KNOWN = new Set([...Object.keys(LOOKS), "hint", "accuse", "name"]);

/** @param {any} deed */
function isDeed(deed) {
  const whole = (/** @type {unknown} */ one) => one === undefined || Number.isInteger(one);
  const named = deed?.mistake === undefined || typeof deed.mistake === "string";
  const cell = deed?.cell === undefined || (Array.isArray(deed.cell) && deed.cell.every(Number.isInteger));
  return KNOWN.has(deed?.do) && whole(deed.line) && whole(deed.grade) && named && cell;
}
