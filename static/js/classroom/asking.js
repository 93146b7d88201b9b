import { withChanges } from "../walk/changes.js";
import { withPlant } from "../walk/plant.js";
import { placeOf } from "../walk/url.js";

/** What each kind of question calls its tensor. */
const FIELDS = { axis: "tensor", gradient: "target", shape: "tensor", number: "cell", drag: "cell" };

/**
 * What to ask about the walk that an address shows: of its steps the next one, which nobody has seen.
 * @param {import("./types.js").AskKind} kind @param {string} address @param {string} tensor or one of its numbers
 * @param {string} [until] what a number is dragged to, such as `loss = 0.5`
 * @returns {object|null} nothing where the address is no lesson's walk
 */
export function askAbout(kind, address, tensor, until = "") {
  const url = new URL(address, "http://here");
  if (!/^\/walk\/[^/]+$/.test(url.pathname)) return null;
  const place = placeOf(url, "");
  const { lesson, seed, word, exact } = place;
  const own = JSON.stringify({ lesson, ...(seed === null ? {} : { seed }), ...(word ? { word } : {}), exact });
  const walk = JSON.parse(withChanges(withPlant(own, place.plant), place.changes));
  if (kind === "choice") return { kind, walk, step: place.step + 1 };
  return { kind, walk, [FIELDS[kind]]: tensor, ...(kind === "drag" ? goalIn(until) : {}) };
}

/** @param {string} text @returns {{goal: string, value: number|null}} */
function goalIn(text) {
  const [goal, number = ""] = text.split("=");
  const value = parseFloat(number.trim().replace("−", "-").replace(",", "."));
  return { goal: goal.trim(), value: Number.isFinite(value) ? value : null };
}
