/** @typedef {import("../walk/walk.js").Walk} Walk */
/** @typedef {import("../walk/types.js").Step} Step */
/** @typedef {import("./types.js").SideBySide} SideBySide */
/** @typedef {import("./types.js").Likeness} Likeness */
/**
 * A moment of two walks: a step of each, or of one of them alone, about the tensor of this name; a given tensor has
 * none. `code`: the lines as they stand there, `likeness` what their tensors have in common, `apart` in a word what
 * differs.
 * @typedef {{part: "given"|"forward"|"backward", variable: string, steps: (number|null)[], code: (string|null)[],
 *   likeness: Likeness|null, apart: "same"|"numbers"|"line"|"alone"}} Moment
 */
/** @typedef {{key: string, index: number}} Keyed */

const SAME = ["same", "rounding"];

/**
 * All moments of two walks in their order: lines and gradients of the same name are one moment.
 * @param {Walk[]} walks left and right @param {SideBySide} comparison @returns {Moment[]}
 */
export function momentsOf(walks, comparison) {
  const known = new Map(comparison.tensors.map((tensor) => [tensor.variable, tensor]));
  const parts = /** @type {const} */ (["forward", "backward"]);
  const stepped = parts.flatMap((part) =>
    aligned(...sides(walks.map((walk) => keyed(walk, part)))).map((steps) => momentOf(walks, part, steps, known)),
  );
  return [...givenOf(walks, known), ...stepped];
}

/** @template T @param {T[]} both @returns {[T, T]} */
function sides(both) {
  return [both[0], both[1]];
}

/** @param {Walk[]} walks @param {Map<string, import("./types.js").ComparedTensor>} known */
function givenOf(walks, known) {
  const stepped = walks.flatMap((walk) => [...walk.forwardIndex.keys()].map((name) => walk.node(name).variable));
  return [...known.values()].flatMap(({ variable, value }) =>
    stepped.includes(variable) || !value || SAME.includes(value.kind) ? [] : [given(variable, value)],
  );
}

/** @param {string} variable @param {Likeness} likeness @returns {Moment} */
function given(variable, likeness) {
  const code = [likeness.left, likeness.right].map((side) => (side ? variable : null));
  const apart = likeness.kind === "missing" ? "alone" : "numbers";
  return { part: "given", variable, steps: [null, null], code, likeness, apart };
}

/** @param {Walk} walk @param {"forward"|"backward"} part @returns {Keyed[]} */
function keyed(walk, part) {
  return walk.steps
    .filter(({ direction }) => direction === part)
    .map((step) => ({ key: keyOf(walk, step), index: step.index }));
}

/** @param {Walk} walk @param {Step} step what a step is about: a gradient on its way is told by the line it comes by */
function keyOf(walk, step) {
  const variable = variableOf(walk, step);
  return step.direction === "forward" || step.complete || !step.through
    ? variable
    : `${variable} < ${walk.nodes.get(step.through)?.variable ?? step.through}`;
}

/** @param {Walk} walk @param {Step} step */
function variableOf(walk, step) {
  return walk.nodes.get(step.node)?.variable ?? step.node;
}

/**
 * The longest common order of two lists; what only one has stands between, that of the left first.
 * @param {Keyed[]} left @param {Keyed[]} right @returns {(number|null)[][]}
 */
export function aligned(left, right) {
  const longest = common(left, right);
  /** @type {(number|null)[][]} */
  const pairs = [];
  let [i, j] = [0, 0];
  while (i < left.length || j < right.length) {
    if (left[i]?.key === right[j]?.key) pairs.push([left[i++].index, right[j++].index]);
    else if (j === right.length || (i < left.length && longest[i + 1][j] >= longest[i][j + 1]))
      pairs.push([left[i++].index, null]);
    else pairs.push([null, right[j++].index]);
  }
  return pairs;
}

/** @param {Keyed[]} left @param {Keyed[]} right @returns {Uint16Array[]} how much the rests of both have in common */
function common(left, right) {
  const table = Array.from({ length: left.length + 1 }, () => new Uint16Array(right.length + 1));
  for (let i = left.length - 1; i >= 0; i -= 1)
    for (let j = right.length - 1; j >= 0; j -= 1)
      table[i][j] = left[i].key === right[j].key ? table[i + 1][j + 1] + 1 : Math.max(table[i + 1][j], table[i][j + 1]);
  return table;
}

/**
 * @param {Walk[]} walks @param {"forward"|"backward"} part @param {(number|null)[]} steps
 * @param {Map<string, import("./types.js").ComparedTensor>} known @returns {Moment}
 */
function momentOf(walks, part, steps, known) {
  const found = steps.map((index, i) => (index === null ? null : walks[i].steps[index]));
  const side = found[0] ? 0 : 1;
  const variable = variableOf(walks[side], /** @type {Step} */ (found[side]));
  const code = found.map((step) => (step ? bare(step.code) : null));
  const whole = found.every((step) => !step || step.direction === "forward" || step.complete);
  const likeness = (whole && known.get(variable)?.[part === "forward" ? "value" : "gradient"]) || null;
  return { part, variable, steps, code, likeness, apart: apartBy(code, likeness) };
}

/** @param {(string|null)[]} code @param {Likeness|null} likeness @returns {Moment["apart"]} */
function apartBy([left, right], likeness) {
  if (left === null || right === null) return "alone";
  if (left !== right) return "line";
  return likeness && !SAME.includes(likeness.kind) ? "numbers" : "same";
}

/** @param {string} code @returns {string} a line without its comment */
function bare(code) {
  return code.replace(/\s*#.*$/gm, "").trim();
}

/** @param {Moment[]} moments @param {number} from @param {1|-1} way @returns {number|null} the next that differ */
export function differingFrom(moments, from, way) {
  for (let at = from + way; at >= 0 && at < moments.length; at += way) if (moments[at].apart !== "same") return at;
  return null;
}

/** @param {Moment[]} moments @returns {number} where to begin: where something first differs */
export function firstApart(moments) {
  return differingFrom(moments, -1, 1) ?? 0;
}
