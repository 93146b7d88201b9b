import { gridOf } from "../shared/tensor.js";
import { ownItems } from "./items.js";
import { indexes, lookups, placeOf, reordered, slices, spots } from "./cell-pairs.js";
/** @typedef {import("../shared/tensor.js").Tensor} Tensor */
/** @typedef {import("../walk/frame.js").Frame} Frame */
/** @typedef {import("../walk/types.js").Step} Step */
/** @typedef {import("./items.js").Item} Item */
/** @typedef {import("./items.js").Piece} Piece */
/** @typedef {import("./items.js").Scene} Scene */
/** @typedef {import("./cell-pairs.js").Rect} Rect */
/**
 * Cells that go from one sheet to another; times are shares of the whole motion.
 * @typedef {{from: Piece, to: Piece, source: Rect, target: Rect, start: number, end: number}} Flight
 * @typedef {{piece: Piece, rect: Rect, at: number}} Reveal cells that are seen from then on
 * @typedef {{piece: Piece, at: number, cells: number[], values: number[]}} Arrival what is added to cells, then
 * @typedef {"copy"|"collapse"|"add"|"product"|"fetch"|"put back"|"move"} Kind
 * @typedef {{kind: Kind, flights: Flight[], reveals: Reveal[], arrivals: Arrival[]}} Phase
 * @typedef {{kinds: Kind[], flights: Flight[], reveals: Reveal[], arrivals: Arrival[], covered: Piece[]}} Motion
 *   `covered`: the pieces that come into sight cell by cell
 */

/** More would be a blur, and cost more than a frame has. */
const MOST = 1200;
/** How long cells are on their way, as a share of their phase. */
const TRAVEL = 0.45;
/** Copies are on the move for half as long as what follows them. */
const WEIGHT = { copy: 0.5, other: 1 };

/** @param {Frame} frame @param {Scene} scene @returns {Motion|null} what moves in the mathematics of this step */
export function motionOf(frame, scene) {
  if (frame.inspecting || frame.asking) return null;
  const rows = scene.rows.map(ownItems);
  const phases = [...rows.flatMap((row) => row.flatMap(piecesOf)).flatMap(copies)];
  rows.forEach((row) => phases.push(...mainOf(row, frame)));
  const moving = phases.filter((phase) => phase.flights.length && phase.flights.length <= MOST);
  return moving.length ? inTurn(together(moving)) : null;
}

/** @param {Phase[]} phases @returns {Phase[]} all that is copied is copied at once */
function together(phases) {
  const copied = phases.filter((phase) => phase.kind === "copy");
  const rest = phases.filter((phase) => phase.kind !== "copy");
  if (!copied.length) return rest;
  return [
    {
      kind: "copy",
      flights: copied.flatMap((phase) => phase.flights),
      reveals: copied.flatMap((phase) => phase.reveals),
      arrivals: [],
    },
    ...rest,
  ];
}

/** @param {Phase[]} phases @returns {Motion} one after the other */
function inTurn(phases) {
  const weights = phases.map(({ kind }) => (kind === "copy" ? WEIGHT.copy : WEIGHT.other));
  const whole = weights.reduce((sum, weight) => sum + weight, 0);
  /** @type {Motion} */
  const motion = { kinds: phases.map(({ kind }) => kind), flights: [], reveals: [], arrivals: [], covered: [] };
  let begins = 0;
  for (const [i, phase] of phases.entries()) {
    const length = weights[i] / whole;
    const at = begins;
    const when = (/** @type {number} */ time) => at + time * length;
    motion.flights.push(...phase.flights.map((one) => ({ ...one, start: when(one.start), end: when(one.end) })));
    motion.reveals.push(...phase.reveals.map((one) => ({ ...one, at: when(one.at) })));
    motion.arrivals.push(...phase.arrivals.map((one) => ({ ...one, at: when(one.at) })));
    begins += length;
  }
  motion.arrivals.sort((a, b) => a.at - b.at);
  motion.covered = [...new Set([...motion.reveals, ...motion.arrivals].map(({ piece }) => piece))];
  return motion;
}

/** @param {Item} item @returns {Piece[]} */
function piecesOf(item) {
  if (item.type === "sum") return [item.from, item.result];
  return item.type === "tensor" ? [item] : [];
}

/** @param {Piece} piece @returns {{rows: number, cols: number}} as drawn: of a large tensor, its blocks */
export function sheetOf(piece) {
  return gridOf(piece.stretch ?? piece.tensor.shape);
}

