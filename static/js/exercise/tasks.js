/** @typedef {import("../practice/practice-api.js").Task} ServerTask */
/** @typedef {import("../walk/walk.js").Walk} Walk */
/** @typedef {import("../practice/attempts.js").Diagnosis} Diagnosis */
/**
 * One blank of the exercise: a gradient step by step, or `closed`, in one line without the gradients in `banned`.
 * @typedef {ServerTask & {banned: string[]}} Task
 */

/**
 * The blanks of an exercise: every gradient, then those that have a closed form again.
 * @param {Walk} walk @param {ServerTask[]} tasks in backward order @returns {Task[]}
 */
export function blanksOf(walk, tasks) {
  const blanks = tasks.map((task) => ({ ...task, given: inOrder(task.given), closed: false, banned: [] }));
  const closed = tasks.flatMap((task) => {
    const banned = task.closed ? betweenOf(walk, task.target).map((name) => `d${walk.node(name).variable}`) : [];
    const given = inOrder(task.given).filter(({ name }) => !banned.includes(name) && name !== task.name);
    return banned.length ? [{ ...task, given, banned }] : [];
  });
  return [...blanks, ...closed];
}

/**
 * @param {ServerTask["given"]} given
 * @returns {ServerTask["given"]} what a line is most likely to use first: gradients, the latest before the others
 */
function inOrder(given) {
  const gradients = given.filter(({ gradient }) => gradient).reverse();
  return [...gradients, ...given.filter(({ gradient }) => !gradient).reverse()];
}

/**
 * What a closed form leaps over. Where the program has headings, that is the block after the tensor without the block's
 * result; else everything up to the last tensor at which its branches have come together.
 * @param {Walk} walk @param {string} target @returns {string[]}
 */
export function betweenOf(walk, target) {
  const { nodes, groups } = walk.document;
  const user = nodes.find(({ inputs }) => inputs.includes(target));
  const block = groups.find(({ name }) => name === user?.group)?.nodes;
  return block ? block.slice(0, -1) : branchesOf(walk, target);
}

/** @param {Walk} walk @param {string} target @returns {string[]} what lies before its branches' last meeting */
function branchesOf(walk, target) {
  const reached = new Set([target]);
  for (const { name, inputs } of walk.document.nodes) if (inputs.some((input) => reached.has(input))) reached.add(name);
  const chain = walk.document.nodes.filter(({ name }) => reached.has(name) && name !== target);
  const place = new Map([target, ...chain.map(({ name }) => name)].map((name, at) => [name, at]));
  const skips = chain.flatMap(({ name, inputs }) =>
    inputs.filter((input) => reached.has(input)).map((input) => [place.get(input) ?? 0, place.get(name) ?? 0]),
  );
  const meets = (/** @type {number} */ at) => !skips.some(([from, to]) => from < at && at < to);
  const meetings = [0, ...chain.map((_, i) => i + 1).filter(meets)];
  const last = meetings.filter((at, i) => i > 0 && at > meetings[i - 1] + 1).pop() ?? 0;
  return chain.slice(0, Math.max(0, last - 1)).map(({ name }) => name);
}

/**
 * @param {Task} task @param {string} text an answer in closed form
 * @returns {Diagnosis|null} where it uses a gradient from between
 */
export function bannedIn({ name, banned }, text) {
  for (const [i, line] of text.split("\n").entries()) {
    for (const found of line.matchAll(/[A-Za-z_]\w*/g)) {
      if (!banned.includes(found[0])) continue;
      const column = [...line.slice(0, found.index)].length + 1;
      const where = { line: i + 1, column, end_column: column + found[0].length, text: found[0] };
      const message = `\`${found[0]}\` belongs to the steps that the closed form of \`${name}\` leaps over.`;
      return { code: "not-allowed", message, where, evidence: null };
    }
  }
  return null;
}
