import { groupOf } from "../walk/whereabouts.js";
/** @typedef {import("../walk/walk.js").Walk} Walk */
/** @typedef {{name: string, start: number, end: number}} Run steps of one group in one direction, the end left out */
/** @typedef {Run & {text: string, until: number}} Movement `text`: what has room; `until`: where that ends */

/** @param {Walk} walk @returns {Run[]} the groups that the walk runs through, forward and back */
export function runsOf(walk) {
  /** @type {(Run & {direction: string})[]} */
  const runs = [];
  for (const step of walk.steps) {
    const { direction, index } = step;
    const name = groupOf(walk, step) ?? "";
    const last = runs[runs.length - 1];
    if (last && last.name === name && last.direction === direction) last.end = index + 1;
    else runs.push({ name, direction, start: index, end: index + 1 });
  }
  return runs;
}

/** @param {Walk} walk @returns {Run[]} the two halves of a walk */
export function halvesOf(walk) {
  const [turn, end] = [walk.forwardCount, walk.steps.length];
  return [
    { name: "forward", start: 0, end: turn },
    { name: "backward", start: turn, end },
  ].filter((half) => half.end > half.start);
}

/**
 * Names below the score are whole, or the word that they begin with, and never cut: a short group's may stand below
 * its neighbours, where those have none themselves.
 * @param {Run[]} runs @param {number} turn where the way back begins
 * @param {(text: string) => number} steps that a text is as wide as @returns {Movement[]}
 */
export function named(runs, turn, steps) {
  const fits = (/** @type {string} */ text, /** @type {Run} */ { start, end }) => steps(text) <= end - start;
  const own = runs.map((run) => spellings(run.name).find((text) => fits(text, run)) ?? "");
  return runs.map((run, i) => {
    const next = runs.findIndex((_, k) => k > i && own[k]);
    const half = run.start < turn ? turn : runs[runs.length - 1].end;
    const until = own[i] ? run.end : Math.min(half, next < 0 ? half : runs[next].start);
    const free = own.slice(0, i).every(Boolean) || Boolean(own[i - 1]);
    const text = own[i] || (free ? (spellings(run.name).find((one) => steps(one) <= until - run.start) ?? "") : "");
    return { ...run, text, until };
  });
}

/** @param {string} name @returns {string[]} the whole of it, then what it begins with */
function spellings(name) {
  const [first] = name.split(/,? /);
  return name ? [...new Set([name, first])] : [];
}
