import { codesWidth } from "../shared/category-codes.js";
import { gridOf } from "../shared/tensor.js";
/** @typedef {import("./equation.js").Item} Item */
/** @typedef {import("./equation.js").Piece} Piece */
/**
 * @typedef {{width: number, most: number, height: number, sign: number, slot: number, thin: number, cell: [number,
 *   number], wraps: boolean, names: number, tight?: boolean}} Room
 */
/**
 * @typedef {{x: number, y: number, squeeze: number}} Unit `squeeze`: how much narrower than wished the labels must be
 */

/** @param {Piece} piece @returns {{rows: number, cols: number}} the sheet it is drawn on, copies included */
export function sheetOf(piece) {
  const [length] = piece.shape;
  return gridOf(piece.turned ? [length, 1] : (piece.stretch ?? piece.shape));
}

/** @param {Item} item @returns {Piece[]} */
function across(item) {
  if (item.type === "sign") return [];
  if (item.type === "tensor") return [item];
  return item.down ? [item.from] : [item.from, item.result];
}

/**
 * One unit for a whole row of the equation, so that rows line up with rows and columns with columns.
 * @param {Item[]} row @param {Room} room @returns {Unit} pixels per column and per row
 */
export function unitOf(row, room) {
  const pieces = row.flatMap(across).map(sheetOf);
  const free = room.width - row.reduce((sum, item) => sum + signWidth(item, room.sign), 0);
  const tallest = Math.max(...pieces.map((sheet) => sheet.rows), 1);
  const y = Math.min(room.cell[1], room.height / tallest);
  const wished = row.flatMap(across).map((piece) => slotOf(piece, room));
  const squeeze = Math.min(1, free / wished.reduce((sum, slot) => sum + slot, 1));
  const slots = wished.map((slot) => slot * squeeze);
  const columns = pieces.map((sheet) => sheet.cols);
  const x = Math.min(room.cell[0], room.most / Math.max(...columns, 1), widest(columns, slots, free, room));
  const ratio = 3;
  return { x: Math.min(x, Math.max(y, 3) * ratio), y: Math.min(y, Math.max(x, 3) * ratio), squeeze };
}

/** @param {Item[][]} rows @param {Room} room @returns {Unit} the same for all of them */
export function unitOfAll(rows, room) {
  const units = rows.map((row) => unitOf(row, room));
  const least = (/** @type {keyof Unit} */ key) => Math.min(...units.map((unit) => unit[key]));
  return { x: least("x"), y: least("y"), squeeze: least("squeeze") };
}

/**
 * @param {Item[]} row @param {Unit} unit @param {Room} room
 * @returns {boolean} whether a name in it is wider than what it stands above
 */
export function namesWrap(row, unit, room) {
  return row.flatMap(across).some((piece) => {
    const width = Math.max(boxOf(sheetOf(piece), unit, room.thin).width, slotOf(piece, room) * unit.squeeze);
    return piece.label.length * LETTER.label > width;
  });
}

/** @param {Room} room @returns {Room} with a line less of height, which names take */
export function withSecondLine(room) {
  return { ...room, height: room.height - 14 };
}

/** What a function's curve takes of the width, with the space beside it. */
const CURVE = 164;

/** @param {Item} item @param {number} sign @returns {number} */
export function signWidth(item, sign) {
  if (item.type === "tensor" || (item.type === "sum" && item.down)) return 0;
  const words = Math.min(item.words.length, 22) * sign * 0.15 + 8;
  const mark = item.type === "sum" ? item.mark.length * sign * 0.14 : 0; // Σ, or “deviation”
  return Math.max(sign, words, mark, item.type === "sign" && item.curve ? CURVE : 0);
}

/** @param {Piece} piece @param {Room} room @returns {number} what its label needs; very long ones wrap */
export function slotOf(piece, room) {
  const least = piece.shape.length === 0 ? 1.15 : 0.75;
  return Math.min(room.slot * 1.7, Math.max(room.slot * least, (piece.label.length * room.slot) / 10.5 + 6));
}

/**
 * @param {number[]} columns @param {number[]} slots @param {number} free @param {Room} room
 * @returns {number} the widest column that still fits
 */
function widest(columns, slots, free, room) {
  let low = 0.1;
  let high = room.cell[0];
  for (let turn = 0; turn < 24; turn += 1) {
    const unit = (low + high) / 2;
    const used = columns.reduce((sum, cols, i) => sum + Math.max(slots[i], room.thin, cols * unit), 0);
    if (used <= free) low = unit;
    else high = unit;
  }
  return low;
}

