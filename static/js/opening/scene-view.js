import { alongOf, brightness, eased, swing, within } from "./light.js";
import { curveOf, pointAt } from "./geometry.js";
import { drawBars } from "./bars-view.js";
import { drawActiveName, drawName, drawSmallNames, kept } from "./tile-names-view.js";
import { LONE, drawLoneNumber, isLone } from "./lone-number-view.js";
/** @typedef {import("./scene.js").Scene} Scene */
/** @typedef {import("./scene.js").Tile} Tile */
/** @typedef {import("./scene.js").Link} Link */
/** @typedef {import("./light.js").Light} Light */
/** @typedef {import("./geometry.js").Geometry} Geometry */
/** @typedef {import("./pictures-view.js").Palette} Palette */
/** @typedef {import("./moments.js").Later} Later */
/**
 * @typedef {Omit<Stage, "later">} Graph
 * @typedef {{context: CanvasRenderingContext2D, scene: Scene, later: readonly Later[], light: Light,
 *   geometry: Geometry, palette: Palette, largest: number, width: number, height: number}} Stage
 */

const TWITCH = 1.1;
/** How strong a name is that the light has yet to come to. */
const COMING = 0.55;

/** Draws the whole picture as the light has it. @param {Stage} stage */
export function drawScene(stage) {
  stage.context.clearRect(0, 0, stage.width, stage.height);
  drawGraph(stage);
  drawBars(stage);
}

/** Draws the tensors and what passes between them. @param {Graph} stage */
export function drawGraph(stage) {
  const { context, geometry, width } = stage;
  context.save();
  context.beginPath();
  context.rect(0, 0, width, geometry.bars.y - 8);
  context.clip();
  for (const box of geometry.boxes) drawBox(stage, box);
  const tiles = stage.scene.tiles.filter(({ lane }) => geometry.lettered || !isLettered(lane));
  const links = stage.scene.links.filter(({ from }) => tiles.some(({ name }) => name === from));
  for (const link of links) drawLink(stage, link);
  for (const box of geometry.boxes) drawBoxName(stage, box);
  for (const tile of tiles) drawTile(stage, tile);
  for (const link of links) drawPulse(stage, link);
  const at = whereLit(stage.light, stage.scene);
  const named = tiles.filter(({ lane }) => geometry.lettered && !isLettered(lane));
  const active = (/** @type {Tile} */ { column }) => within(2 - 4 * Math.abs(at - column));
  if (geometry.lettered && !geometry.narrow)
    drawSmallNames(stage, (tile) => (active(tile) ? 0 : COMING + (1 - COMING) * passed(tile, stage.light)));
  for (const tile of named) drawActiveName(stage, tile, active(tile));
  context.restore();
}

/** @param {Tile} tile @param {Light} light @returns {number} how far the light has come to it going forward, to 1 */
function passed({ column }, { front }) {
  return within((front - column + 0.35) / 0.35);
}

/** @param {Tile["lane"]} lane @returns {boolean} whether what stands there is written, not drawn */
function isLettered(lane) {
  return lane === "data" || lane === "target";
}

/** @param {Graph} stage @param {Geometry["boxes"][number]} box */
function drawBox({ context, palette, geometry }, { x, y, width, height }) {
  context.globalAlpha = 1;
  context.fillStyle = palette.ink.sunk;
  context.beginPath();
  context.roundRect(x, y, width, height, geometry.narrow ? 6 : 10);
  context.fill();
}

/**
 * Its name, which a link from one row of boxes to the next may cross: it keeps a rim of the ground.
 * @param {Graph} stage @param {Geometry["boxes"][number]} box
 */
function drawBoxName({ context, palette, geometry, light, scene, width: room }, { name, first, last, x, y, width }) {
  context.globalAlpha = 1;
  const at = whereLit(light, scene);
  const active = at > first - 1 && at <= last;
  context.font = `${geometry.unit > 80 ? 15 : geometry.narrow ? 11 : 12}px ${palette.sans}`;
  const half = context.measureText(name).width / 2;
  if (geometry.narrow && !active && 2 * half > width) return; // the next one's name is wanted there
  context.fillStyle = active ? palette.ink.ink : palette.ink.muted;
  context.textBaseline = "alphabetic";
  context.textAlign = "center";
  const [middle, line] = [kept(x + width / 2, half, room), y - (geometry.narrow ? 5 : 9)];
  context.strokeStyle = palette.ink.ground;
  context.lineWidth = 5;
  context.lineJoin = "round";
  context.strokeText(name, middle, line);
  context.fillText(name, middle, line);
}

