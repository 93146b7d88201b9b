/** @typedef {import("./pick.js").Choice} Choice */
/**
 * What an address says: copy it and another browser shows the same.
 * @typedef {{lesson: string, seed: number|null, step: number, node: string|null, exact: boolean, predict: boolean,
 *   view: string|null} & Choice} Place
 */

const OF = /** @type {const} */ (["value", "gradient", "contribution"]);

/** @param {URL} url @param {string} fallback lesson when the path names none @returns {Place} */
export function placeOf(url, fallback) {
  const query = url.searchParams;
  return {
    lesson: lessonIn(url.pathname) ?? fallback,
    seed: whole(query.get("seed")),
    step: Math.max(0, (whole(query.get("step")) ?? 1) - 1),
    node: query.get("node") || null,
    ...choiceIn(query),
    exact: query.get("exact") === "1",
    predict: query.get("predict") === "1",
    view: query.get("view") || null,
  };
}

/** @param {Place} place @returns {string} path and query; what is usual is left out */
export function addressOf(place) {
  const text = queryOf(place);
  return `/walk/${encodeURIComponent(place.lesson)}${text ? `?${text}` : ""}`;
}

/** @param {Place} place @returns {string} everything but what is walked */
export function queryOf(place) {
  const query = new URLSearchParams();
  if (place.seed !== null) query.set("seed", String(place.seed));
  if (place.step > 0) query.set("step", String(place.step + 1));
  if (place.node) query.set("node", place.node);
  if (place.exact) query.set("exact", "1");
  if (place.predict) query.set("predict", "1");
  if (place.view) query.set("view", place.view);
  if (place.cell && place.tensor) query.set("tensor", place.tensor);
  if (place.cell && place.path !== null) query.set("path", String(place.path + 1));
  // a comma reads better than %2C in a link that people paste
  const cell = place.cell ? `cell=${place.cell.join(",")}${place.of ? `&of=${place.of}` : ""}` : "";
  return [query.toString(), cell].filter(Boolean).join("&");
}

/** @param {string} path */
function lessonIn(path) {
  const found = /^\/walk\/([^/]+)\/?$/.exec(path);
  return found ? decodeURIComponent(found[1]) : null;
}

/** @param {string|null} text @returns {number|null} */
function whole(text) {
  return text !== null && /^-?\d{1,15}$/.test(text) ? Number(text) : null;
}

/** @param {URLSearchParams} query @returns {Choice} */
function choiceIn(query) {
  const cell = cellIn(query.get("cell"));
  const of = OF.find((one) => one === query.get("of")) ?? null;
  if (!cell) return { cell, of: null, tensor: null, path: null };
  const path = whole(query.get("path"));
  return { cell, of, tensor: query.get("tensor") || null, path: path === null ? null : path - 1 };
}

/** @param {string|null} text @returns {number[]|null} none for a tensor without axes */
function cellIn(text) {
  if (text === "") return [];
  if (text === null || !/^\d+(,\d+)*$/.test(text)) return null;
  return text.split(",").map(Number);
}
