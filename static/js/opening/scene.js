import { cellsOf } from "./cells.js";
import { numberIn } from "../shared/json-number.js";
/** @typedef {import("../walk/walk.js").Walk} Walk */
/** @typedef {import("../walk/types.js").SentNode} SentNode */
/** @typedef {import("../shared/tensor.js").Tensor} Tensor */
/** @typedef {import("./cells.js").Cells} Cells */
/**
 * A tensor of the picture. `column`: how many lines were run by then; `lane`: parameters above, the way that all rows
 * go in the middle, what branches off below; `norm`: its gradient's; `line` of code; `own`: one example's row is drawn.
 * @typedef {{name: string, variable: string, lane: "parameter"|"way"|"branch"|"data"|"target", column: number,
 *   place: number, norm: number, shape: number[], line: string, own: boolean, value: Cells|null,
 *   gradient: Cells|null}} Tile
 */
/** @typedef {{from: string, to: string, norm: number}} Link `norm`: of the gradient that comes back along it */
/** @typedef {{name: string, first: number, last: number}} Box a heading of the program: its columns */
/**
 * @typedef {{tiles: Tile[], links: Link[], boxes: Box[], columns: number, focus: number, letters: string[],
 *   right: number, label: string, word: string}} Scene `letters`: of the bars; `right`: which came next;
 *   `word`: somebody's own
 */

/**
 * One example's way through a walk and back: which tensors it meets, in which order, along which links.
 * @param {Walk} walk @param {ReadonlyMap<string, Tensor|null>} gradients by their names, such as `dh` @returns {Scene}
 */
export function sceneOf(walk, gradients) {
  const { nodes, labels, in_focus: inFocus, groups } = walk.document;
  const focus = inFocus.example ?? 0;
  const columns = columnsOf(walk);
  const branches = branchesOf(walk, columns);
  const computed = nodes.filter(({ name }) => columns.has(name));
  const tiles = [
    ...computed.map((node) => tileOf(node, branches.has(node.name) ? "branch" : "way", columns.get(node.name) ?? 0)),
    ...inputTiles(walk, columns),
  ];
  for (const tile of tiles) {
    const { dims, value } = walk.node(tile.name);
    const gradient = gradients.get(`d${tile.variable}`);
    tile.value = cellsOf(walk.tensor(value), dims, focus);
    tile.gradient = gradient ? cellsOf(gradient, dims, focus) : null;
  }
  return {
    ...{ tiles, links: linksOf(walk, columns), focus, label: labels.example?.[focus] ?? "" },
    boxes: groups.map(({ name, nodes: own }) => boxOf(name, own, columns)),
    columns: Math.max(0, ...columns.values()),
    letters: labels.class ?? [],
    word: JSON.parse(walk.request).word ?? "",
    right: rightOf(walk, focus),
  };
}

/** @param {SentNode} node @param {Tile["lane"]} lane @param {number} column @param {number} [place] @returns {Tile} */
function tileOf({ name, variable, gradient, shape, dims, source }, lane, column, place = 0) {
  const norm = numberIn(gradient?.size.norm ?? 0);
  const own = dims[0] === "example" && shape[0] > 1;
  return { name, variable, lane, column, place, norm, shape, line: source ?? "", own, value: null, gradient: null };
}

/** @param {Walk} walk @returns {Map<string, number>} of each line its place: after all that it reads */
function columnsOf(walk) {
  /** @type {Map<string, number>} */
  const columns = new Map();
  for (const step of walk.steps) {
    if (step.direction !== "forward") continue;
    const before = walk.node(step.node).inputs.map((name) => columns.get(name) ?? 0);
    columns.set(step.node, 1 + Math.max(0, ...before));
  }
  return columns;
}

/** @param {Walk} walk @param {Map<string, number>} columns @returns {Set<string>} lines that a longer link passes */
function branchesOf(walk, columns) {
  /** @type {Set<string>} */
  const passed = new Set();
  for (const [name, column] of columns)
    for (const input of walk.node(name).inputs) {
      const from = columns.get(input);
      if (from === undefined || column - from < 2) continue;
      for (const [other, at] of columns) if (at > from && at < column) passed.add(other);
    }
  return passed;
}

/** @param {Walk} walk @param {Map<string, number>} columns @returns {Tile[]} parameters, data and targets */
function inputTiles(walk, columns) {
  const { nodes } = walk.document;
  /** @type {Map<number, number>} */
  const taken = new Map();
  return nodes.flatMap((node) => {
    const reader = nodes.find(({ name, inputs }) => columns.has(name) && inputs.includes(node.name));
    const column = reader && columns.get(reader.name);
    if (columns.has(node.name) || column === undefined || node.role === "intermediate") return [];
    if (node.role === "data") return [tileOf(node, "data", column - 1)];
    const place = taken.get(column) ?? 0;
    taken.set(column, place + 1);
    return [tileOf(node, node.role === "target" ? "target" : "parameter", column, place)];
  });
}

/** @param {Walk} walk @param {Map<string, number>} columns @returns {Link[]} one for each tensor that a line reads */
function linksOf(walk, columns) {
  return [...columns.keys()].flatMap((to) =>
    walk.node(to).inputs.map((from) => ({ from, to, norm: flowOf(walk, from, to) })),
  );
}

/** @param {Walk} walk @param {string} from @param {string} to @returns {number} what comes back; 0 of none */
function flowOf(walk, from, to) {
  const norms = walk.steps.map((step) =>
    step.direction === "backward" && step.node === from && step.through === to ? numberIn(step.norm) : 0,
  );
  return Math.hypot(...norms);
}

/** @param {string} name @param {string[]} own @param {Map<string, number>} columns @returns {Box} */
function boxOf(name, own, columns) {
  const at = own.map((one) => columns.get(one) ?? 0);
  return { name, first: Math.min(...at), last: Math.max(...at) };
}

/** @param {Walk} walk @param {number} focus @returns {number} the place of the letter that came next, −1 if unknown */
function rightOf(walk, focus) {
  const target = walk.document.nodes.find(({ role }) => role === "target");
  return target ? (walk.tensor(target.value).data[focus] ?? -1) : -1;
}
