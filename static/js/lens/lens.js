import { numberText, toldApart } from "../shared/format.js";
import { axisName, axisWords, blockOf, cellWords } from "../shared/axis-labels.js";
import { numberName } from "../walk/trail.js";
import { counted } from "../shared/plural.js";
/** @typedef {import("../walk/pick.js").Pick} Pick */
/** @typedef {import("../walk/walk.js").Walk} Walk */
/** @typedef {import("./types.js").OpenedCell} OpenedCell */
/**
 * What POST /api/cell says about one number, with the words for what JSON cannot hold as numbers again. Of the
 * formula's right-hand side the largest terms come first: `⟨0⟩` in a text is the first of the term's values.
 * @typedef {Omit<import("./types.js").Term, "local"|"arriving"|"product"> & {local: number, arriving: number,
 *   product: number|null}} Term
 * @typedef {{count: number, terms: {text: string, values: number[]}[]}} Numbers
 * @typedef {Omit<OpenedCell, "numbers"|"shown"|"sum"|"rest"|"terms"> & {numbers: Numbers|null, shown: number,
 *   sum: number, rest: {count: number, sum: number|null}, terms: Term[]}} Answer
 */

/** @param {OpenedCell} sent @returns {Answer} with the words for what JSON cannot hold as numbers again */
export function readAnswer(sent) {
  const term = (/** @type {import("./types.js").Term} */ one) => ({
    ...one,
    local: Number(one.local),
    arriving: Number(one.arriving),
    product: one.product === null ? null : Number(one.product),
  });
  const { shown, sum, rest, terms, numbers } = sent;
  const filled = numbers && {
    ...numbers,
    terms: numbers.terms.map((one) => ({ ...one, values: one.values.map(Number) })),
  };
  return {
    ...sent,
    numbers: filled,
    shown: Number(shown),
    sum: Number(sum),
    rest: { ...rest, sum: rest.sum === null ? null : Number(rest.sum) },
    terms: terms.map(term),
  };
}

/**
 * @param {Walk} walk @param {Pick} pick
 * @returns {{name: string, kind: string, place: string}} the number's name, what it is, and where it stands
 */
export function titleOf(walk, pick) {
  const name = numberName(walk.node(pick.tensor).variable, pick.which, pick.index);
  return { name, kind: kindOf(walk, pick), place: told(walk, pick.tensor, pick.index, () => true) };
}

/**
 * The axes of a place that say more than the index in brackets does; a voice, which has no brackets, is told all.
 * @param {Walk} walk @param {string} tensor @param {number[]} index @param {(axis: number) => boolean} wanted
 * @param {boolean} [spoken]
 */
function told(walk, tensor, index, wanted, spoken = false) {
  const { dims, shape } = walk.node(tensor);
  const named = (/** @type {number} */ axis) => spoken || !/^axis \d+$/.test(dims[axis] ?? "axis 0");
  const says = (/** @type {number} */ axis) => shape[axis] !== 1 && named(axis) && wanted(axis);
  return index
    .map((at, axis) => (says(axis) ? axisWords(walk.document.labels, dims[axis], axis, at) : ""))
    .filter(Boolean)
    .join(", ");
}

/** @param {Walk} walk @param {string} node @returns {string} its name as the code has it */
function printed(walk, node) {
  return walk.node(node).variable;
}

/** @param {Walk} walk @param {Pick} pick */
function kindOf(walk, { tensor, which, step }) {
  if (which !== "contribution") return which;
  const path = walk.steps[step ?? -1];
  const brings =
    path?.direction === "backward" && path.through ? `what ${printed(walk, path.through)} brings` : "gradient";
  const all = walk.backwardIndex.get(tensor) ?? [];
  return all.length > 1 ? `${brings}, path ${all.indexOf(step ?? -1) + 1} of ${all.length}` : brings;
}

/**
 * @param {Walk} walk @param {Pick} pick @param {number} known the last step whose outcome may be seen
 * @returns {string} what one of several paths is a part of
 */
export function pathsText(walk, { tensor, which, index }, known) {
  if (which !== "contribution") return "";
  const { arrived, expected, tensor: sum } = walk.gradientAt(tensor, known);
  if (expected < 2) return "";
  const so = sum && !sum.block ? ` ${numberText(sum.at(index) ?? NaN, 5)}` : "";
  if (arrived === expected) return `With the other paths it adds up to${so || " the gradient"}.`;
  const left = expected - arrived;
  const come = `${left === 1 ? "one more is" : `${left} more are`} still to come.`;
  return arrived > 1
    ? `The ${arrived} paths so far add up to${so || " what the charts show"}; ${come}`
    : come.replace(/^o/, "O");
}

/**
 * @param {import("../shared/tensor.js").Tensor|null} tensor as it is drawn @param {number[]} index
 * @returns {string} that a picture of a large tensor shows blocks, of which this is one cell; empty where every cell is
 *   drawn
 */
