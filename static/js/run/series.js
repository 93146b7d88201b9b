/** Points that are kept; beyond it two neighbours become one, so that a run of any length is drawn at one price. */
const MOST = 2000;
/** Points that are drawn at least, where there are as many. */
const LEAST = 300;

/** @typedef {{step: number, low: number, high: number, smoothed: number}} Point */

/** The loss along the steps: of each stretch the least and the greatest, and where the smoothed loss was at its end. */
export class Series {
  /** @type {Point[]} */
  points = [];

  /**
   * @param {number} step @param {number} loss @param {number} smoothed a point that is not finite is left out
   */
  add(step, loss, smoothed) {
    if (!Number.isFinite(loss) || !Number.isFinite(smoothed)) return;
    this.points.push({ step, low: loss, high: loss, smoothed });
    if (this.points.length > MOST) this.points = halved(this.points);
  }

  /** @param {number} steps that are taken: what was after them is done again */
  cut(steps) {
    this.points = this.points.filter(({ step }) => step < steps);
  }

  clear() {
    this.points = [];
  }

  /**
   * Points about as far apart as where they are furthest: a run tells more of its steps while it is slow.
   * @returns {Iterable<Point>}
   */
  *even() {
    const { points } = this;
    let furthest = 1;
    for (let i = 1; i < points.length; i += 1) furthest = Math.max(furthest, points[i].step - points[i - 1].step);
    const apart = Math.min(furthest, (points.at(-1)?.step ?? 0) / LEAST);
    let last = -Infinity;
    for (const point of points) {
      if (point.step - last < apart && point !== points.at(-1)) continue;
      last = point.step;
      yield point;
    }
  }

  /** @returns {[number, number]|null} the least and the greatest loss; the least positive one where none is below 0 */
  get range() {
    let [low, least, high] = [Infinity, 0, -Infinity];
    for (const point of this.points) {
      if (point.low > 0) low = Math.min(low, point.low);
      least = Math.min(least, point.low);
      high = Math.max(high, point.high);
    }
    if (least < 0) return [least, high];
    return low <= high ? [low, high] : null;
  }
}

/** @param {Point[]} points @returns {Point[]} half as many */
function halved(points) {
  const kept = [];
  for (let i = 0; i < points.length; i += 2) {
    const [a, b] = [points[i], points[i + 1] ?? points[i]];
    kept.push({ step: b.step, low: Math.min(a.low, b.low), high: Math.max(a.high, b.high), smoothed: b.smoothed });
  }
  return kept;
}
