/** Graphs written by hand: what each line reads. */

/**
 * @param {Record<string, string[]>} lines each line's name, and what it reads
 * @param {(name: string) => string|null} [group] @returns {any} as much of a Walk as the graph looks at
 */
export function program(lines, group = () => null) {
  const made = Object.keys(lines);
  const given = [...new Set(Object.values(lines).flat())].filter((name) => !made.includes(name));
  return {
    nodes: [
      ...[...given, "unused"].map((name) => ({ name, line: null, inputs: [], group: null })),
      ...made.map((name, i) => ({ name, line: i + 1, inputs: lines[name], group: group(name) })),
    ],
    loss: { name: made[made.length - 1] },
  };
}

/** @param {number} uses @returns {any} one weight and one bias, read by so many lines */
export function unrolled(uses) {
  const states = Array.from({ length: uses }, (_, i) => [`h${i}`, [i ? `h${i - 1}` : "x", "W", "b"]]);
  return program(Object.fromEntries([...states, ["loss", [`h${uses - 1}`]]]));
}

/** BatchNorm between two layers, with its branches. */
export const batchnorm = program(
  {
    hidden: ["x", "W1", "b1"],
    mean: ["hidden"],
    centred: ["hidden", "mean"],
    squares: ["centred"],
    variance: ["squares"],
    scaled: ["centred", "variance"],
    output: ["scaled", "gain", "bias"],
    loss: ["output", "y"],
  },
  (name) => (["mean", "centred", "squares", "variance", "scaled", "output"].includes(name) ? "BatchNorm" : null),
);

/** @param {number} seed @returns {any} lines that read any of those before them */
export function drawnAtRandom(seed) {
  let state = seed;
  const random = (/** @type {number} */ below) => {
    state = (state * 48271) % 2147483647;
    return state % below;
  };
  /** @type {Record<string, string[]>} */
  const lines = {};
  for (let i = 0, length = 3 + random(18); i < length; i += 1) {
    const before = Object.keys(lines);
    const read = Array.from({ length: 1 + random(3) }, () => before[random(before.length || 1)]).filter(Boolean);
    lines[`t${i}`] = [...new Set([...read, ...(random(3) ? [] : ["W"])])];
  }
  return program(lines);
}
