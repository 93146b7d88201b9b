/** @typedef {import("./scene.js").Scene} Scene */
/** @typedef {import("./scene.js").Tile} Tile */
/** @typedef {{x: number, y: number}} Point */
/** @typedef {{width: number, height: number}} Size */
/**
 * Where everything is, in pixels: a tile by its middle and its size, a box by its corner and by its columns; `bars` is
 * the strip below; `narrow`: the way takes two rows.
 * @typedef {{narrow: boolean, lettered: boolean, unit: number, tiles: Map<string, Point & {size: number}>,
 *   boxes: (Point & Size & import("./scene.js").Box)[], bars: Point & Size}} Geometry
 */
/** @typedef {{top: number, height: number, x: (column: number) => number, unit: number}} Row a part of the way */

/** Narrower than this the way takes two rows, and turns back at the end of the first. */
const WIDE = 900;
const EDGE = { wide: 38, narrow: 22 };
const LEAST_FOOT = 86;
const NAMES = { wide: 26, narrow: 18 };
/** How far down a row its lanes are; a narrow one has names above its parameters. */
const MIDDLE = { way: 0.48, data: 0.48, branch: 0.8 };
const LANES = {
  wide: { ...MIDDLE, parameter: 0.16, target: 0.16 },
  narrow: { ...MIDDLE, parameter: 0.22, target: 0.22 },
};

/** @param {Scene} scene @param {Size} size @returns {Geometry} */
export function geometryOf(scene, size) {
  const narrow = size.width < WIDE;
  const look = narrow ? "narrow" : "wide";
  const foot = Math.max(LEAST_FOOT, Math.min(190, size.height * 0.3));
  const room = size.height - foot;
  const rows = rowsOf(scene, { width: size.width, height: room }, look);
  const rowOf = (/** @type {number} */ column) => rows[column < turnOf(scene) ? 0 : rows.length - 1];
  const inside = rows[0].height - NAMES[look];
  const unit = Math.min(...rows.map((row) => row.unit));
  const tile = Math.min(unit * 0.8, inside * 0.226, 2 * EDGE[look]);
  /** @param {Tile} one */
  const placed = (one) => {
    const side = one.lane === "parameter" || one.lane === "target";
    const part = side ? tile * 0.57 : tile;
    const shift = side ? shiftOf(scene, one) * part * 1.06 : 0;
    const row = rowOf(one.column);
    return { x: row.x(one.column) + shift, y: row.top + NAMES[look] + LANES[look][one.lane] * inside, size: part };
  };
  const edge = narrow ? 12 : EDGE.wide;
  return {
    ...{ narrow, lettered: true, unit, tiles: new Map(scene.tiles.map((one) => [one.name, placed(one)])) },
    boxes: scene.boxes.map((box) => boxAt(box, rowOf(box.first), NAMES[look])),
    bars: { x: edge, y: room + 8, width: size.width - 2 * edge, height: foot - 30 },
  };
}

/** @param {Scene} scene @returns {number} the column that begins a second row: a box's, not before the middle */
function turnOf({ boxes, columns }) {
  return boxes.map(({ first }) => first).find((first) => 2 * first > columns) ?? columns + 1;
}

/** @param {Scene} scene @param {Size} size @param {"wide"|"narrow"} look @returns {Row[]} the second leads back */
function rowsOf(scene, { width, height }, look) {
  const edge = EDGE[look];
  const turn = turnOf(scene);
  const along = (/** @type {number} */ last) => (width - 2 * edge) / (last + 0.5);
  const whole = along(scene.columns);
  if (look === "wide" || turn > scene.columns)
    return [{ top: 0, height, unit: whole, x: (column) => edge + column * whole }];
  const there = along(turn - 1);
  const right = edge + (turn - 1) * there;
  const back = Math.min(there * 1.6, (right - edge) / (scene.columns - turn + 0.5));
  return [
    { top: 0, height: height / 2, unit: there, x: (column) => edge + column * there },
    { top: height / 2, height: height / 2, unit: back, x: (column) => right - (column - turn) * back },
  ];
}

/** @param {Scene} scene @param {Size} size @returns {Geometry} of a picture too small for letters, no strip below */
export function smallGeometryOf(scene, { width, height }) {
  const whole = geometryOf(scene, { width: WIDE, height: (WIDE * height) / width + LEAST_FOOT });
  const by = width / WIDE;
  const ends = [...whole.tiles.values()].flatMap(({ y, size }) => [y - size / 2, y + size / 2]);
  const middle = (Math.min(...ends) + Math.max(...ends)) / 2;
  const tiles = [...whole.tiles].map(([name, { x, y, size }]) => {
    return /** @type {const} */ ([name, { x: x * by, y: (y - middle) * by + height / 2, size: size * by }]);
  });
  return {
    ...{ narrow: false, lettered: false, unit: whole.unit * by, tiles: new Map(tiles) },
    boxes: [],
    bars: { x: 0, y: height + 8, width, height: 0 },
  };
}

/** @param {Scene} scene @param {Tile} tile @returns {number} how far from its column, in tiles */
function shiftOf({ tiles }, tile) {
  const beside = tiles.filter(({ lane, column }) => column === tile.column && lane === tile.lane);
  return tile.place - (beside.length - 1) / 2;
}

/** @param {import("./scene.js").Box} box @param {Row} row @param {number} names the height of its name */
function boxAt(box, { x, unit, top, height }, names) {
  const [left, right] = [x(box.first), x(box.last)].sort((a, b) => a - b);
  return { ...box, x: left - unit * 0.47, y: top + names, width: right - left + unit * 0.94, height: height - names };
}

/** @param {Point} from @param {Point} to @returns {[Point, Point, Point, Point]} leaves and arrives along the way */
export function curveOf(from, to) {
  const half = (to.x - from.x) / 2;
  const bend = Math.abs(half) < 8 ? 0 : half;
  return [from, { x: from.x + bend, y: from.y }, { x: to.x - bend, y: to.y }, to];
}

/** @param {[Point, Point, Point, Point]} curve @param {number} t from 0 to 1 @returns {Point} */
export function pointAt([a, b, c, d], t) {
  const s = 1 - t;
  const [p, q, r, u] = [s * s * s, 3 * s * s * t, 3 * s * t * t, t * t * t];
  return { x: p * a.x + q * b.x + r * c.x + u * d.x, y: p * a.y + q * b.y + r * c.y + u * d.y };
}