/**
 * @param {{rows: number, cols: number}} sheet @param {Unit} unit @param {number} thin smallest side
 * @returns {{width: number, height: number}}
 */
export function boxOf(sheet, unit, thin) {
  return {
    width: Math.max(thin, Math.round(sheet.cols * unit.x)),
    height: Math.max(thin, Math.round(sheet.rows * unit.y)),
  };
}

/**
 * @param {Piece} piece @param {Unit} unit @param {number} thin @param {number} slot what it has at most
 * @returns {{width: number, height: number}} of its cells, or of the letters that are written into them
 */
export function drawnBox(piece, unit, thin, slot) {
  const { width, height } = boxOf(sheetOf(piece), unit, thin);
  return { width: Math.max(width, Math.min(slot, codesWidth(piece.tensor))), height };
}

/** Widths of a character, in pixels: of a label, of the role below or beside it. */
const LETTER = { label: 7.25, role: 6.2 };

/**
 * @param {string} label @param {number} width @param {number} lines @returns {string} what has room there
 */
export function elided(label, width, lines) {
  const most = Math.max(3, Math.floor(width / LETTER.label));
  let text = label;
  for (let end = label.length - 1; end > 0 && rowsOf(text, most) > lines; end -= 1)
    text = `${label.slice(0, end).trimEnd()}…`;
  return text;
}

/**
 * @param {string} label @param {number} width
 * @returns {string[]} a name that needs two rows in its halves, cut at an underscore, where both are words
 */
export function nameHalves(label, width) {
  const most = Math.floor(width / LETTER.label);
  const at = label.lastIndexOf("_", most - 1) + 1;
  const one = label.length <= most || label.includes(" ") || at === 0 || label.length - at > most;
  return one ? [label] : [label.slice(0, at), label.slice(at)];
}

/**
 * @param {string} label @param {number} most letters in a row
 * @returns {number} rows that it takes: a word that has no room goes to the next, one longer than a row is broken
 */
function rowsOf(label, most) {
  let [rows, used] = [1, 0];
  for (const { length } of label.split(" ")) {
    const beside = used ? used + 1 + length : length;
    if (beside <= most) used = beside;
    else {
      rows += Math.ceil(length / most) - (used ? 0 : 1);
      used = length % most || most;
    }
  }
  return rows;
}

/** @param {string} label @param {string} role @param {number} width @returns {boolean} whether both fit into a line */
export function fitsBeside(label, role, width) {
  return label.length * LETTER.label + 12 + role.length * LETTER.role <= width;
}

/** Where labels would have less than this of their room, an equation goes on in a second row. */
const CROWDED = 0.8;
const GOES_ON = /^[=→)]/;

/**
 * @param {Item[][]} rows @param {Room} room
 * @returns {Item[][]} with a row that is too crowded broken before its first `=` or arrow
 */
export function brokenRows(rows, room) {
  return rows.flatMap((row) => {
    const at = row.findIndex((item, i) => i > 2 && item.type === "sign" && GOES_ON.test(item.text));
    const crowded = !room.wraps && unitOf(row, room).squeeze < CROWDED;
    return crowded && at > 0 ? [row.slice(0, at), row.slice(at)] : [row];
  });
}

/**
 * @param {number[]} places along a side @param {number} least
 * @returns {number[]} the same, none nearer to its neighbour: those that would touch give way to both sides alike
 */
export function spread(places, least) {
  const order = places.map((_, i) => i).sort((a, b) => places[a] - places[b]);
  /** @type {{sum: number, members: number[]}[]} each with the sum of where its members would begin it */
  const clusters = [];
  const start = (/** @type {typeof clusters[0]} */ { sum, members }) => sum / members.length;
  for (const i of order) {
    let made = { sum: places[i], members: [i] };
    let before = clusters.at(-1);
    while (before && start(made) < start(before) + before.members.length * least) {
      const sum = before.sum + made.sum - before.members.length * least * made.members.length;
      made = { sum, members: [...before.members, ...made.members] };
      clusters.pop();
      before = clusters.at(-1);
    }
    clusters.push(made);
  }
  const found = [...places];
  for (const cluster of clusters) cluster.members.forEach((i, at) => (found[i] = start(cluster) + at * least));
  return found;
}