/** @param {number} i @param {number} count @returns {{start: number, end: number}} one after another, overlapping */
function turn(i, count) {
  const start = count > 1 ? ((1 - TRAVEL) * i) / (count - 1) : 0;
  return { start, end: start + TRAVEL };
}

/** @param {Piece} piece @returns {Rect} */
export function whole(piece) {
  const { rows, cols } = sheetOf(piece);
  return { x: 0, y: 0, w: cols, h: rows };
}

/** @param {Piece} piece @returns {Phase[]} broadcasting: the one row, or column, goes out to its pale copies */
function copies(piece) {
  if (!piece.stretch) return [];
  const [own, all] = [gridOf(piece.tensor.shape), sheetOf(piece)];
  const source = { x: 0, y: 0, w: own.cols, h: own.rows };
  const targets = [];
  for (let y = 0; y < all.rows; y += own.rows)
    for (let x = 0; x < all.cols; x += own.cols) targets.push({ ...source, x, y });
  const flights = targets
    .slice(1)
    .map((target, i, { length }) => ({ from: piece, to: piece, source, target, ...turn(i, length) }));
  const reveals = [{ piece, rect: source, at: 0 }, ...flights.map(landing)];
  return [{ kind: "copy", flights, reveals, arrivals: [] }];
}

/** @param {Flight} flight @returns {Reveal} */
function landing({ to, target, end }) {
  return { piece: to, rect: target, at: end };
}

/** @param {Item[]} row @param {Frame} frame @returns {Phase[]} of a `+=` what this path brings first, then the sum */
function mainOf(row, frame) {
  const { step } = frame;
  const result = row.flatMap(piecesOf).pop();
  if (!result || step.direction === "forward" || step.mode === "=" || !frame.walk.before(step))
    return result ? alone(row, result, frame) : [];
  const opens = row.findIndex((item) => item.type === "sign" && item.text.endsWith("("));
  const closes = row.findIndex((item) => item.type === "sign" && item.text.startsWith(")"));
  const path = opens > 0 && closes > opens ? row.slice(opens + 1, closes) : null;
  const brought = path?.flatMap(piecesOf).pop();
  if (path && brought) return [...alone(path, brought, frame), ...addition([row[0], brought], result, frame)];
  const product = alone(row, result, frame).filter(({ kind }) => kind === "product");
  return product.length ? product : addition(row, result, frame);
}

/** @param {Item[]} row @param {Piece} result @param {Frame} frame @returns {Phase[]} where nothing is added */
function alone(row, result, frame) {
  const sum = row.find((item) => item.type === "sum");
  if (sum?.type === "sum") return collapse(sum, frame.step);
  const product = row.findIndex((item) => item.type === "sign" && item.text === "@");
  if (product > 0) return meeting(row, product, result);
  return frame.step.direction === "forward" ? forward(row, result) : moved(row, result, frame);
}

/**
 * @param {import("./items.js").Sum} sum @param {Step} step
 * @returns {Phase[]} slice after slice falls into the sum, which grows
 */
function collapse({ from, result, axis }, step) {
  const told = step.direction === "backward" ? (step.picture?.axes ?? []).map((one) => one.axis) : [];
  const all = from.tensor.shape.map((_, at) => at);
  const axes = told.length ? told : result.tensor.size === 1 ? all : [axis];
  const parts = slices(from.tensor, result.tensor, axes);
  const flights = parts.flatMap(({ pairs }, i) =>
    pairs.map(({ big, small }) => ({
      from,
      to: result,
      source: big,
      target: small,
      // what lies nearest to the sum is there first
      ...turn(parts.length - 1 - i, parts.length),
    })),
  );
  const arrivals = parts.map(({ cells, values }, i) => ({
    piece: result,
    at: turn(parts.length - 1 - i, parts.length).end,
    cells,
    values,
  }));
  return [grown("collapse", flights, arrivals)];
}

/**
 * A result that grows as parts arrive; where they do not add up to it, it comes into sight instead.
 * @param {Kind} kind @param {Flight[]} flights @param {Arrival[]} arrivals @returns {Phase}
 */
function grown(kind, flights, arrivals) {
  const factor = arrivals.length ? factorTo(arrivals[0].piece.tensor, arrivals) : null;
  if (factor === null) return { kind, flights, reveals: flights.map(landing), arrivals: [] };
  const scaled = arrivals.map((one) => ({ ...one, values: one.values.map((value) => value * factor) }));
  return { kind, flights, reveals: [], arrivals: scaled };
}

