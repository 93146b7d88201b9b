import { focusRow } from "../shared/axis-labels.js";
import { codeAt } from "../shared/category-codes.js";
import { axesWords, fold, piece, sign, spokenOf, stretched } from "./items.js";
import { asColumn } from "./column.js";
/** @typedef {import("../walk/types.js").ForwardPicture} ForwardPicture */
/** @typedef {import("../walk/types.js").ForwardStep} ForwardStep */
/** @typedef {import("../walk/types.js").Operand} Operand */
/** @typedef {import("../walk/types.js").Product} Product */
/** @typedef {import("../walk/types.js").Stage} Stage */
/** @typedef {import("../walk/walk.js").Walk} Walk */
/** @typedef {import("./items.js").Item} Item */
/** @typedef {import("./items.js").Piece} Piece */
/** @typedef {import("./items.js").Scene} Scene */

/** So many rows that were fetched are drawn with the way they went. */
const MOST_LINKS = 4;

/** @param {Walk} walk @param {ForwardStep} step @returns {Scene} a forward step: what goes in, what comes out */
export function forwardScene(walk, step) {
  const result = resultOf(walk, step);
  const row = step.picture ? drawn(walk, step.picture, result) : plain(walk, step, result);
  const pieces = row.flatMap((item) => (item.type === "tensor" ? [item] : []));
  return { rows: [row], spoken: spokenOf([row]), links: linksOf(pieces) };
}

/** @param {Walk} walk @param {ForwardStep} step @returns {Piece} */
function resultOf(walk, step) {
  const node = walk.node(step.node);
  return piece({
    label: node.variable,
    role: "result",
    tensor: walk.tensor(node.value),
    dims: node.dims,
    subject: { tensor: step.node, of: "value" },
    result: true,
  });
}

/** @param {Walk} walk @param {string} name @returns {Piece} a tensor of the walk */
function named(walk, name) {
  const node = walk.node(name);
  return piece({
    label: node.variable,
    role: node.role === "intermediate" ? "" : node.role,
    tensor: walk.tensor(node.value),
    dims: node.dims,
    subject: { tensor: name, of: "value" },
  });
}

/** @param {Walk} walk @param {Operand|Product} made @returns {Piece} */
function pieceOf(walk, made) {
  if ("node" in made && made.node !== null) return named(walk, made.node);
  const tensor = walk.tensor(/** @type {import("../walk/types.js").Wire} */ (made.tensor));
  return piece({ label: made.code, tensor, shape: made.shape, dims: made.dims });
}

/**
 * A line whose parts have no picture of their own.
 * @param {Walk} walk @param {ForwardStep} step @param {Piece} result @returns {Item[]}
 */
function plain(walk, step, result) {
  const inputs = walk.node(step.node).inputs.map((name) => named(walk, name));
  return [...inputs.flatMap((one, i) => (i ? [sign(","), one] : [one])), sign("→"), result];
}

/** @param {Walk} walk @param {ForwardPicture} picture @param {Piece} result @returns {Item[]} */
function drawn(walk, picture, result) {
  const [first] = picture.stages;
  const meet = picture.met !== null;
  if (first?.how === "move" && picture.operands.length > 1 && !meet) return picked(walk, picture, result);
  const operands = operandPieces(walk, picture, result.shape);
  const row = operands.flatMap((one, i) => (picture.signs[i] ? [sign(picture.signs[i]), one] : [one]));
  if (picture.met) row.push(sign("="), pieceOf(walk, picture.met));
  if (!picture.stages.length) return [...row, sign("="), result];
  return after(walk, picture.stages, row, result);
}

/**
 * @param {Walk} walk @param {ForwardPicture} picture @param {number[]} goal @returns {Piece[]} with the copies of those
 *   that are stretched to meet the others
 */
function operandPieces(walk, { signs, operands, met, stages }, goal) {
  const reached = met?.shape ?? (stages[0]?.result ?? null)?.shape ?? goal;
  const meets =
    !signs.includes(",") &&
    !signs.includes("∗") &&
    operands.length > 1 &&
    (met !== null || stages.every(({ how }) => how === "apply"));
  return operands.map((operand, i) => {
    const one = pieceOf(walk, operand);
    return meets && signs[i] !== "@" && signs[i + 1] !== "@" ? stretched(one, reached) : one;
  });
}

/**
 * @param {Walk} walk @param {Stage[]} stages @param {Item[]} row what has been drawn before them @param {Piece} result
 * @returns {Item[]} what becomes of it, up to the result
 */
function after(walk, stages, row, result) {
  const alone = row.length === 1;
  for (const [i, stage] of stages.entries()) {
    const made = stage.result ? pieceOf(walk, stage.result) : result;
    const before = row[row.length - 1];
    if (stage.how === "fold" && before.type === "tensor" && stage.axes.length)
      row.splice(-1, 1, fold(before, made, axesOf(stage), stage.words, factorText(stage.factor)));
    else if (stage.how === "move" && before.type === "tensor") row.splice(-1, 1, ...moved(stage, before, made));
    else if (stage.how === "apply") row.push(applied(stage, alone || i > 0 ? before : null, made), made);
    else row.push(sign(stage.words || "→", axesText(stage)), made);
  }
  return row;
}

/** @param {Stage} stage @returns {number[]} */
function axesOf({ axes }) {
  return axes.map(({ axis }) => axis);
}

/** @param {Stage} stage @returns {string} what a fold runs over, where it has no picture of its own */
function axesText(stage) {
  return [stage.axes.length && axesWords(axesOf(stage)), factorText(stage.factor)].filter(Boolean).join(" · ");
}

