/** @typedef {import("../walk/walk.js").Walk} Walk */
/** @typedef {import("./block.js").Block} Block */
/** @typedef {import("./program-loader.js").Program} Program */
/** @typedef {import("./deep-link.js").Spot} Spot */
/** @typedef {import("./figure-controller.js").Look} Look */
/**
 * What was done with a block that asks something: `tries` are the wrong answers so far, in the words or codes in which
 * they were given; `given` is what stands there.
 * @typedef {{outcome: ""|"right"|"shown", tries: string[], given: string}} Deed
 */
/**
 * What a block is drawn with. `body` is where; `deed` remembers what a reader did with it, `done` keeps that.
 * @typedef {{body: HTMLElement, block: Block, chapter: string, program: Program, walk: Walk, deed: Deed,
 *   done: (deed: Deed) => void} & Look} Context
 */
/**
 * Steps whose own tensors are drawn, and named tensors beside them.
 * @typedef {{steps: number[], nodes: string[]}} Needs
 */
/**
 * A block that was drawn. `update` shows other numbers, which stay or are on their way, when it draws no more than it
 * says that it `needs`, and nothing where it needs nothing; `redraw` the same in another look; `play` moves what moves,
 * and `rest` ends that; `spot` tells where in the walk it stands. `nudged` is the number that is held in it, and
 * `marks` what wobbles there.
 * @typedef {{update: (walk: Walk, rests: boolean) => void, redraw: () => void, unmount: () => void,
 *   needs?: () => Needs, play?: () => boolean, rest?: () => void, spot?: () => Spot|null,
 *   nudged?: () => import("../wobble/wobble.js").Nudged|null,
 *   marks?: () => import("../wobble/wobble-view.js").Mark[]}} Figure
 */
/** @typedef {(context: Context) => Figure} Draw */

/** Why a block cannot be drawn: the walk has not what it names. */
export class Missing extends Error {}

/** @type {Readonly<Deed>} */
export const UNDONE = Object.freeze({ outcome: "", tries: [], given: "" });

/**
 * @template T @param {T|null|undefined} found @param {Block} block
 * @returns {T} @throws {Missing} where the walk does not have what the block names
 */
export function need(found, { kind, argument }) {
  if (found === null || found === undefined) throw new Missing(`{${kind}} ${argument}: not in this walk`);
  return found;
}