/** @param {Light} light @param {Scene} scene @returns {number} the column where it is, on its way there or back */
function whereLit({ front, back }, { columns }) {
  return back <= columns ? back : front;
}

/** @param {Graph} stage @param {Link} link @returns {{curve: ReturnType<typeof curveOf>, from: Tile, to: Tile}} */
function endsOf({ scene, geometry }, link) {
  const of = (/** @type {string} */ name) => /** @type {Tile} */ (scene.tiles.find((tile) => tile.name === name));
  const at = (/** @type {string} */ name) => /** @type {{x: number, y: number}} */ (geometry.tiles.get(name));
  return { curve: curveOf(at(link.from), at(link.to)), from: of(link.from), to: of(link.to) };
}

/** @param {Tile} tile @returns {number} where the light is when this end of a link has it */
function columnOf({ lane, column }) {
  return lane === "parameter" || lane === "target" ? column - 1 : column;
}

/** @param {Graph} stage @param {Link} link */
function drawLink(stage, link) {
  const { context, light, palette, largest, geometry } = stage;
  const { curve, from, to } = endsOf(stage, link);
  const there = within(alongOf(light.front, columnOf(from), to.column));
  const back = within(alongOf(light.back, to.column, columnOf(from)));
  trace(context, curve, 0, 1);
  context.globalAlpha = 1;
  context.lineWidth = 1;
  context.strokeStyle = palette.ink.rule;
  context.stroke();
  stroke(context, curve, [0, there], palette.ink.forward, 1.6, 0.75);
  const bright = brightness(link.norm, largest);
  const thick = geometry.lettered ? 4.5 : 1.4;
  stroke(
    context,
    curve,
    [1 - back, 1],
    palette.ink.backward,
    (geometry.lettered ? 1 : 0.6) + thick * bright,
    bright && 0.25 + 0.75 * bright,
  );
}

/**
 * @param {CanvasRenderingContext2D} context @param {ReturnType<typeof curveOf>} curve
 * @param {[number, number]} part @param {string} colour @param {number} width @param {number} alpha
 */
function stroke(context, curve, [from, to], colour, width, alpha) {
  if (to - from < 0.01 || alpha <= 0) return;
  trace(context, curve, from, to);
  context.globalAlpha = alpha;
  context.lineWidth = width;
  context.strokeStyle = colour;
  context.stroke();
}

/**
 * @param {CanvasRenderingContext2D} context @param {ReturnType<typeof curveOf>} curve @param {number} from
 * @param {number} to
 */
function trace(context, curve, from, to) {
  context.beginPath();
  const pieces = 18;
  for (let i = 0; i <= pieces; i += 1) {
    const { x, y } = pointAt(curve, from + ((to - from) * i) / pieces);
    if (i) context.lineTo(x, y);
    else context.moveTo(x, y);
  }
}

/** @param {Graph} stage @param {Link} link the light on its way along it */
function drawPulse(stage, link) {
  const { context, light, palette, largest, geometry } = stage;
  const { curve, from, to } = endsOf(stage, link);
  const size = Math.max(20, geometry.unit * 0.62);
  const there = alongOf(light.front, columnOf(from), to.column);
  if (there > 0 && there < 1) spot(context, palette.forward, pointAt(curve, there), size, 0.95);
  const back = alongOf(light.back, to.column, columnOf(from));
  const bright = brightness(link.norm, largest);
  if (back > 0 && back < 1)
    spot(context, palette.backward, pointAt(curve, 1 - back), size * (0.7 + 0.8 * bright), bright);
}

/**
 * @param {CanvasRenderingContext2D} context @param {HTMLCanvasElement} glow @param {{x: number, y: number}} at
 * @param {number} size @param {number} alpha
 */
function spot(context, glow, { x, y }, size, alpha) {
  context.globalAlpha = alpha;
  context.drawImage(glow, x - size / 2, y - size / 2, size, size);
}

/** @param {Graph} stage @param {Tile} tile */
function drawTile(stage, tile) {
  const { light, geometry, largest, context, palette } = stage;
  const at = /** @type {{x: number, y: number, size: number}} */ (geometry.tiles.get(tile.name));
  const column = columnOf(tile);
  const lit = tile.lane === "parameter" ? 1 : passed(tile, light);
  const returned = within((column - light.back + 0.35) / 0.35);
  const bright = brightness(tile.norm, largest);
  const point = { x: at.x + (tile.lane === "parameter" ? twitchOf(light, column, bright) * at.size : 0), y: at.y };
  if (returned > 0 && bright > 0) spot(context, palette.backward, point, at.size * (1.5 + bright), returned * bright);
  const isLoss = tile.column === stage.scene.columns && tile.lane === "way";
  if (isLoss) lossGlow(stage, at, lit);
  if (tile.lane === "data") return drawLetters(stage, at, within(light.front + 1));
  if (tile.lane === "target") return drawTarget(stage, at, lit);
  drawFace(stage, tile, { ...at, ...point }, { lit, returned, bright });
  if (geometry.lettered && !geometry.narrow && tile.lane === "parameter") drawName(stage, tile, at);
}

