/**
 * The ends of an axis: powers of ten, or the numbers themselves where it is `even`.
 * @typedef {{low: number, high: number, even?: boolean}} Decades
 */

/**
 * @param {[number, number]} range
 * @returns {Decades} with a little room at either end; logarithmic where all numbers are positive
 */
export function decadesOf([low, high]) {
  if (low < 0) {
    const room = (high - low || -low) * 0.06;
    return { low: low - room, high: high + room, even: true };
  }
  const [bottom, top] = [Math.log10(low), Math.log10(high)];
  const room = Math.max(0.03, (top - bottom) * 0.06);
  return { low: bottom - room, high: top + room };
}

/** @param {Decades} axis @param {number} value @returns {number} 0 at the bottom, 1 at the top */
export function heightOf({ low, high, even }, value) {
  if (even) return (value - low) / (high - low);
  return value > 0 ? (Math.log10(value) - low) / (high - low) : 0;
}

const FINE = [1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8];
const MIDDLE = [1, 2, 5];

/** @param {Decades} axis @param {number} [most] @returns {number[]} so many round numbers at most, for its marks */
export function ticksOf(axis, most = 8) {
  return axis.even ? evenTicks(axis, most) : logTicks(axis, most);
}

/** @param {Decades} axis @param {number} most @returns {number[]} */
function evenTicks({ low, high }, most) {
  const each = roundFrom((high - low) / most);
  const first = Math.ceil(low / each);
  return Array.from({ length: Math.floor(high / each) - first + 1 }, (_, i) =>
    Number(((first + i) * each).toPrecision(9)),
  );
}

/** @param {number} rough @returns {number} the next of 1, 2, 5, 10, 20, … */
function roundFrom(rough) {
  const power = Number(`1e${Math.floor(Math.log10(rough))}`);
  return power * ([1, 2, 5, 10].find((factor) => factor * power >= rough) ?? 10);
}

/** @param {Decades} axis @param {number} most @returns {number[]} */
function logTicks(axis, most) {
  const first = Math.floor(axis.low);
  for (const mantissas of [FINE, MIDDLE, [1]]) {
    const ticks = [];
    for (let power = first; power <= axis.high; power += 1)
      for (const mantissa of mantissas) {
        const tick = Number(`${mantissa}e${power}`);
        if (Math.log10(tick) >= axis.low && Math.log10(tick) <= axis.high) ticks.push(tick);
      }
    if (ticks.length <= most) return ticks;
  }
  const every = Math.ceil((axis.high - axis.low) / most);
  const ticks = [];
  for (let power = Math.ceil(axis.low); power <= axis.high; power += every) ticks.push(Number(`1e${power}`));
  return ticks;
}

/** @param {number} end @returns {number[]} round numbers of steps from 0 on, about five */
export function stepTicks(end) {
  const each = roundFrom(Math.max(1, end / 5));
  const ticks = [];
  for (let tick = 0; tick <= end; tick += each) ticks.push(tick);
  return ticks;
}
