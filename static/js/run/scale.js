/** @typedef {{low: number, high: number}} Decades the ends of a logarithmic axis, as powers of ten */

/** @param {[number, number]} range positive numbers @returns {Decades} with a little room at either end */
export function decadesOf([low, high]) {
  const [bottom, top] = [Math.log10(low), Math.log10(high)];
  const room = Math.max(0.03, (top - bottom) * 0.06);
  return { low: bottom - room, high: top + room };
}

/** @param {Decades} axis @param {number} value @returns {number} 0 at the bottom, 1 at the top */
export function heightOf({ low, high }, value) {
  return value > 0 ? (Math.log10(value) - low) / (high - low) : 0;
}

const FINE = [1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8];
const MIDDLE = [1, 2, 5];

/** @param {Decades} axis @param {number} [most] @returns {number[]} so many round numbers at most, for its marks */
export function logTicks(axis, most = 8) {
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
  const rough = Math.max(1, end / 5);
  const power = Number(`1e${Math.floor(Math.log10(rough))}`);
  const each = power * ([1, 2, 5, 10].find((factor) => factor * power >= rough) ?? 10);
  const ticks = [];
  for (let tick = 0; tick <= end; tick += each) ticks.push(tick);
  return ticks;
}