/** @param {Graph} stage @param {{x: number, y: number, size: number}} at @param {number} lit */
function lossGlow({ context, palette, light }, at, lit) {
  const pulse = 0.75 + 0.25 * swing(light.since * 0.8);
  if (lit > 0) spot(context, palette.backward, at, at.size * 3 * lit * pulse, lit * 0.85);
}

/** @param {Light} light @param {number} column @param {number} bright @returns {number} of its size, to the side */
function twitchOf({ back }, column, bright) {
  const since = column - back;
  if (since <= 0 || since > TWITCH || bright === 0) return 0;
  const rest = 1 - since / TWITCH;
  return 0.22 * bright * rest * rest * swing(since * 4.5 + 0.25);
}

/**
 * @param {Graph} stage @param {Tile} tile @param {{x: number, y: number, size: number}} at
 * @param {{lit: number, returned: number, bright: number}} how
 */
function drawFace(stage, tile, { x, y, size }, { lit, returned, bright }) {
  const { context, palette } = stage;
  const { value, gradient } = palette.tiles.get(tile.name) ?? { value: null, gradient: null };
  const [left, top] = [x - size / 2, y - size / 2];
  context.imageSmoothingEnabled = false;
  context.globalAlpha = 1;
  context.fillStyle = palette.ink.ground;
  context.fillRect(left, top, size, size);
  const turned = gradient ? eased(returned) : 0;
  if (value && lit > 0 && turned < 1) {
    context.globalAlpha = lit * (1 - turned) * (isLone(tile.value) ? LONE : 1);
    context.drawImage(value, left, top, size, size);
  }
  if (gradient && turned > 0) {
    context.globalAlpha = turned * (0.12 + 0.88 * bright) * (isLone(tile.gradient) ? LONE : 1);
    context.drawImage(gradient, left, top, size, size);
  }
  context.imageSmoothingEnabled = true;
  context.globalAlpha = 1;
  context.lineWidth = size > 16 ? 1 + 1.4 * bright * returned : 0.6;
  context.strokeStyle = bright * returned > 0 ? palette.ink.backward : lit ? palette.ink.muted : palette.ink.rule;
  context.globalAlpha = lit > 0 || returned > 0 ? 0.9 : 0.6;
  context.strokeRect(left, top, size, size);
  drawLoneNumber(stage, tile.value, { x, y, size }, lit * (1 - turned));
  drawLoneNumber(stage, tile.gradient, { x, y, size }, turned);
}

/** @param {Graph} stage @param {{x: number, y: number, size: number}} at @param {number} shown */
function drawLetters({ context, palette, scene }, { x, y, size }, shown) {
  const letters = [...scene.label.split(" → ")[0]];
  const step = Math.min(size * 0.62, 34);
  context.textAlign = "center";
  context.textBaseline = "middle";
  context.font = `600 ${step * 0.92}px ${palette.mono}`;
  cover(context, palette, { x, y }, step, size);
  letters.forEach((letter, i) => {
    const shift = (i - (letters.length - 1) / 2) * step;
    context.globalAlpha = within(shown * letters.length - i);
    context.fillStyle = letter === "." ? palette.ink.muted : palette.ink.forward;
    context.fillText(letter, x, y + shift);
  });
}

/** @param {Graph} stage @param {{x: number, y: number, size: number}} at @param {number} lit */
function drawTarget({ context, palette, scene }, { x, y, size }, lit) {
  cover(context, palette, { x, y }, size, size, palette.ink.sunk);
  context.globalAlpha = 0.35 + 0.65 * lit;
  context.textAlign = "center";
  context.textBaseline = "middle";
  context.font = `600 ${Math.min(size * 0.8, 32)}px ${palette.mono}`;
  context.fillStyle = palette.ink.ok;
  context.fillText(scene.letters[scene.right] ?? "", x, y);
}

/**
 * What stands on it is not crossed by the link that begins there.
 * @param {CanvasRenderingContext2D} context @param {Palette} palette @param {{x: number, y: number}} at
 * @param {number} width @param {number} height @param {string} [colour]
 */
function cover(context, palette, { x, y }, width, height, colour = palette.ink.ground) {
  context.globalAlpha = 1;
  context.fillStyle = colour;
  context.fillRect(x - width / 2, y - height / 2, width, height);
}
