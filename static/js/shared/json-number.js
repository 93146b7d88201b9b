/** @typedef {number|"NaN"|"Infinity"|"-Infinity"} Told a number as JSON can hold it */

/** @param {Told|null|undefined} told @returns {number} */
export function numberIn(told) {
  return told === null || told === undefined ? NaN : Number(told);
}
