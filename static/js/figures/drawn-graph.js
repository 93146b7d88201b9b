/** @typedef {import("../walk/types.js").WalkDocument} WalkDocument */
/** A tensor, however often it is read. @typedef {{name: string, label: string, role: string, shape: number[]}} Node */
/** From a tensor to a line that reads it. @typedef {{from: string, to: string}} Arrow */
/**
 * `spine`: what stands in the row of lines; `before` and `after` it, what is given.
 * @typedef {{nodes: Map<string, Node>, arrows: Arrow[], spine: string[], before: string[], after: string[]}} DrawnGraph
 */

/**
 * The graph as it is drawn in a text: one node for each tensor, one arrow for each line that reads it. Lines stand in
 * the program's order, behind the given tensor that the first of them is made from, where it is made from a single one.
 * @param {Pick<WalkDocument, "nodes">} document @returns {DrawnGraph}
 */
export function graphOf({ nodes }) {
  const lines = nodes.filter(({ line }) => line !== null).sort((a, b) => Number(a.line) - Number(b.line));
  const made = new Set(lines.map(({ name }) => name));
  const arrows = lines.flatMap(({ name, inputs }) => [...new Set(inputs)].map((from) => ({ from, to: name })));
  const given = nodes.map(({ name }) => name).filter((name) => !made.has(name) && users(arrows, name));
  const first = (lines[0]?.inputs ?? []).filter((name, i, all) => given.includes(name) && all.indexOf(name) === i);
  const begins = first.length === 1 ? first : [];
  const spine = [...begins, ...made];
  const drawn = new Set([...spine, ...given]);
  return {
    nodes: new Map(nodes.filter(({ name }) => drawn.has(name)).map((node) => [node.name, nodeOf(node)])),
    arrows: arrows.filter(({ from }) => drawn.has(from)),
    spine,
    ...sidesOf(
      given.filter((name) => !begins.includes(name)),
      arrows,
    ),
  };
}

/** @param {WalkDocument["nodes"][number]} node @returns {Node} */
function nodeOf({ name, variable, role, shape }) {
  return { name, label: variable, role, shape };
}

/** @param {Arrow[]} arrows @param {string} name @returns {number} how many lines read it */
function users(arrows, name) {
  return arrows.filter(({ from }) => from === name).length;
}

/**
 * What many lines read stands on both sides by turns, so that few arrows cross.
 * @param {string[]} given @param {Arrow[]} arrows
 */
function sidesOf(given, arrows) {
  const shared = given.filter((name) => users(arrows, name) > 1);
  const after = shared.filter((_, i) => i % 2 === 1);
  return { before: given.filter((name) => !after.includes(name)), after };
}