/**
 * @param {Tensor} result @param {Arrival[]} arrivals
 * @returns {number|null} what their sum is multiplied by, 1/n in a mean; null where the result is no such multiple
 */
function factorTo(result, arrivals) {
  const sums = new Float64Array(result.size);
  let largest = 0;
  for (const { cells, values } of arrivals) {
    cells.forEach((cell, i) => {
      sums[cell] += values[i];
      largest = Math.max(largest, Math.abs(values[i]));
    });
  }
  const fits = (/** @type {number} */ factor) =>
    sums.every((sum, cell) => Math.abs(sum * factor - result.data[cell]) <= 1e-3 * largest * Math.abs(factor));
  const top = sums.reduce((at, sum, cell) => (Math.abs(sum) > Math.abs(sums[at]) ? cell : at), 0);
  return (
    [1, result.data[top] / sums[top]].find((factor) => Number.isFinite(factor) && factor !== 0 && fits(factor)) ?? null
  );
}

/**
 * @param {Item[]} row @param {number} at where its `@` stands @param {Piece} result
 * @returns {Phase[]} rows of the left and columns of the right, and a number where two of them have met
 */
function meeting(row, at, result) {
  const [left, right] = [row[at - 1], row[at + 1]];
  if (left.type !== "tensor" || right.type !== "tensor") return [];
  const [a, b, { rows, cols }] = [left, right, result].map(sheetOf);
  if ([left, right, result].some(({ shape }) => shape.length !== 2) || a.rows !== rows || b.cols !== cols) return [];
  const across = Array.from({ length: rows }, (_, y) => ({
    ...{ from: left, to: result, source: { x: 0, y, w: a.cols, h: 1 }, target: { x: 0, y, w: cols, h: 1 } },
    ...turn(y, rows),
  }));
  const down = Array.from({ length: cols }, (_, x) => ({
    ...{ from: right, to: result, source: { x, y: 0, w: 1, h: b.rows }, target: { x, y: 0, w: 1, h: rows } },
    ...turn(x, cols),
  }));
  const here = (/** @type {Flight[]} */ all, /** @type {number} */ time) =>
    all.filter((flight) => flight.end <= time).length;
  const reveals = [
    ...across.map(({ end }, y) => ({ piece: result, rect: { x: 0, y, w: here(down, end), h: 1 }, at: end })),
    ...down.map(({ end }, x) => ({ piece: result, rect: { x, y: 0, w: 1, h: here(across, end) }, at: end })),
  ];
  const added = row.filter((item) => item.type === "tensor" && ![left, right, result].includes(item));
  const beside = added.flatMap((item) => (item.type === "tensor" ? rowsOf(item, result) : []));
  return [{ kind: "product", flights: [...across, ...down, ...beside], reveals, arrivals: [] }];
}

/** @param {Piece} piece @param {Piece} result @returns {Flight[]} row by row into the same cells of the result */
function rowsOf(piece, result) {
  const [own, goal] = [sheetOf(piece), sheetOf(result)];
  if (own.rows !== goal.rows || own.cols !== goal.cols) return [];
  return Array.from({ length: own.rows }, (_, y) => {
    const rect = { x: 0, y, w: own.cols, h: 1 };
    return { from: piece, to: result, source: rect, target: { ...rect }, ...turn(y, own.rows) };
  });
}

/**
 * @param {Item[]} row @param {Piece} result @param {Frame} frame
 * @returns {Phase[]} what was there, and what this path brings, meet in the sum
 */
function addition(row, result, { walk, step }) {
  const [before, ...path] = row.filter((item) => item.type === "tensor" && item !== result);
  const sofar = step.direction === "backward" ? walk.before(step) : null;
  if (before?.type !== "tensor" || step.direction === "forward" || !sofar || sofar.block) return [];
  const flown = [before, ...path].map((item) => (item.type === "tensor" ? rowsOf(item, result) : []));
  const { cols } = sheetOf(result);
  const brought = [sofar, walk.tensor(step.contribution)];
  const arrivals = flown[0].flatMap(({ end }, y) =>
    brought.map((tensor) => ({
      piece: result,
      at: end,
      cells: Array.from({ length: cols }, (_, x) => y * cols + x),
      values: Array.from(tensor.data.slice(y * cols, (y + 1) * cols)),
    })),
  );
  return [grown("add", flown.flat(), arrivals)];
}

