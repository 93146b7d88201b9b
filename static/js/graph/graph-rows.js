/** @typedef {import("../walk/types.js").WalkDocument} WalkDocument */
/**
 * A line of the program: the lane that its tensor stands in, and the given tensors that it reads.
 * `again`: a row above it reads it, too.
 * @typedef {{name: string, lane: number, group: string|null, inputs: {name: string, again: boolean}[]}} Row
 */
/** From row to row by way of a lane. @typedef {{from: number, to: number, lane: number}} Rail */
/** @typedef {{rows: Row[], rails: Rail[], lanes: number, spine: Set<string>}} Rows */
/** First and last row of what a lane holds. @typedef {[number, number]} Span */

/**
 * One row for each line, in the program's order. The shortest way from the first line to the loss runs straight down
 * in the first lane, whatever branches off it stands in the lanes beside; what is given stands where it is read.
 * @param {Pick<WalkDocument, "nodes"|"loss">} document @returns {Rows}
 */
export function rowsOf({ nodes, loss }) {
  const made = nodes.filter((node) => node.line !== null).sort((a, b) => Number(a.line) - Number(b.line));
  const at = new Map(made.map((node, row) => [node.name, row]));
  const given = nodes.flatMap((node) => (at.has(node.name) ? [] : [node.name]));
  const read = made.map((node) => node.inputs.flatMap((name) => at.get(name) ?? []));
  const users = made.map((_, row) => made.flatMap((_, user) => (read[user].includes(row) ? [user] : [])));
  const spine = spineOf(read, at.get(loss.name) ?? made.length - 1);
  const { own, aside, lanes } = lanesOf(users, spine);
  const first = new Map(given.map((name) => [name, made.findIndex((node) => node.inputs.includes(name))]));
  return {
    rows: made.map((node, row) => ({
      name: node.name,
      lane: own[row],
      group: node.group,
      inputs: given
        .filter((name) => node.inputs.includes(name))
        .map((name) => ({ name, again: first.get(name) !== row })),
    })),
    rails: users.flatMap((rows, from) => rows.map((to) => ({ from, to, lane: laneTo(to, own[from], aside[from]) }))),
    lanes,
    spine: new Set(spine.map((row) => made[row].name)),
  };
}

/**
 * @param {number} to @param {number} own @param {{after: number, lane: number}|undefined} aside
 * @returns {number} where the line runs: aside, once the next tensor stands in the lane
 */
function laneTo(to, own, aside) {
  return aside && to > aside.after ? aside.lane : own;
}

/**
 * @param {number[][]} read the rows that each row reads @param {number} loss
 * @returns {number[]} rows of the shortest way from the first row to the loss
 */
function spineOf(read, loss) {
  /** @type {(number[]|undefined)[]} */
  const ways = [];
  for (const [row, sources] of read.entries()) {
    const before = sources.flatMap((source) => (ways[source] ? [ways[source]] : []));
    if (before.length) ways[row] = [...before.reduce((best, way) => (way.length < best.length ? way : best)), row];
    else if (row === 0) ways[row] = [row];
  }
  return ways[loss] ?? [];
}

/**
 * @param {number[][]} users the rows that read each row @param {number[]} spine
 * @returns {{own: number[], aside: ({after: number, lane: number}|undefined)[], lanes: number}}
 *   the lane of each row, and that of its line to rows that come after the next one of the spine
 */
function lanesOf(users, spine) {
  const next = new Map(spine.map((row, i) => [row, spine[i + 1] ?? row + 1]));
  /** @type {Span[][]} */
  const taken = [spine.map((row) => [row, (next.get(row) ?? row) - 1])];
  const first = spine.length ? 1 : 0;
  /** @type {({after: number, lane: number}|undefined)[]} */
  const aside = [];
  const own = users.map((rows, row) => {
    const end = Math.max(row, ...rows.map((user) => user - 1));
    const after = next.get(row);
    if (after === undefined) return takeLane(taken, first, [row, end]);
    if (end >= after) aside[row] = { after, lane: takeLane(taken, first, [row + 1, end]) };
    return 0;
  });
  return { own, aside, lanes: Math.max(1, taken.length) };
}

/** @param {Span[][]} taken @param {number} first @param {Span} span @returns {number} the first lane that is free */
function takeLane(taken, first, [start, end]) {
  let lane = first;
  while (taken[lane]?.some(([from, to]) => from <= end && start <= to)) lane += 1;
  (taken[lane] ??= []).push([start, end]);
  return lane;
}
