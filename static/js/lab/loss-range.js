/**
 * The losses between which all is drawn: a curve that climbs to twice as much and more flattens no other.
 * @param {{losses: number[]}[]} curves
 */
export function lossRange(curves) {
  const all = curves.map(({ losses }) => losses.filter(Number.isFinite));
  const least = Math.min(0, ...all.flat());
  const usual = Math.max(...all.map(([begin = least]) => begin), ...all[0]);
  const near = all.filter((losses) => Math.max(...losses) - least < 2 * (usual - least));
  return { least, most: Math.max(usual, ...near.flat()) };
}