/**
 * @param {Item[]} row @param {Piece} result @param {Frame} frame
 * @returns {Phase[]} what becomes of the one gradient that arrives
 */
function moved(row, result, { walk, step }) {
  const from = row.filter((item) => item.type === "tensor" && item !== result).pop();
  if (from?.type !== "tensor" || step.direction === "forward" || !step.picture) return [];
  const { then } = step.picture;
  if (then === "spread") return spread(from, result);
  if (then === "fill") return filled(from, result);
  if (then === "rearrange") return laidAnew(from, result);
  if (then !== "scatter" || !step.through) return [];
  const index = walk.node(step.through).inputs.map((name) => walk.tensor(walk.node(name).value));
  return index.flatMap((places) => putBack(from, result, places)).slice(0, 1);
}

/** @param {Piece} from @param {Piece} result @returns {Phase[]} the one goes out to all its places */
function spread(from, result) {
  const goal = result.tensor.shape;
  const own = [...new Array(Math.max(0, goal.length - from.tensor.shape.length)).fill(1), ...from.tensor.shape];
  const axes = own.flatMap((size, axis) => (size === goal[axis] ? [] : [axis]));
  const parts = slices(result.tensor, from.tensor, axes);
  const flights = parts.flatMap(({ pairs }, i) =>
    pairs.map(({ big, small }) => ({ ...{ from, to: result, source: small, target: big }, ...turn(i, parts.length) })),
  );
  return [{ kind: "copy", flights, reveals: flights.map(landing), arrivals: [] }];
}

/** @param {Piece} from @param {Piece} result @returns {Phase[]} a single number goes to every cell that is not zero */
function filled(from, result) {
  if (from.tensor.size !== 1 || result.tensor.block) return [];
  const sheet = sheetOf(result);
  const targets = Array.from(result.tensor.data.keys()).filter((cell) => result.tensor.data[cell] !== 0);
  const flights = targets.map((cell, i) => ({
    ...{ from, to: result, source: whole(from), target: placeOf(cell, sheet) },
    ...turn(i, targets.length),
  }));
  return [{ kind: "copy", flights, reveals: flights.map(landing), arrivals: [] }];
}

/** @param {Piece} from @param {Piece} result @returns {Phase[]} the same numbers in the same order, or turned */
function laidAnew(from, result) {
  const pairs = reordered(from.tensor, result.tensor);
  const flights = pairs.map(({ big, small }, i) => ({
    ...{ from, to: result, source: big, target: small },
    ...turn(i, pairs.length),
  }));
  return [{ kind: "move", flights, reveals: flights.map(landing), arrivals: [] }];
}

/** @param {Item[]} row @param {Piece} result @returns {Phase[]} of a forward step: rows that are fetched, or moved */
function forward(row, result) {
  const inputs = row.flatMap((item) => (item.type === "tensor" && item !== result ? [item] : []));
  if (inputs.length === 1) return laidAnew(inputs[0], result);
  return inputs.flatMap((places) =>
    inputs.filter((table) => table !== places).flatMap((table) => fetched(table, places.tensor, result)),
  );
}

/**
 * @param {Piece} table @param {Tensor} places @param {Piece} result
 * @returns {Phase[]} each row that was picked goes where it is wanted, if that is what the result is made of
 */
function fetched(table, places, result) {
  const flights = lookups(table.tensor, places, result.tensor).map(({ row, cell }, i, { length }) => ({
    ...{ from: table, to: result, source: row, target: cell },
    ...turn(i, length),
  }));
  return flights.length ? [{ kind: "fetch", flights, reveals: flights.map(landing), arrivals: [] }] : [];
}

/** @param {Piece} from @param {Piece} table @param {Tensor} places @returns {Phase[]} */
function putBack(from, table, places) {
  if (!indexes(table.tensor, places, from.tensor)) return [];
  const length = table.tensor.size / table.tensor.shape[0];
  const flights = spots(table.tensor, places, from.tensor).map(({ row, cell }, i, all) => ({
    ...{ from, to: table, source: cell, target: row },
    ...turn(i, all.length),
  }));
  const arrivals = flights.map(({ end }, i) => ({
    piece: table,
    at: end,
    cells: Array.from({ length }, (_, x) => places.data[i] * length + x),
    values: Array.from(from.tensor.data.slice(i * length, (i + 1) * length)),
  }));
  return [grown("put back", flights, arrivals)];
}
