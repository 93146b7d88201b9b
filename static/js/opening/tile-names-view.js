/** @typedef {import("./scene.js").Tile} Tile */
/** @typedef {import("./scene-view.js").Graph} Graph */
/** @typedef {{x: number, y: number, size: number}} Place */

/** Between two names that stand side by side. */
const APART = 8;
/** Of a name that stays, in pixels. */
const PASSED = 10;

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
 * What the light has passed keeps its name, smaller; of two that would meet, the second stands one line lower.
 * @param {Graph} stage @param {(tile: Tile) => number} shownOf
 */
export function drawPassedNames(stage, shownOf) {
  const { context, scene, palette, width, geometry } = stage;
  const foot = Math.max(...geometry.boxes.map((box) => box.y + box.height));
  context.font = `${PASSED}px ${palette.mono}`;
  context.textAlign = "center";
  context.textBaseline = "top";
  context.fillStyle = palette.ink.muted;
  for (const lane of ["way", "branch"]) {
    const ends = [-APART, -APART];
    const tiles = scene.tiles.filter((tile) => tile.lane === lane).sort((a, b) => a.column - b.column);
    for (const tile of tiles) {
      const { x, y, size } = placeOf(stage, tile);
      const half = context.measureText(tile.variable).width / 2;
      const at = kept(x, half, width);
      const line = ends.findIndex((end) => end + APART <= at - half);
      const down = y + size / 2 + 5 + line * (PASSED + 2);
      if (line < 0 || down + PASSED > foot) continue;
      ends[line] = at + half;
      context.globalAlpha = Math.max(0, shownOf(tile));
      context.fillText(tile.variable, at, down);
    }
  }
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
