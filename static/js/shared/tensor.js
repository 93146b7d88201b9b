import { numel, sheetOfShape } from "./shape.js";
/** @typedef {import("../walk/types.js").Wire} Wire */
/** @typedef {{rows: number, cols: number, block: number}} Grid */

/** @param {string} text @returns {Uint8Array} the bytes behind a base64 string */
export function bytesOf(text) {
  const native = /** @type {{fromBase64?: (text: string) => Uint8Array}} */ (/** @type {unknown} */ (Uint8Array));
  if (native.fromBase64) return native.fromBase64(text);
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; i += 1) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

/** @param {Uint8Array} bytes @returns {string} base64 */
export function textOf(bytes) {
  let text = "";
  for (let at = 0; at < bytes.length; at += 8_192) text += String.fromCharCode(...bytes.subarray(at, at + 8_192));
  return btoa(text);
}

/** @typedef {Float32Array|Float64Array|Int32Array|Uint8Array} Numbers */

/**
 * @param {Wire} wire @param {"mean"|"min"|"max"} [pooling]
 * @returns {Numbers} the cells, or the mean (least, greatest) of each block of a tile
 */
export function decode(wire, pooling = "mean") {
  const bytes = bytesOf("pooled" in wire ? wire.pooled[pooling] : wire.bdata);
  if (wire.dtype === "u1") return bytes;
  if (wire.dtype === "f8") return new Float64Array(bytes.buffer);
  return wire.dtype === "i4" ? new Int32Array(bytes.buffer) : new Float32Array(bytes.buffer);
}

/** @param {string} text "32, 27" @returns {number[]} */
export function parseShape(text) {
  return text === "" ? [] : text.split(",").map(Number);
}

/**
 * How a tensor of any number of axes lies on a sheet of rows and columns, in its own order.
 * @param {number[]} shape @returns {Grid} `block`: columns (3 axes) or rows (4 and more) that belong together
 */
export function gridOf(shape) {
  const last = shape[shape.length - 1] ?? 1;
  if (shape.length <= 1) return { rows: 1, cols: last, block: 0 };
  if (shape.length === 2) return { rows: shape[0], cols: last, block: 0 };
  if (shape.length === 3) return { rows: shape[0], cols: shape[1] * last, block: last };
  return { rows: numel(shape.slice(0, -1)), cols: last, block: 0 };
}

/** @param {number[]} shape @param {number} flat @returns {number[]} */
export function unravel(shape, flat) {
  const index = new Array(shape.length);
  let rest = flat;
  for (let axis = shape.length - 1; axis >= 0; axis -= 1) {
    index[axis] = rest % shape[axis];
    rest = Math.floor(rest / shape[axis]);
  }
  return index;
}

/** @param {number[]} shape @param {number[]} index @returns {number} the flat position, -1 if outside */
export function ravel(shape, index) {
  if (index.length !== shape.length) return -1;
  let flat = 0;
  for (let axis = 0; axis < shape.length; axis += 1) {
    if (!Number.isInteger(index[axis]) || index[axis] < 0 || index[axis] >= shape[axis]) return -1;
    flat = flat * shape[axis] + index[axis];
  }
  return flat;
}

/** A tensor of the walk, decoded when first looked at. */
export class Tensor {
  /** @param {Wire} wire */
  constructor(wire) {
    this.wire = wire;
    // A large tensor comes as a tile: what is drawn is its sheet of blocks.
    this.shape = parseShape("pooled" in wire ? wire.pooled.shape : wire.shape);
    this.whole = parseShape(wire.shape);
    this.block = "pooled" in wire ? wire.pooled.block : null;
    this.grid = gridOf(this.shape);
    /** Where its whole numbers are names. @type {import("./category-codes.js").Codes|null} */
    this.codes = null;
    /** @type {Numbers|null} */
    this.decoded = null;
    /** @type {{least: number, most: number, maxAbs: number, broken: number, rms: number}|null} */
    this.measured = null;
  }

  get data() {
    this.decoded ??= decode(this.wire);
    return this.decoded;
  }

  get size() {
    return numel(this.shape);
  }

  /**
   * Largest finite magnitude, number of non-finite cells, root mean square of the finite ones, in a tile of all that
   * are behind it.
   */
  get stats() {
    this.measured ??= {
      ...measure(this.data),
      ...("pooled" in this.wire ? { rms: Number(this.wire.pooled.rms) } : {}),
    };
    return this.measured;
  }

  /** Least and greatest finite number of the whole tensor, which in a tile no block's mean reaches. */
  get ends() {
    if (!this.block) return { least: this.stats.least, most: this.stats.most };
    return { least: measure(decode(this.wire, "min")).least, most: measure(decode(this.wire, "max")).most };
  }

  /** Whether there are numbers, and each is NaN or infinite. */
  get noneFinite() {
    return this.size > 0 && this.stats.broken === this.data.length;
  }

  /** Largest finite magnitude of the whole tensor. */
  get largest() {
    return Math.max(-this.ends.least, this.ends.most, 0);
  }

  /**
   * @param {number[]} index a cell of the whole tensor
   * @returns {number} where it is drawn: in a tile, the block it lies in; -1 if outside
   */
  flatOf(index) {
    const flat = ravel(this.whole, index);
    if (flat < 0 || !this.block) return flat;
    const sheet = sheetOfShape(this.whole);
    const row = Math.floor((Math.floor(flat / sheet.cols) * this.grid.rows) / sheet.rows);
    return row * this.grid.cols + Math.floor(((flat % sheet.cols) * this.grid.cols) / sheet.cols);
  }

  /**
   * @param {number} row @param {number} col of what is drawn
   * @returns {number[]} the cell of the whole tensor: in a tile, a block's first
   */
  cellAt(row, col) {
    if (!this.block) return unravel(this.shape, row * this.grid.cols + col);
    const sheet = sheetOfShape(this.whole);
    const first = (/** @type {number} */ at, /** @type {number} */ drawn, /** @type {number} */ all) =>
      Math.ceil((at * all) / drawn);
    return unravel(
      this.whole,
      first(row, this.grid.rows, sheet.rows) * sheet.cols + first(col, this.grid.cols, sheet.cols),
    );
  }

  /** @param {number[]} index @returns {number|undefined} the number there, in a tile the mean of its block */
  at(index) {
    const flat = this.flatOf(index);
    return flat < 0 ? undefined : this.data[flat];
  }
}

/** @param {ArrayLike<number>} data */
function measure(data) {
  let [least, most] = [Infinity, -Infinity];
  let broken = 0;
  let squares = 0;
  for (let i = 0; i < data.length; i += 1) {
    const size = Math.abs(data[i]);
    if (!Number.isFinite(size)) broken += 1;
    else {
      squares += size * size;
      if (data[i] < least) least = data[i];
      if (data[i] > most) most = data[i];
    }
  }
  if (least > most) least = most = 0;
  return {
    least,
    most,
    maxAbs: Math.max(-least, most),
    broken,
    rms: Math.sqrt(squares / Math.max(1, data.length - broken)),
  };
}
