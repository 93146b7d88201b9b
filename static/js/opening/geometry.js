/** @typedef {import("./scene.js").Scene} Scene */
/** @typedef {import("./scene.js").Tile} Tile */
/** @typedef {{x: number, y: number}} Point */
/** @typedef {{width: number, height: number}} Size */
/**
 * Where everything is, in pixels: a tile by its middle and its size, a box by its corner; `bars` is the strip below;
 * `camera` how far the picture is moved up so that the column where the light is stays in sight.
 * @typedef {{upright: boolean, lettered: boolean, unit: number, tiles: Map<string, Point & {size: number}>,
 *   boxes: (Point & Size & {name: string})[], bars: Point & Size, camera: (column: number) => number}} Geometry
 */

/** Narrower than this the way leads downwards. */
const WIDE = 900;
const EDGE = 38;
const LEAST_FOOT = 86;
const NAMES = 26;

/** @param {Scene} scene @param {Size} size @returns {Geometry} */
export function geometryOf(scene, size) {
  const upright = size.width < WIDE;
  const foot = Math.max(LEAST_FOOT, Math.min(190, size.height * 0.3));
  const room = size.height - foot;
  const unit = upright ? Math.max(38, Math.min(54, room / 8)) : (size.width - 2 * EDGE) / (scene.columns + 0.5);
  const across = upright ? size.width : room;
  const tile = upright ? unit * 0.74 : Math.min(unit * 0.8, room * 0.21, 2 * EDGE);
  const along = (/** @type {number} */ column) => EDGE + column * unit;
  const lane = lanesOf(upright, across);
  /** @param {Tile} one */
  const placed = (one) => {
    const side = one.lane === "parameter" || one.lane === "target";
    const size = side ? tile * 0.57 : tile;
    const shift = side ? shiftOf(scene, one) * size * 1.06 : 0;
    const main = along(one.column) + shift;
    return upright ? { x: lane[one.lane], y: main, size } : { x: main, y: lane[one.lane], size };
  };
  const far = along(scene.columns) + EDGE;
  return {
    ...{ upright, lettered: true, unit, tiles: new Map(scene.tiles.map((one) => [one.name, placed(one)])) },
    boxes: scene.boxes.map((box) => boxAt(box, { upright, along, across, unit })),
    bars: { x: upright ? 12 : EDGE, y: room + 8, width: size.width - 2 * (upright ? 12 : EDGE), height: foot - 30 },
    camera: upright ? (column) => Math.max(0, Math.min(far - room, along(column) - room / 2)) : () => 0,
  };
}

/** @param {boolean} upright @param {number} across @returns {Record<Tile["lane"], number>} */
function lanesOf(upright, across) {
  const at = upright ? [0.2, 0.45, 0.7] : [0.22, 0.52, 0.82];
  const [side, way, branch] = at.map((part) => part * across);
  return { parameter: side, target: side, way, data: way, branch };
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
    ...{ upright: false, lettered: false, unit: whole.unit * by, tiles: new Map(tiles), camera: () => 0 },
    boxes: [],
    bars: { x: 0, y: height + 8, width, height: 0 },
  };
}

/** @param {Scene} scene @param {Tile} tile @returns {number} how far from its column, in tiles */
function shiftOf({ tiles }, tile) {
  const beside = tiles.filter(({ lane, column }) => column === tile.column && lane === tile.lane);
  return tile.place - (beside.length - 1) / 2;
}

/**
 * @param {import("./scene.js").Box} box
 * @param {{upright: boolean, along: (column: number) => number, across: number, unit: number}} how
 */
function boxAt({ name, first, last }, { upright, along, across, unit }) {
  const from = along(first) - unit * 0.47;
  const length = along(last) - along(first) + unit * 0.94;
  return upright
    ? { name, x: 10, y: from, width: across - 20, height: length }
    : { name, x: from, y: NAMES, width: length, height: across - NAMES };
}

/**
 * @param {Point} from @param {Point} to @param {boolean} upright
 * @returns {[Point, Point, Point, Point]} a curve that leaves and arrives along the way
 */
export function curveOf(from, to, upright) {
  const half = upright ? (to.y - from.y) / 2 : (to.x - from.x) / 2;
  const straight = Math.abs(half) < 8;
  const bend = straight ? 0 : half;
  return upright
    ? [from, { x: from.x, y: from.y + bend }, { x: to.x, y: to.y - bend }, to]
    : [from, { x: from.x + bend, y: from.y }, { x: to.x - bend, y: to.y }, to];
}

/** @param {[Point, Point, Point, Point]} curve @param {number} t from 0 to 1 @returns {Point} */
export function pointAt([a, b, c, d], t) {
  const s = 1 - t;
  const [p, q, r, u] = [s * s * s, 3 * s * s * t, 3 * s * t * t, t * t * t];
  return { x: p * a.x + q * b.x + r * c.x + u * d.x, y: p * a.y + q * b.y + r * c.y + u * d.y };
}
