/** @typedef {"light"|"dark"} Theme */
/** @typedef {[number, number, number]} Rgb */

/** Small values show because colour follows |x| to this power. */
const POWER = 0.6;

/** @type {Record<Theme, {negative: Rgb, zero: Rgb, positive: Rgb, broken: Rgb}>} */
const ENDS = {
  light: { negative: [33, 94, 168], zero: [247, 244, 237], positive: [180, 21, 58], broken: [20, 18, 16] },
  dark: { negative: [104, 168, 240], zero: [38, 36, 32], positive: [240, 96, 124], broken: [255, 255, 255] },
};

const HALF = 255;

/** @type {Map<Theme, Uint8Array>} */
const TABLES = new Map();

/** @param {Theme} theme @returns {Uint8Array} 511 colours from −1 to +1, then the one for "not a finite number" */
export function table(theme) {
  let made = TABLES.get(theme);
  if (!made) TABLES.set(theme, (made = buildTable(theme)));
  return made;
}

/** @param {Theme} theme */
function buildTable(theme) {
  const ends = ENDS[theme];
  const colours = new Uint8Array((2 * HALF + 2) * 3);
  for (let i = 0; i <= 2 * HALF; i += 1) {
    const t = (i - HALF) / HALF;
    const end = t < 0 ? ends.negative : ends.positive;
    for (let c = 0; c < 3; c += 1)
      colours[i * 3 + c] = Math.round(ends.zero[c] + (end[c] - ends.zero[c]) * Math.abs(t));
  }
  colours.set(ends.broken, (2 * HALF + 1) * 3);
  return colours;
}

/** @param {number} value @param {number} max @returns {number} row of the colour table */
export function slot(value, max) {
  if (!Number.isFinite(value)) return 2 * HALF + 1;
  if (max === 0) return HALF;
  const size = Math.min(1, Math.abs(value) / max) ** POWER;
  return HALF + Math.round(Math.sign(value) * size * HALF);
}

/** @param {number} value @param {number} max @param {Theme} theme @returns {Rgb} */
export function colourOf(value, max, theme) {
  const at = slot(value, max) * 3;
  const colours = table(theme);
  return [colours[at], colours[at + 1], colours[at + 2]];
}

/** Black and white are as easy to read at this luminance, at 4.58 to 1: WCAG asks for 4.5. */
const MIDDLE = Math.sqrt(1.05 * 0.05) - 0.05;

/** @param {Rgb} rgb @returns {string} ink that can be read on this colour */
export function inkOn(rgb) {
  const [r, g, b] = rgb.map((c) => (c / 255) ** 2.2);
  return 0.2126 * r + 0.7152 * g + 0.0722 * b > MIDDLE ? "#000000" : "#ffffff";
}

/** @param {Theme} theme @returns {[number, string][]} the same scale for Plotly, which is linear between stops */
export function plotlyScale(theme) {
  const stops = [];
  for (let i = -24; i <= 24; i += 1) {
    const x = Math.sign(i) * (Math.abs(i) / 24) ** (1 / POWER);
    stops.push(/** @type {[number, string]} */ ([(x + 1) / 2, `rgb(${colourOf(x, 1, theme).join(",")})`]));
  }
  return stops;
}
