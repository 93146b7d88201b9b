/** @typedef {import("./graph-layout.js").Place} Place */
/**
 * Where rows stand, where a lane runs in each column, where a column ends, and how high all of it is.
 * @typedef {{places: Place[], station: (column: number, lane: number) => number, right: (column: number) => number,
 *   height: number}} Across
 */

/** From the rim to the first line that runs there, from that to the next, and the radius of a corner. */
const RIM = 4;
const APART = 3;
const CORNER = 5;

/**
 * The line from a row to one that reads it: down its lane, and from the foot of a column to the head of the next.
 * @param {import("./graph-rows.js").Rail} rail @param {Across} across @returns {string} the path of an SVG
 */
export function railPath({ from, to, lane }, { places, station, right, height }) {
  const [start, end] = [places[from], places[to]];
  const path = pen(start);
  for (let column = start.column; column < end.column; column += 1) {
    const [x, next, off] = [station(column, lane), station(column + 1, lane), RIM + APART * lane];
    path.to(
      x,
      column === start.column ? (places[from + 1].column === column ? places[from + 1].y : start.y + 12) : path.y,
    );
    path.turn([x, height - off], [right(column) - off, height - off], [right(column) - off, off], [next, off]);
  }
  const before = places[to - 1];
  if (from < to - 1 && before.column === end.column) {
    const x = station(end.column, lane);
    path.to(x, Math.max(path.y, start.column === end.column ? places[from + 1].y : path.y));
    path.to(x, Math.max(path.y, before.y));
  }
  path.to(end.x, end.y);
  return path.text();
}

/** Writes a path. @param {Place} start */
function pen(start) {
  let [x, y] = [start.x, start.y];
  const parts = [`M${point(x, y)}`];
  return {
    get y() {
      return y;
    },
    /** Straight down, or over to another lane. @param {number} toX @param {number} toY */
    to(toX, toY) {
      if (toY <= y) return;
      const middle = (y + toY) / 2;
      parts.push(toX === x ? `V${toY.toFixed(1)}` : `C${point(x, middle)} ${point(toX, middle)} ${point(toX, toY)}`);
      [x, y] = [toX, toY];
    },
    /** With round corners. @param {[number, number][]} corners */
    turn(...corners) {
      for (const [i, [cx, cy]] of corners.entries()) {
        const [nx, ny] = corners[i + 1] ?? [cx, cy + 2 * CORNER];
        const near = (/** @type {number} */ a, /** @type {number} */ b) =>
          a + Math.max(-CORNER, Math.min(CORNER, b - a));
        parts.push(`L${point(near(cx, x), near(cy, y))}`, `Q${point(cx, cy)} ${point(near(cx, nx), near(cy, ny))}`);
        [x, y] = [near(cx, nx), near(cy, ny)];
      }
    },
    text: () => parts.join(""),
  };
}

/** @param {number} x @param {number} y */
function point(x, y) {
  return `${x.toFixed(1)} ${y.toFixed(1)}`;
}