export function blockText(tensor, index) {
  if (!tensor?.block) return "";
  const flat = tensor.flatOf(index);
  const first = tensor.cellAt(Math.floor(flat / tensor.grid.cols), flat % tensor.grid.cols).join() === index.join();
  const which = first ? "The first" : "One";
  return `${which} cell of a block: the picture shows means of ${blockOf(tensor)} cells.`;
}

/** @typedef {{name: string, sign: string, right: {text: string, low: boolean}[], letters: string}} Formula */

const LOW = /(?<=[ΣΠ]|\bargmax|\bargmin|\bmax|\bmin)(_[a-z](?:<\d+)?(?:,[a-z](?:<\d+)?)*)(?!\w)/;

/**
 * @param {Answer} answer
 * @returns {Formula|null} the formula cut at its equals sign, letters below a sum told apart, and which place the
 *   letters name
 */
export function formulaOf({ formula, index }) {
  const [, name, sign, said] = /^(.*?)\s*(\+?=)\s*(.*)$/s.exec(formula) ?? [];
  if (!sign) return null;
  const right = said
    .split(LOW)
    .filter(Boolean)
    .map((text) => ({ text: text.replace(/^_/, ""), low: text.startsWith("_") }));
  const axes = /\[(.*)\]$/.exec(name)?.[1].split(",") ?? [];
  const letters = axes
    .map((letter, axis) => (/^[a-z]$/.test(letter) ? `${letter} = ${index[axis]}` : ""))
    .filter(Boolean)
    .join(", ");
  return { name, sign, right, letters };
}

/** @param {Term} term @returns {string} "0.041 × (−0.031)" */
export function factorsText({ local, arriving }) {
  return `${numberText(local, 3)} × ${factor(arriving)}`;
}

/** @param {number} value @returns {string} as a factor, where a sign needs brackets */
function factor(value) {
  return value < 0 ? `(${numberText(value, 3)})` : numberText(value, 3);
}

/** @param {Term} term @returns {string} "0.041·(−0.031)"; a factor of one is left out */
function productText({ local, arriving }) {
  if (local === 1) return numberText(arriving, 3);
  if (local === -1) return arriving < 0 ? `−${factor(arriving)}` : numberText(-arriving, 3);
  return `${numberText(local, 3)}·${factor(arriving)}`;
}

/** @param {Answer} answer @returns {number} how many terms come before those that add nothing; one at least */
export function tellingOf({ terms }) {
  const silent = terms.findIndex((term) => term.product === 0);
  return silent < 0 ? terms.length : Math.max(1, silent);
}

/**
 * The sum with this minibatch's numbers, as far as it fits.
 * @param {Answer} answer @param {number} room how many characters there are
 * @returns {string} "0.041·(−0.031) + 0.12·0.004 + … (32 terms)"
 */
export function sumText(answer, room) {
  const { terms, count } = answer;
  if (count > 1 && terms[0].product === 0) return `0 (${counted(count, "term")}, all zero)`;
  const telling = tellingOf(answer);
  const zeros = telling < terms.length ? `, ${(count - telling).toLocaleString("en")} of them zero` : "";
  const end = count > 1 ? ` (${count.toLocaleString("en")} terms${zeros})` : "";
  let text = "";
  for (const [i, term] of terms.slice(0, telling).entries()) {
    const next = text + (i ? joined(productText(term)) : productText(term));
    if (i && next.length + (i + 1 < count ? 4 : 0) + end.length > room) return `${text} + …${end}`;
    text = next;
  }
  return telling < count ? `${text} + …${end}` : text + (count > 3 ? end : "");
}

/**
 * The formula with this minibatch's numbers where its names stand, as far as it fits; without a formula, the sum of the
 * terms.
 * @param {Answer} answer @param {number} room how many characters there are @returns {string} "−0.0313 / 0.0325"
 */
export function numbersText(answer, room) {
  if (!answer.numbers) return answer.adds && answer.terms.length ? sumText(answer, room) : "";
  const { count, terms } = answer.numbers;
  if (!count) return "0";
  const end = count > 3 ? ` (${counted(count, "term")})` : "";
  let text = "";
  for (const [i, term] of terms.entries()) {
    const next = i ? text + joined(filledText(term)) : filledText(term);
    if (i && next.length + (i + 1 < count ? 4 : 0) + end.length > room) return `${text} + …${end}`;
    text = next;
  }
  return terms.length < count ? `${text} + …${end}` : text + end;
}

/** @param {{text: string, values: number[]}} term @returns {string} with its numbers */
function filledText({ text, values }) {
  const typeset = text.replaceAll(" · ", "·").replace(/(?<!\de)-/g, "−");
  return typeset.replace(/⟨(\d+)⟩/g, (mark, i, at) =>
    operand(values[Number(i)], typeset.slice(0, at), typeset.slice(at + mark.length)),
  );
}

