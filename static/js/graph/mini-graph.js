/** @typedef {import("./graph-rows.js").Rows} Rows */
/** @typedef {{name: string, x: number, y: number}} Dot the middle of what stands for a line */
/** @typedef {{from: string, to: string, path: string}} Way */
/**
 * @typedef {{width: number, height: number, dots: Dot[], ways: Way[], bands: {left: number, width: number}[]}} Mini
 */

/** From dot to dot, from lane to lane, and from the rim to the first dot. */
const PITCH = 16;
const LANE = 13;
const RIM = 9;

/**
 * The graph at a glance, from left to right: a dot for each line, its lane above or below the others, and the groups
 * as bands behind.
 * @param {Rows} graph @returns {Mini}
 */
export function miniGraphOf({ rows, rails, lanes }) {
  const y = (/** @type {number} */ lane) => RIM + lane * LANE;
  const dots = rows.map((row, i) => ({ name: row.name, x: RIM + i * PITCH, y: y(row.lane) }));
  /** @type {{group: string|null, left: number, width: number}[]} */
  const runs = [];
  for (const [i, { group }] of rows.entries()) {
    const last = runs[runs.length - 1];
    if (last && last.group === group) last.width += PITCH;
    else runs.push({ group, left: RIM + (i - 0.5) * PITCH + 1, width: PITCH - 2 });
  }
  return {
    width: 2 * RIM + (rows.length - 1) * PITCH,
    height: 2 * RIM + (lanes - 1) * LANE,
    dots,
    ways: rails.map(({ from, to, lane }) => ({
      from: rows[from].name,
      to: rows[to].name,
      path: wayBetween(dots[from], dots[to], y(lane)),
    })),
    bands: runs.filter(({ group }) => group).map(({ left, width }) => ({ left, width })),
  };
}

/** @param {Dot} from @param {Dot} to @param {number} level of the lane between @returns {string} */
function wayBetween(from, to, level) {
  const [out, back] = [from.x + PITCH, to.x - PITCH];
  const half = PITCH / 2;
  const start = `M${from.x} ${from.y}C${from.x + half} ${from.y}`;
  const end = `${to.x - half} ${to.y} ${to.x} ${to.y}`;
  return back < out ? `${start} ${end}` : `${start} ${out - half} ${level} ${out} ${level}H${back}S${end}`;
}

/**
 * @param {string} name of a line @param {import("../walk/frame.js").Frame} frame
 * @returns {string} what its dot shows: a value, a gradient, nothing yet; and whether the step is there
 */
export function dotLook(name, { walk, step, known }) {
  const back = step.direction === "backward";
  const here = back && !walk.forwardIndex.has(step.node) ? step.through : step.node;
  const now = here === name ? " now" : "";
  if (!back) return `${(walk.forwardIndex.get(name) ?? -1) <= step.index ? "valued" : "ahead"}${now}`;
  return `${walk.gradientAt(name, known).stage === "none" ? "valued" : "flowed"}${now}`;
}

/**
 * @param {{from: string, to: string}} way @param {import("../walk/frame.js").Frame} frame
 * @returns {boolean} whether the step goes along it
 */
export function isWalked({ from, to }, { step }) {
  return step.direction === "forward" ? to === step.node : from === step.node && to === step.through;
}
