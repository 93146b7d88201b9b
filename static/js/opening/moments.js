import { counted } from "../shared/plural.js";
import { numberText, percentText } from "../shared/format.js";
import { countWords } from "../walk/tempo.js";
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
/** Seconds for a word of a sentence that is read beside a picture, and for the shortest of them. */
const [WORD, LEAST] = [0.25, 2.4];

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
  const backs = [end + 1, ...scene.boxes.map(({ first }) => arrivedBy(scene, first)).reverse()];
  const words = boxWords(scene, walk, later[0]);
  const forward = scene.boxes.map(({ name }, i) => moment(name, words[i], [edges[i], edges[i + 1]], turn));
  const way = backWords(walk);
  const backward = way.map(({ name, says, boxes: [from, to] }) =>
    moment(name, says, there, [backs[from], to === scene.boxes.length ? BEFORE : backs[to]]),
  );
  return [
    moment("One example", exampleWords(scene), [-1, 0], turn),
    ...forward,
    ...backward,
    moment("A step downhill", laterWords(scene, later), there, [BEFORE, BEFORE], [0, later.length - 1]),
  ];
}

/**
 * Where the light rests on its way back: nothing hangs in the air while a sentence is read.
 * @param {Pick<Scene, "tiles"|"links">} scene @param {number} column from which it would rest
 * @returns {number} the next one at which all that is under way has arrived
 */
function arrivedBy({ tiles, links }, column) {
  const columns = new Map(tiles.map((tile) => [tile.name, tile.column]));
  const under = links.filter(({ from, to }) => (columns.get(from) ?? 0) < column && (columns.get(to) ?? 0) > column);
  return under.length ? arrivedBy({ tiles, links }, column - 1) : column;
}

/**
 * @param {string} name @param {string} says as long as it takes to read it
 * @param {...number[]} light `front`, `back` and `taken`, each from where to where
 */
function moment(name, says, ...light) {
  const [front, back, taken = [0, 0]] = /** @type {[number, number][]} */ (light);
  return { name, says, seconds: Math.max(LEAST, WORD * countWords(says)), front, back, taken };
}

/** @param {Scene} scene @returns {string} what the network is to guess */
export function exampleWords({ label, word }) {
  const [before, after] = label.split(" → ");
  const known = before.replaceAll(".", "");
  const right = after === "." ? "Here the name ends." : `It should be “${after}”.`;
  const guesses = "an untrained network guesses the next letter";
  if (word) return `Your word, “${word}”: ${guesses} after “${known || before}”. ${right}`;
  if (!known) return `An untrained network guesses a name’s first letter. ${right}`;
  const part = before.startsWith(".") ? "The beginning" : "Part";
  return `${part} of a name, “${known}”: ${guesses}. ${right}`;
}

/** @param {Scene} scene @param {Walk} walk @param {Later} now @returns {string[]} a sentence for each box */
function boxWords({ letters, right }, walk, now) {
  const of = (/** @type {string} */ name) => walk.node(name).shape;
  const blind = percent(1 / letters.length);
  const examples = counted(of("Xb")[0], "example");
  return [
    `Each letter picks its ${counted(of("C")[1], "number")} from C: blue is negative, red is positive.`,
    `A linear layer makes ${of("W1")[1]} weighted sums of these ${of("W1")[0]}.`,
    `Batch norm shifts and scales each sum over the ${examples}.`,
    `tanh bends them into (−1, 1); a linear layer gives each letter a score.`,
    `Softmax: “${letters[right]}” gets ${percent(now.probs[right])}, a blind guess ${blind}. ` +
      `The loss, ${numberText(now.loss, 3)} over all ${examples}, says how wrong guesses are.`,
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
      says: "Backpropagation: a number’s gradient says how far the loss moves when that number is nudged.",
      boxes: [0, 1],
    },
    {
      name: "Through tanh",
      says:
        "Where paths meet, gradients add; where tanh is flat " +
        `(${counted(flat, "number")} of ${cells.length}), little gets through.`,
      boxes: [1, 3],
    },
    {
      name: "To the parameters",
      says: "Each parameter has its gradient: the brighter, the further its nudge moves the loss.",
      boxes: [3, 5],
    },
  ];
}

/** @param {Scene} scene @param {readonly Later[]} later @returns {string} what becomes of the right letter */
export function laterWords({ letters, right }, later) {
  const [before, one, ...more] = later.map(({ probs }) => probs[right]);
  const verb = one > before ? "rises" : one < before ? "falls" : "stays";
  const first = `Each parameter moves a little against its gradient: “${letters[right]}” ${verb}`;
  const after = more.map((part, i) => `after ${later[i + 2].steps} such steps to ${percent(part)}`);
  const to = verb === "stays" ? `at ${percent(before)}` : `from ${percent(before)} to ${percent(one)}`;
  return `${[`${first} ${to}`, ...after].join(", ")}.`;
}

/** @param {number} part @returns {string} its sign stays beside it */
function percent(part) {
  return percentText(part).replace(" ", "\u00a0");
}
