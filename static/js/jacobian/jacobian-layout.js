/**
 * @typedef {{width: number, high: number, sign: number, gutter: number, thin: number, cell: [number, number],
 *   slots: [number, number, number]}} Room `gutter`: for the names of the rows; `slots`: what the three labels need
 */
/**
 * @typedef {{x: number, y: number, across: number, bar: number, stacked: boolean, squeeze: number}} Fit pixels for each
 *   column and row, and for each place of what arrives; the thickness of a vector, how much narrower than wished the
 *   labels must be
 */

const FINEST = 2;
const RATIO = 3;
const NARROW = 420;
const SHARE = 0.34;

/**
 * One unit for row vector · matrix = row vector, so that matrix and result stand in the same columns; below each other
 * where that is too fine.
 * @param {number} rows @param {number} cols @param {Room} room @returns {Fit}
 */
export function fitJacobian(rows, cols, room) {
  const free = room.width - 2 * room.sign;
  const squeeze = Math.min(1, free / room.slots.reduce((sum, slot) => sum + slot, 1));
  const slots = room.slots.map((slot) => slot * squeeze);
  const beside = widest(
    (x) =>
      Math.max(slots[0], Math.min(SHARE * free, rows * x)) +
        Math.max(slots[1], room.gutter + cols * x) +
        Math.max(slots[2], cols * x) <=
      free,
    room.cell[0],
  );
  const stacked = beside < FINEST || room.width < NARROW;
  const below = (room.width - room.gutter) / Math.max(rows, cols);
  const x = Math.min(room.cell[0], stacked ? below : beside);
  const y = Math.min(room.cell[1], room.high / rows);
  const bar = Math.min(room.cell[1], Math.max(room.thin, y));
  const wide = Math.min(x, Math.max(y, 4) * RATIO);
  const across = Math.min(room.cell[0], wide, stacked ? below : Math.max(slots[0], SHARE * free) / rows);
  return { x: wide, y: Math.min(y, Math.max(x, 4) * RATIO), across, bar, stacked, squeeze: stacked ? 1 : squeeze };
}

/** @param {(x: number) => boolean} fits @param {number} most @returns {number} */
function widest(fits, most) {
  let low = 0;
  let high = most;
  for (let turn = 0; turn < 24; turn += 1) {
    const middle = (low + high) / 2;
    if (fits(middle)) low = middle;
    else high = middle;
  }
  return low;
}
