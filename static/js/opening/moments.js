import { counted } from "../shared/plural.js";
import { numberText, percentText } from "../shared/format.js";
/** @typedef {import("./scene.js").Scene} Scene */
/** @typedef {import("../walk/walk.js").Walk} Walk */
/**
 * A sentence, and the light that belongs to it: from which column to which, going forward and on the way back, and the
 * steps downhill.
 * @typedef {{name: string, says: string, seconds: number, front: readonly [number, number],
 *   back: readonly [number, number], taken: readonly [number, number]}} Moment
 */
/** @typedef {{steps: number, loss: number, probs: ArrayLike<number>}} Later what so many steps downhill make of it */

/** From where on tanh is as good as flat: its slope is below 0.06. */
const FLAT = 0.97;
const BEFORE = -1.5;

/**
 * The opening as moments, one after the other.
 * @param {Scene} scene @param {Walk} walk @param {readonly Later[]} later the first of them before any step
 * @returns {Moment[]}
 */
export function momentsOf(scene, walk, later) {
  const end = scene.columns;
  const turn = [end + 1, end + 1];
  const there = [end, end];
  const edges = [0, ...scene.boxes.map(({ last }) => last)];
  const backs = [end + 1, ...scene.boxes.map(({ first }) => first).reverse()];
  const words = boxWords(scene, walk, later[0]);
  const forward = scene.boxes.map(({ name }, i) => moment(name, words[i], i ? 2 : 1.8, [edges[i], edges[i + 1]], turn));
  const way = backWords(walk);
  const backward = way.map(({ name, says, boxes: [from, to] }) =>
    moment(name, says, 2.4, there, [backs[from], to === scene.boxes.length ? BEFORE : backs[to]]),
  );
  return [
    moment("One example", exampleWords(scene), 1.8, [-1, 0], turn),
    ...forward,
    ...backward,
    moment("A step downhill", laterWords(scene, later), 4.2, there, [BEFORE, BEFORE], [0, later.length - 1]),
  ];
}

/**
 * @param {string} name @param {string} says @param {number} seconds
 * @param {...number[]} light `front`, `back` and `taken`, each from where to where
 */
function moment(name, says, seconds, ...light) {
  const [front, back, taken = [0, 0]] = /** @type {[number, number][]} */ (light);
  return { name, says, seconds, front, back, taken };
}

/** @param {Scene} scene @returns {string} what came after what */
export function exampleWords({ label, word }) {
  const [before, after] = label.split(" → ");
  const known = before.replaceAll(".", "");
  if (word)
    return `Your word, “${word}”, letter by letter: here “${after}” comes after ${known ? `“${known}”` : "the start"}.`;
  if (!known) return `The network reads names. Here a name begins, and the next letter is “${after}”.`;
  if (after === ".") return `The network reads names, letter by letter. After “${known}” this name ends.`;
  return `The network reads names, letter by letter. In one of them “${after}” comes after “${known}”.`;
}

/** @param {Scene} scene @param {Walk} walk @param {Later} now @returns {string[]} a sentence for each box */
function boxWords({ letters, right, label }, walk, now) {
  const of = (/** @type {string} */ name) => walk.node(name).shape;
  const examples = counted(of("Xb")[0], "example");
  const given = label.split(" → ")[0].length;
  const blind = percent(1 / letters.length);
  return [
    `Each of the ${counted(given, "letter")} becomes ${counted(of("C")[1], "number")}, its row of the table \`C\`: ` +
      "blue is negative, red is positive.",
    `A linear layer makes ${of("W1")[1]} sums of these ${counted(of("W1")[0], "number")}, each with its own weights.`,
    `Batch norm shifts and scales each sum, by its mean and variance over the ${examples}.`,
    `tanh bends them into (−1, 1), and a second linear layer gives each letter a score.`,
    `Softmax makes probabilities of the scores: “${letters[right]}” gets ${percent(now.probs[right])}. ` +
      `Blind guessing gives ${blind}. The loss is ${numberText(now.loss, 3)}.`,
  ];
}

/** @param {Walk} walk @returns {{name: string, says: string, boxes: [number, number]}[]} the way back in three parts */
function backWords(walk) {
  const h = walk.document.nodes.find(({ name }) => name === "h");
  const cells = h ? Array.from(walk.tensor(h.value).data) : [];
  const flat = cells.filter((value) => Math.abs(value) > FLAT).length;
  return [
    {
      name: "Back",
      says:
        "Now back. Backpropagation asks of each number: nudge it, and how far does the loss move? " +
        "That is its gradient. Where two paths meet, gradients add.",
      boxes: [0, 1],
    },
    {
      name: "Through tanh",
      says:
        `Where tanh is flat, hardly any gradient gets through: ${counted(flat, "number")} of ${cells.length} ` +
        `${flat === 1 ? "lies" : "lie"} beyond ±${FLAT}.`,
      boxes: [1, 3],
    },
    {
      name: "To the parameters",
      says: "Each parameter has its gradient now. The brighter it is, the further its nudge moves the loss.",
      boxes: [3, 5],
    },
  ];
}

/** @param {Scene} scene @param {readonly Later[]} later @returns {string} what becomes of the right letter */
export function laterWords({ letters, right }, later) {
  const [before, one, ...more] = later.map(({ probs }) => probs[right]);
  const verb = one > before ? "rises" : one < before ? "falls" : "stays";
  const first = `All parameters move a little against their gradients, and “${letters[right]}” ${verb}`;
  const after = more.map((part, i) => `after ${later[i + 2].steps} such updates ${percent(part)}`);
  const to = verb === "stays" ? `at ${percent(before)}` : `from ${percent(before)} to ${percent(one)}`;
  return `${[`${first} ${to}`, ...after].join(", ")}.`;
}

/** @param {number} part @returns {string} its sign stays beside it */
function percent(part) {
  return percentText(part).replace(" ", "\u00a0");
}