/**
 * @param {Stage} stage @param {Item|null} before @param {Piece} made
 * @returns {Item} a function, with its curve where each cell is computed from its own
 */
function applied({ words, cellwise }, before, made) {
  const arrow = words ? sign("→", words) : sign("="); // the signs before it say it
  const single = before?.type === "tensor" && before.tensor.size > 1 && !before.tensor.block && !made.tensor.block;
  return cellwise && single && before.tensor.size === made.tensor.size ? { ...arrow, curve: [before, made] } : arrow;
}

/** @param {string} factor @returns {string} "× 1/n" */
function factorText(factor) {
  return factor && `× ${factor.replace(/-/g, "−")}`;
}

/** @param {Stage} stage @param {Piece} before @param {Piece} made @returns {Item[]} the same cells in other places */
function moved(stage, before, made) {
  const kept = stage.runs.length > 1 && stage.runs.every(([from, to]) => from === to);
  const cells = kept ? stage.runs[0][2] : 0;
  const even = cells > 1 && stage.runs.every((run) => run[2] === cells);
  const joined = even && [before, made].every((one) => one.tensor.grid.cols % cells === 0 && !one.tensor.block);
  const [from, to] = [before, made].map((one) => ({
    ...one,
    joints:
      joined && one.tensor.grid.cols > cells ? { every: cells, gap: one.shape[one.shape.length - 1] === cells } : null,
  }));
  const part = stage.runs.length && made.tensor.size < before.tensor.size;
  const marks = part ? stage.runs.map(([at, , count]) => ({ at, cells: count, text: "" })) : [];
  return [{ ...from, marks: from.tensor.block ? [] : marks }, sign("→", stage.words || "picked"), to];
}

/**
 * Cells that an index picks: the index, what it picks from with the cells outlined, and what was picked.
 * @param {Walk} walk @param {ForwardPicture} picture @param {Piece} result @returns {Item[]}
 */
function picked(walk, { operands, stages }, result) {
  const [source, ...indices] = operands.map((operand) => pieceOf(walk, operand));
  const [stage, ...rest] = stages;
  const made = stage.result ? pieceOf(walk, stage.result) : result;
  const rows = source.tensor.grid.rows;
  const beside = made.shape.length === 1 && made.shape[0] === rows && !source.tensor.block;
  const turned = (/** @type {Piece} */ one) =>
    beside && one.shape.length === 1 && one.shape[0] === rows ? asColumn(one) : one;
  const codes = indices.map((one) => one.tensor).find((tensor) => tensor.codes?.names);
  const focus = focusRow(walk.document.in_focus, made.dims, made.tensor);
  const marks = marksOf(stage, source, made, codes ?? null, focus);
  const from = { ...source, marks };
  const landed = marks.flatMap(({ to, ...mark }) => (to === undefined ? [] : [{ ...mark, at: to, text: "" }]));
  const there = { ...turned(made), marks: landed };
  return after(
    walk,
    rest,
    [
      ...indices.flatMap((one) => [withPicking(turned(one), marks), sign("→", "picks from")]),
      from,
      sign("→", "picked"),
      there,
    ],
    result,
  );
}

/**
 * @param {Stage} stage @param {Piece} source @param {Piece} made
 * @param {import("../shared/tensor.js").Tensor|null} codes what the picking numbers stand for
 * @param {number|null} focus the row that is shown as an example of all @returns {Piece["marks"]}
 */
function marksOf({ runs }, source, made, codes, focus) {
  if (source.tensor.block || made.tensor.block) return [];
  if (runs.every((run) => run[2] === 1)) return runs.map(([at]) => ({ at, cells: 1, text: "" }));
  const chosen = rowOf(runs, made.tensor.grid.cols, focus);
  return chosen.map(([at, to, cells]) => {
    const code = codes?.data[Math.floor(to / cells)];
    return { at, cells, to, text: codes && code !== undefined ? codeAt(codes, code) : "" };
  });
}

/**
 * @param {Piece} index @param {Piece["marks"]} marks on what it picks from
 * @returns {Piece} with the numbers outlined that pick those
 */
function withPicking(index, marks) {
  const [first] = marks;
  if (first?.to === undefined || index.tensor.block) return index;
  return { ...index, marks: [{ at: Math.floor(first.to / first.cells), cells: marks.length, text: "" }] };
}

/**
 * @param {number[][]} runs @param {number} columns of what was picked @param {number|null} focus
 * @returns {number[][]} those that make the row in focus, or else the one with the most different ones
 */
function rowOf(runs, columns, focus) {
  /** @type {Map<number, number[][]>} */
  const rows = new Map();
  for (const run of runs) {
    const row = Math.floor(run[1] / columns);
    rows.set(row, [...(rows.get(row) ?? []), run]);
  }
  const different = (/** @type {number[][]} */ row) => new Set(row.map(([from]) => from)).size;
  const best = [...rows.values()].sort((a, b) => different(b) - different(a))[0] ?? [];
  return (rows.get(focus ?? -1) ?? best).slice(0, MOST_LINKS);
}

/** @param {Piece[]} pieces @returns {Scene["links"]} from rows that were fetched to where they went */
function linksOf(pieces) {
  const at = pieces.findIndex((one) => one.marks.some((mark) => mark.to !== undefined));
  return at < 0 || !pieces[at + 1] ? null : [pieces[at], pieces[at + 1]];
}
