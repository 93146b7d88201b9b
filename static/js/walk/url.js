import { distanceFor, distanceIn, usualDistance } from "./boxes.js";
import { changesIn, changesText } from "./changes.js";
import { NOTHING } from "./pick.js";
import { plantIn, plantText } from "./plant.js";
import { ravel } from "../shared/tensor.js";
import { at, pathOf } from "../shared/address.js";
/** @typedef {import("./pick.js").Choice} Choice */
/**
 * What an address says: copy it and another browser shows the same.
 * @typedef {{lesson: string, seed: number|null, word: string, step: number, node: string|null, exact: boolean,
 *   predict: boolean, writeIt: boolean, view: string|null, projector: boolean,
 *   changes: import("./changes.js").Change[], delta: boolean, plant: import("./plant.js").Plant|null,
 *   distance: import("./boxes.js").Distance, run: string|null, example: number|null,
 *   sheet: "costs"|null} & Choice} Place
 *   `word`: one typed by the reader, which
 *   stands among the examples and is in focus; `delta`: heatmaps show what the changes have changed; `run`: the run of
 *   training that goes on from here, empty where none is begun; `example`: the one of the batch that is in focus;
 *   `sheet`: what lies over the walk
 */

const RUN = /^[\w-]{0,64}$/;
const OF = /** @type {const} */ (["value", "gradient", "contribution"]);

/** @param {URL} url @param {string} fallback lesson when the path names none @returns {Place} */
export function placeOf(url, fallback) {
  const query = url.searchParams;
  const step = Math.max(0, (whole(query.get("step")) ?? 1) - 1);
  return {
    lesson: lessonIn(pathOf(url)) ?? fallback,
    seed: whole(query.get("seed")),
    word: query.get("word") ?? "",
    step,
    node: query.get("node") || null,
    ...choiceIn(query),
    exact: query.get("exact") === "1",
    predict: query.get("predict") === "1",
    writeIt: query.get("write") === "1",
    view: query.get("view") || null,
    projector: query.get("p") === "1",
    changes: changesIn(query.get("changes")),
    plant: plantIn(query.get("plant")),
    delta: query.get("delta") === "1",
    distance: distanceIn(query.get("graph")) ?? usualDistance(step),
    run: RUN.exec(query.get("run") ?? "?")?.[0] ?? null,
    example: whole(query.get("example")),
    sheet: query.get("sheet") === "costs" ? "costs" : null,
  };
}

/** @param {Place} place @returns {string} path and query; what is usual is left out */
export function addressOf(place) {
  const text = queryOf(place);
  return at(`/walk/${encodeURIComponent(place.lesson)}${text ? `?${text}` : ""}`);
}

/** @param {Place} place @returns {string} everything but what is walked */
export function queryOf(place) {
  const query = new URLSearchParams();
  if (place.seed !== null) query.set("seed", String(place.seed));
  if (place.word) query.set("word", place.word);
  if (place.step > 0) query.set("step", String(place.step + 1));
  if (place.distance && place.distance !== usualDistance(place.step)) query.set("graph", place.distance);
  if (place.node) query.set("node", place.node);
  if (place.exact) query.set("exact", "1");
  if (place.predict) query.set("predict", "1");
  if (place.writeIt) query.set("write", "1");
  if (place.view) query.set("view", place.view);
  if (place.projector) query.set("p", "1");
  if (place.run !== null) query.set("run", place.run);
  if (place.example !== null) query.set("example", String(place.example));
  if (place.sheet) query.set("sheet", place.sheet);
  if (place.plant) query.set("plant", plantText(place.plant));
  if (place.delta && place.changes.length) query.set("delta", "1");
  if (place.cell && place.tensor) query.set("tensor", place.tensor);
  if (place.cell && place.path !== null) query.set("path", String(place.path + 1));
  // a comma reads better than %2C in a link that people paste
  const cell = place.cell ? `cell=${place.cell.join(",")}${place.of ? `&of=${place.of}` : ""}` : "";
  const changes = place.changes.length ? `changes=${changesText(place.changes)}` : "";
  return [query.toString(), cell, changes].filter(Boolean).join("&");
}

const VIEWS = ["equation", "jacobian", "derivation", "order", "threeways", "saturation", "throughtime"];

/**
 * A place as far as a walk has it: what it has not (a step beyond the last, a cell outside) is what is shown instead,
 * so that the address can be put right.
 * @template {Place} P @param {import("./walk.js").Walk} walk @param {P} place @returns {P}
 */
export function placeIn(walk, place) {
  const step = walk.clamp(place.step);
  const node = place.node !== null && walk.nodes.has(place.node) ? place.node : null;
  const tensor = walk.nodes.get(place.tensor ?? node ?? walk.steps[step].node);
  const here = place.cell !== null && tensor !== undefined && ravel(tensor.shape, place.cell) >= 0;
  const view = VIEWS.includes((place.view ?? "").split(".")[0]) ? place.view : null;
  const distance = distanceFor(walk.document, { ...place, step });
  const example = place.example !== null && walk.examples > place.example && place.example >= 0 ? place.example : null;
  return { ...place, step, node, view, distance, example, ...(here ? {} : NOTHING) };
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
