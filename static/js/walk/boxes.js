/** @typedef {import("./types.js").WalkDocument} WalkDocument */
/** @typedef {import("./types.js").Step} Step */
/** @typedef {import("./walk.js").Walk} Walk */
/**
 * Lines of the program that belong together: their tensors, in order; the one that others go on with; what is given
 * and read by them.
 * @typedef {{key: string, name: string, lines: string[], output: string, given: string[]}} Box
 */
/**
 * How far away the graph is: its boxes; the box in which the walk is, open, among the others; every line. Null where
 * the program is too short for boxes.
 * @typedef {"boxes"|"box"|"lines"|null} Distance
 */

/** Of fewer lines each is seen at once. */
const FEWEST_LINES = 6;
/** @type {readonly ("boxes"|"box"|"lines")[]} from far to near */
const DISTANCES = ["boxes", "box", "lines"];

/** @type {WeakMap<WalkDocument, Box[]>} */
const known = new WeakMap();

/** @param {WalkDocument} sent @returns {Box[]} none where it would not be easier to see */
export function boxesOf(sent) {
  let boxes = known.get(sent);
  if (!boxes) known.set(sent, (boxes = made(sent)));
  return boxes;
}

/** @param {WalkDocument} sent @returns {Box[]} */
function made({ nodes, loss }) {
  const lines = nodes.filter((node) => node.line !== null).sort((a, b) => Number(a.line) - Number(b.line));
  /** @type {(typeof lines)[]} */
  const runs = [];
  for (const node of lines) {
    const last = runs[runs.length - 1];
    if (last && last[0].group === node.group) last.push(node);
    else runs.push([node]);
  }
  if (lines.length < FEWEST_LINES || runs.length < 2 || 2 * runs.length > lines.length) return [];
  const given = new Set(nodes.flatMap((node) => (node.line === null ? [node.name] : [])));
  return runs.map((run, i) => {
    const own = new Set(run.map(({ name }) => name));
    const goesOn = run.filter(
      ({ name }) => name === loss.name || lines.some((other) => !own.has(other.name) && other.inputs.includes(name)),
    );
    const ends = [run[0], run[run.length - 1]];
    return {
      key: String(i + 1),
      name: ends[0].group ?? [...new Set(ends.map(({ variable }) => variable))].join(" … "),
      lines: [...own],
      output: (goesOn[goesOn.length - 1] ?? ends[1]).name,
      given: [...new Set(run.flatMap(({ inputs }) => inputs.filter((input) => given.has(input))))],
    };
  });
}

/**
 * @param {Walk} walk @param {Step} step
 * @returns {Box|undefined} a step back is where the line is that it goes back through
 */
export function boxOfStep(walk, step) {
  const backward = step.direction === "backward";
  const boxes = boxesOf(walk.document);
  const holds = (/** @type {string|null} */ name) => boxes.find((box) => name !== null && box.lines.includes(name));
  return holds(backward ? step.through : step.node) ?? holds(step.node);
}

/**
 * @param {Walk} walk @param {Box} box @param {boolean} backward
 * @returns {number} the step with which the walk comes into it, on its way
 */
export function entryOf(walk, box, backward) {
  const steps = walk.steps.filter(
    (step) => (step.direction === "backward") === backward && boxOfStep(walk, step) === box,
  );
  return steps[0]?.index ?? walk.forwardIndex.get(box.lines[0]) ?? 0;
}

/** @param {number} step @returns {"boxes"|"lines"} what an address leaves out: a walk begins with the whole of it */
export function usualDistance(step) {
  return step === 0 ? "boxes" : "lines";
}

/** @param {string|null} text @returns {Distance} */
export function distanceIn(text) {
  return DISTANCES.find((one) => one === text) ?? null;
}

/**
 * @param {WalkDocument} sent @param {{distance: Distance, step: number}} place
 * @returns {Distance} as far as it has boxes
 */
export function distanceFor(sent, { distance, step }) {
  return boxesOf(sent).length ? (distance ?? usualDistance(step)) : null;
}
