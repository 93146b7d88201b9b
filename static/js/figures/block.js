/** @typedef {import("../walk/walk.js").Walk} Walk */
/** @typedef {import("../walk/store.js").State} State */
/** @typedef {import("../walk/pick.js").Of} Of */
/**
 * One answer to choose from, and what is said of it, as nodes of the page; of a sum what it sums over.
 * @typedef {{text: string, answer: Node[], why: Node[], right: boolean, shape: number[]|null, axes: number[]|null,
 *   keepdim: boolean}} Choice
 */
/**
 * One block of a chapter: its place on the page, what kind of figure or question it is, what stands behind the name of
 * its directive, the program it is about, its options, and the answers that it offers.
 * @typedef {{id: string, kind: string, argument: string, program: string, props: Record<string, any>,
 *   choices: Choice[], asks: string}} Block
 */
/**
 * A tensor or one number of it, as the text names it: `Y`, `dw[0, 1]`.
 * @typedef {{tensor: string, of: "value"|"gradient", index: number[]|null}} Named
 */

const NAMED = /^([A-Za-z_]\w*)(?:\[\s*(-?\d+(?:\s*,\s*-?\d+)*)?\s*\])?$/;

/**
 * @param {Walk} walk @param {string} text
 * @returns {Named|null} a value by its own name, else a gradient by its name with a d; null for anything else
 */
export function namedIn(walk, text) {
  const [, name, places] = NAMED.exec(text.trim()) ?? [];
  if (!name) return null;
  const gradient = nodeOf(walk, name) ? null : nodeOf(walk, name.replace(/^d/, ""));
  const tensor = nodeOf(walk, name) ?? gradient;
  if (!tensor || (gradient && !name.startsWith("d"))) return null;
  const { shape } = walk.node(tensor);
  const index = places === undefined ? null : places.split(",").map((at, axis) => wrapped(Number(at), shape[axis]));
  return { tensor, of: gradient ? "gradient" : "value", index };
}

/** @param {number} at @param {number} length @returns {number} counted from the end where it is negative */
function wrapped(at, length) {
  return at < 0 ? at + length : at;
}

/** @param {Walk} walk @param {string} variable @returns {string|null} the node that the code calls so */
export function nodeOf(walk, variable) {
  if (walk.nodes.has(variable)) return variable;
  return [...walk.nodes.values()].find((node) => node.variable === variable)?.name ?? null;
}

/**
 * @param {Walk} walk @param {string} text @returns {number|null} the number that an expression names; null for one that
 *   is more than a name, or more than one number
 */
export function numberAt(walk, text) {
  const named = namedIn(walk, text);
  if (!named) return null;
  const { value, gradient } = walk.node(named.tensor);
  const wire = named.of === "value" ? value : gradient?.manual;
  const tensor = wire ? walk.tensor(wire) : null;
  if (!tensor || tensor.block) return null;
  if (named.index) return tensor.at(named.index) ?? null;
  return tensor.size === 1 ? tensor.data[0] : null;
}

/**
 * The step that a directive names: `forward Y`, `backward w`, `backward counts.0` for the first path.
 * @param {Walk} walk @param {string} direction @param {string} target @param {string} [through] the line it goes back
 *   through @returns {number|null} null where the walk has no such step
 */
export function stepAt(walk, direction, target, through) {
  const [, name, path] = /^(.+?)(?:\.(\d+))?$/.exec(target.trim()) ?? [];
  if (!name) return null;
  if (direction === "forward") return walk.forwardIndex.get(nodeOf(walk, name) ?? name) ?? null;
  const all = backwardSteps(walk, name);
  if (through) return all.find((index) => throughOf(walk, index) === nodeOf(walk, through)) ?? null;
  return all[path === undefined ? all.length - 1 : Number(path)] ?? null;
}

/** @param {Walk} walk @param {string} name of a tensor or of its gradient @returns {number[]} */
function backwardSteps(walk, name) {
  const own = walk.backwardIndex.get(nodeOf(walk, name) ?? name);
  const without = name.replace(/^d/, "");
  return own ?? walk.backwardIndex.get(nodeOf(walk, without) ?? without) ?? [];
}

/** @param {Walk} walk @param {number} index */
function throughOf(walk, index) {
  const step = walk.steps[index];
  return step.direction === "backward" ? step.through : null;
}

/** @param {"light"|"dark"} theme @param {boolean} projector @returns {State} a page at rest, with nothing chosen */
export function resting(theme, projector) {
  const chosen = { cell: null, of: null, tensor: null, path: null, trail: [], reach: null };
  const walk = {
    lesson: "",
    seed: null,
    word: "",
    step: 0,
    node: null,
    exact: false,
    changes: [],
    plant: null,
    run: null,
    example: null,
  };
  const asks = { predict: false, writeIt: false, view: null, sheet: null, delta: false, playing: false, speed: 2 };
  return { ...walk, ...chosen, ...asks, theme, projector, distance: null };
}
