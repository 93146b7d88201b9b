/** @typedef {import("./scene.js").Tile} Tile */
/** @typedef {import("./scene-view.js").Graph} Graph */
/** @typedef {{x: number, y: number, size: number}} Place */

/** Between two names that stand side by side. */
const APART = 8;
/** Of a name that the light is not at, in pixels, where tensors stand so far apart and where they are closer. */
const [SMALL, SMALLER, CLOSE] = [10, 9, 62];

/** @param {Graph} stage @param {Tile} tile @param {Place} at */
export function drawName({ context, palette }, { variable, place }, { x, y, size }) {
  context.globalAlpha = 1;
  context.fillStyle = palette.ink.muted;
  context.font = `${size > 30 ? 12 : 9}px ${palette.mono}`;
  context.textAlign = "center";
  context.textBaseline = "alphabetic";
  context.fillText(variable, x, y - size / 2 - 6 - (place % 2) * 12);
}

/**
 * What the light has come to is named: a parameter above, where there was no room for its name all the time.
 * @param {Graph} stage @param {Tile} tile @param {number} shown
 */
export function drawActiveName(stage, tile, shown) {
  const { context, palette, geometry, width } = stage;
  const above = tile.lane === "parameter";
  if (shown === 0 || (above && !geometry.narrow)) return;
  const { y, size } = /** @type {Place} */ (geometry.tiles.get(tile.name));
  context.globalAlpha = shown;
  context.font = `600 ${geometry.narrow ? 10 : 12}px ${palette.mono}`;
  context.textAlign = "center";
  context.textBaseline = above ? "bottom" : "top";
  const half = context.measureText(tile.variable).width / 2;
  const at = above ? besideOthers(stage, tile) : kept(placeOf(stage, tile).x, half, width);
  const down = above ? y - size / 2 - 3 : y + size / 2 + 4;
  context.lineWidth = 4;
  context.lineJoin = "round";
  context.strokeStyle = palette.ink.sunk;
  context.strokeText(tile.variable, at, down);
  context.fillStyle = palette.ink.ink;
  context.fillText(tile.variable, at, down);
}

/**
 * What the light is not at has its name, too, smaller; of two that would meet, the second stands one line lower, or
 * above where there is no room below.
 * @param {Graph} stage @param {(tile: Tile) => number} shownOf
 */
export function drawSmallNames(stage, shownOf) {
  const { context, scene, palette, geometry } = stage;
  const foot = Math.max(...geometry.boxes.map((box) => box.y + box.height));
  const type = geometry.unit < CLOSE ? SMALLER : SMALL;
  context.font = `${type}px ${palette.mono}`;
  context.textAlign = "center";
  context.textBaseline = "top";
  context.fillStyle = palette.ink.muted;
  for (const lane of ["way", "branch"]) {
    const tiles = scene.tiles.filter((tile) => tile.lane === lane).sort((a, b) => a.column - b.column);
    for (const { tile, x, y } of smallPlaces(stage, tiles, type, foot)) {
      context.globalAlpha = shownOf(tile);
      context.fillText(tile.variable, x, y);
    }
  }
}

/**
 * @param {Graph} stage @param {Tile[]} tiles of a lane, from the left @param {number} type in pixels
 * @param {number} foot
 * @returns {{tile: Tile, x: number, y: number}[]} the upper middle of each name
 */
function smallPlaces(stage, tiles, type, foot) {
  let [end, lowerEnd] = [-APART, -APART];
  return tiles.map((tile) => {
    const { x: middle, y, size } = placeOf(stage, tile);
    const half = stage.context.measureText(tile.variable).width / 2;
    const x = kept(middle, half, stage.width);
    const below = y + size / 2 + 5;
    if (end + APART <= x - half) {
      end = x + half;
      return { tile, x, y: below };
    }
    const lower = below + type + 2;
    if (lower + type > foot || lowerEnd + APART > x - half) return { tile, x, y: y - size / 2 - type - 3 };
    lowerEnd = x + half;
    return { tile, x, y: lower };
  });
}

/** @param {Graph} stage @param {Tile} tile @returns {number} the middle of its name in a row with its neighbours' */
function besideOthers(stage, tile) {
  const { context, scene, width } = stage;
  const row = scene.tiles.filter(({ lane, column }) => lane === tile.lane && column === tile.column);
  const long = (/** @type {Tile[]} */ tiles) =>
    tiles.reduce((sum, { variable }) => sum + context.measureText(variable).width + APART, -APART);
  const middle = row.reduce((sum, one) => sum + placeOf(stage, one).x, 0) / row.length;
  const start = kept(middle, long(row) / 2, width) - long(row) / 2;
  const upTo = row.slice(0, row.indexOf(tile) + 1);
  return start + long(upTo) - context.measureText(tile.variable).width / 2;
}

/** @param {Graph} stage @param {Tile} tile @returns {Place} */
function placeOf({ geometry }, { name }) {
  return /** @type {Place} */ (geometry.tiles.get(name));
}

/** @param {number} x @param {number} half of what is written there @param {number} room @returns {number} within it */
export function kept(x, half, room) {
  return Math.max(half + 2, Math.min(room - half - 2, x));
}
