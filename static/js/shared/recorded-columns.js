// As in app/site/columns.py.
const [ROWS, LISTS, MISSING] = ["~", "~~", "\ue000"];

/**
 * Lists of objects are recorded as columns: `{"~": how many, name: column, …}`, and lists of lists as one with their
 * lengths; with the list itself in place of how many, `0` for each object, where it holds other things too.
 * @param {any} value of a recording @returns {any} as it was
 */
export function inRows(value) {
  if (Array.isArray(value)) return value.map(inRows);
  if (value === null || typeof value !== "object") return value;
  if (LISTS in value) return parted(inRows(value[""]), value[LISTS]);
  if (ROWS in value) return rowsOf(value);
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, inRows(one)]));
}

/** @param {any[]} all @param {number[]} lengths @returns {any[][]} */
function parted(all, lengths) {
  let from = 0;
  return lengths.map((length) => all.slice(from, (from += length)));
}

/** @param {Record<string, any>} columns @returns {any[]} */
function rowsOf({ [ROWS]: rows, ...columns }) {
  const places = Array.isArray(rows) ? rows : Array(rows).fill(0);
  const objects = Array.from({ length: places.filter((one) => one === 0).length }, () => /** @type {any} */ ({}));
  for (const [name, column] of Object.entries(columns))
    inRows(column).forEach((/** @type {any} */ one, /** @type {number} */ i) => {
      if (one !== MISSING) objects[i][name] = one;
    });
  return places.map((one) => (one === 0 ? objects.shift() : inRows(one[0])));
}