/**
 * @param {number} value @param {string} before @param {string} after
 * @returns {string} a number inside a formula, in brackets where its sign or its power of ten needs them
 */
function operand(value, before, after) {
  const text = numberText(value, 3);
  const raised = /^(²|³|\*\*)/.test(after);
  const signed = value < 0 && (raised || !(before === "" || /[(,] ?$/.test(before)));
  const compound = text.includes("·") && (raised || /\/ ?$/.test(before));
  return signed || compound ? `(${text})` : text;
}

/** @param {string} product */
function joined(product) {
  return product.startsWith("−") ? ` − ${product.slice(1)}` : ` + ${product}`;
}

/**
 * @param {Answer} answer @returns {{fits: boolean, text: string}} whether the terms add up to the number that is shown
 */
export function checkOf({ adds, agrees, cancels, sum, shown, terms }) {
  if (!agrees && adds && terms.some(({ product }) => Number.isNaN(product)))
    return { fits: true, text: "one of the terms is NaN, so they can’t be added up" };
  if (agrees && !Number.isFinite(shown)) return { fits: true, text: `${numberText(shown)}, in float64 too` };
  if (agrees && cancels)
    return {
      fits: true,
      text: `the terms cancel: both this and the number shown, ${numberText(shown, 2)}, are rounding`,
    };
  if (agrees && adds) return { fits: true, text: "equals the number shown, within rounding" };
  if (agrees) return { fits: true, text: terms.length ? "equals the number computed in float64, within rounding" : "" };
  const [computed, given] = toldApart([sum, shown], 6);
  const found = `${adds ? "The terms add up to" : "Computed again, it is"} ${computed}`;
  const wrong = `${found}, but the line gives ${given}`;
  return {
    fits: false,
    text: `${wrong}: the ${adds ? "rule" : "line"} is wrong by ${numberText(Math.abs(sum - shown), 3)}.`,
  };
}

/**
 * @param {Answer} answer @param {number} from how many are listed
 * @returns {{count: number, sum: number|null}} the terms that are not
 */
export function restOf({ terms, rest, count }, from) {
  const parts = [rest.sum, ...terms.slice(from).map((term) => term.product)];
  const known = parts.filter((part) => part !== null);
  return {
    count: count - Math.min(from, terms.length),
    sum: known.length === parts.length ? known.reduce((sum, part) => sum + part, 0) : null,
  };
}

/**
 * @param {Walk} walk @param {Answer} answer @param {Term} term @param {boolean} [spoken]
 * @returns {string} where a term goes through, as far as that is another place than the number's own
 */
export function termPlace(walk, answer, { through, cell }, spoken = false) {
  const { dims, shape } = walk.node(through);
  const own = walk.node(answer.tensor);
  const same = (/** @type {number} */ axis) =>
    own.dims.some((dim, i) => dim === dims[axis] && own.shape[i] === shape[axis] && answer.index[i] === cell[axis]);
  const over = answer.paths.find((path) => path.through === through)?.over.map((along) => along.axis) ?? [];
  return told(walk, through, cell, (axis) => over.includes(axis) || !same(axis), spoken);
}

/**
 * @param {string} place
 * @returns {string} the same in few characters, beside a name with the numbers in it: "example ..p → e (13)" is
 *   "example ..p → e"
 */
export function placeShort(place) {
  return place.replace(/ \(\d+\)(?=,|$)/g, "");
}

/**
 * @param {Walk} walk @param {Answer} answer @param {Term} term @returns {string} "logits[7, 5]", or with a d in front
 */
export function termName(walk, { which }, { through, cell }) {
  return numberName(walk.node(through).variable, which, cell);
}

/** @param {Walk} walk @param {Term} term @returns {string} the cell that its local derivative is, or nothing */
export function factorName(walk, { factor }) {
  return factor ? numberName(walk.node(factor.tensor).variable, factor.of, factor.cell) : "";
}

/** @param {Walk} walk @param {Answer} answer @param {Term} term @returns {string} for a voice */
export function termWords(walk, answer, term) {
  const { dims, shape } = walk.node(term.through);
  const where = cellWords(walk.document.labels, dims, shape, term.cell);
  const what = answer.which === "value" ? "" : "gradient of ";
  const cell = `${what}${printed(walk, term.through)}${where ? `, ${where}` : ""}`;
  const local = numberText(term.local, 3);
  if (term.product === null) return `local derivative ${local} by ${cell}: ${numberText(term.arriving, 4)}`;
  const by = factorName(walk, term);
  return `${numberText(term.product, 4)}: ${local} × ${numberText(term.arriving, 3)}, ${by && `${by} times `}${cell}`;
}

/** @param {Walk} walk @param {Answer} answer @param {Pick} pick @returns {string} one sentence for the live region */
export function lensWords(walk, answer, pick) {
  const kind = kindOf(walk, pick);
  const place = told(walk, pick.tensor, pick.index, () => true, true);
  const name = printed(walk, pick.tensor);
  const what = pick.which === "contribution" ? `gradient of ${name}, ${kind}` : `${kind} of ${name}`;
  const head = `${what[0].toUpperCase()}${what.slice(1)}${place ? `, ${place}` : ""}: ${numberText(answer.shown, 4)}`;
  const check = checkOf(answer);
  if (!check.fits) return `${head}. ${check.text}`;
  if (answer.because) return `${head}. ${answer.because.replaceAll("`", "")}`;
  const [first] = answer.terms;
  const begins = first?.through === pick.tensor && answer.which !== "value";
  if (!first || begins) return `${head}. ${readsText(walk, answer)}`;
  const largest = termPlace(walk, answer, first, true);
  const through = `${printed(walk, first.through)}${largest ? `, ${largest}` : ""}`;
  if (first.product === null) return `${head}. It ${movesText(walk, answer)}.`;
  if (answer.count === 1) return `${head}, all of it through ${through}.`;
  const product = numberText(first.product, 3);
  return `${head}, the sum of ${counted(answer.count, "term")}, the largest ${product} through ${through}.`;
}

/** @param {Walk} walk @param {Answer} answer @returns {string} what lies behind a number that is no sum of products */
export function readsText(walk, { tensor, which, count, paths, adds, terms }) {
  if (terms[0]?.through === tensor && which !== "value")
    return "Every gradient starts here: nudge the loss by ε and it moves by ε.";
  if (!count && which !== "value") return "No gradient reaches this cell: every local derivative from here is zero.";
  if (!count && walk.node(tensor).role !== "intermediate")
    return `${printed(walk, tensor)} is given before the walk begins.`;
  if (!count)
    return paths.length ? "The local derivative in every cell it reads is zero." : "Made without reading any cell.";
  return adds ? "" : movesText(walk, { count, paths });
}

/**
 * @param {Walk} walk @param {{count: number, paths: import("./types.js").TermPath[]}} answer
 * @returns {string} "moves with 5 cells of h and W": those by which its derivative isn't zero
 */
function movesText(walk, { count, paths }) {
  const from = [...new Set(paths.filter((path) => path.count).map((path) => printed(walk, path.through)))];
  return `moves with ${count === 1 ? "one cell" : counted(count, "cell")}${from.length ? ` of ${listed(from)}` : ""}`;
}

/** @param {string[]} names @returns {string} "a", "a and b", "a, b and c" */
function listed(names) {
  return names.length > 1 ? `${names.slice(0, -1).join(", ")} and ${names[names.length - 1]}` : (names[0] ?? "");
}

const WORDS = ["", "", "two", "three"];

/**
 * @param {string[]} through @param {Answer["which"]} which
 * @returns {string} "two paths: through probs and through counts_sum", of a value "terms with h and with b"
 */
function waysText(through, which) {
  const [noun, word] = which === "value" ? ["terms", "with"] : [`${WORDS[through.length]} paths:`, "through"];
  if (through.length > 3)
    return which === "value" ? `terms with ${counted(through.length, "tensor")}` : `${through.length} paths`;
  return `${noun} ${listed(through.map((name) => `${word} ${name}`))}`;
}

/**
 * @param {Walk} walk @param {Answer} answer
 * @returns {[string, string]} what runs into one, and why: "32 examples → 1", "bnmeani was copied to every example"
 */
export function collapseText(walk, { paths, count, tensor, which }) {
  if (count < 2) return ["", ""];
  const through = [...new Set(paths.filter((path) => path.count).map((path) => path.through))];
  if (through.length > 1)
    return [
      waysText(
        through.map((name) => printed(walk, name)),
        which,
      ),
      "",
    ];
  const path = paths.find((one) => one.over.length);
  if (!path) return [`${count.toLocaleString("en")} terms → 1`, ""];
  const whole = path.over.reduce((product, along) => product * along.size, 1) === count;
  const places = whole
    ? path.over.map(({ axis, name, size }) => counted(size, axisName(name, axis))).join(" × ")
    : `${counted(count, "place")} in ${printed(walk, through[0])}`;
  const axes = path.over.map(({ axis, name }) => axisName(name, axis));
  const named = axes.every((name) => !/^axis \d+$/.test(name));
  const where = named ? `to every ${axes.join(" and every ")}` : `along ${listed(axes)}`;
  const copied = path.broadcast && which !== "value" ? `${printed(walk, tensor)} was copied ${where}` : "";
  return [`${places} → 1`, copied];
}
