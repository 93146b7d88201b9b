import { counted } from "../shared/plural.js";
/** @typedef {import("./types.js").ThreeWays} ThreeWays */

/** @param {number[]} places @param {number} row @returns {number[]} the upstream rows that land on it */
export function landing(places, row) {
  return places.flatMap((place, at) => (place === row ? [at] : []));
}

/** @param {number[]} places @returns {number} the row that most land on; of several the first */
export function busiest(places) {
  const counts = new Map();
  for (const place of places) counts.set(place, (counts.get(place) ?? 0) + 1);
  return [...counts].reduce((best, one) =>
    one[1] > best[1] || (one[1] === best[1] && one[0] < best[0]) ? one : best,
  )[0];
}

/** @param {ThreeWays} made @param {number} row @returns {string} what becomes of one row of the table */
export function rowWords({ variable, upstream, labels, places }, row) {
  const count = landing(places, row).length;
  const name = `Row ${row}${labels[row] ? `, “${labels[row]}”,` : ""} of \`${variable}\``;
  if (count === 0) return `${name}: never picked, so it is zero.`;
  if (count === 1) return `${name} is one row of \`${upstream}\`.`;
  return `${name} is the sum of ${counted(count, "row")} of \`${upstream}\`.`;
}
