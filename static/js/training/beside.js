import { plantIn, plantText } from "../walk/plant.js";
import { LINES, LOOPS, OPTIMISERS } from "./options.js";
import { USUAL_RATES, scheduleOf, setCommand } from "./settings.js";
/** @typedef {import("./settings.js").Fields} Fields */
/** @typedef {import("../walk/plant.js").Plant} Plant */

/** @param {Fields} fields @returns {string} which gradients the second run has where these are what differs */
const otherLines = ({ lines }) => Object.keys(LINES).find((one) => one !== lines) ?? lines;

/** @param {Fields} fields @returns {string} what those are called */
export const otherLinesWord = (fields) => LINES[otherLines(fields)];

/** @param {Fields} fields @returns {Fields|null} those of the second run; null without one */
export function besideFields(fields) {
  const { beside, besideOptimiser, besideRate } = fields;
  if (beside === "lines") return { ...fields, lines: otherLines(fields) };
  if (beside === "optimiser") return { ...fields, optimiser: besideOptimiser, lr: besideRate };
  return beside === "mistake" || beside === "loop" ? fields : null;
}

/** @param {Fields} fields @returns {Plant|null} what goes wrong on purpose in the second run */
export function besidePlant({ beside, besideStep, besideMistake }) {
  return beside === "mistake" && besideMistake ? { step: Number(besideStep), mistake: besideMistake } : null;
}

/** @param {Fields} fields @returns {object|null} what a request says of the second run; null without one */
export function besideRequest(fields) {
  const other = besideFields(fields);
  if (!other) return null;
  if (fields.beside === "mistake") return { plant: besidePlant(fields) };
  if (fields.beside === "loop") return { loop: fields.besideLoop };
  if (fields.beside === "lines") return { lines: other.lines };
  return { optimiser: { name: other.optimiser }, schedule: scheduleOf(other) };
}

/** @param {Fields} fields @returns {object} what is changed of the runs under way */
export function changeCommand(fields) {
  const own = setCommand(fields);
  return fields.beside === "optimiser" ? { ...own, beside: setCommand(besideFields(fields) ?? fields) } : own;
}

/** @param {Fields} fields @returns {string[]} what each run is called; of a single one that is nothing */
export function runNames(fields) {
  const other = besideFields(fields);
  if (!other) return [""];
  if (fields.beside === "lines") return [fields, other].map(({ lines }) => LINES[lines]);
  if (fields.beside === "mistake") return ["right gradients", "with the mistake"];
  if (fields.beside === "loop") return ["right loop", "with the mistake"];
  const same = fields.optimiser === other.optimiser;
  return [fields, other].map(({ optimiser, lr }) => (same ? `rate ${lr}` : OPTIMISERS[optimiser].title));
}

/** @param {Fields} fields @returns {string} for an address: `autograd`, `adam@0.001`, `25.missing-sum`, … */
export function besideText(fields) {
  const plant = besidePlant(fields);
  if (plant) return plantText(plant);
  if (fields.beside === "lines") return otherLines(fields);
  if (fields.beside === "loop") return fields.besideLoop;
  return fields.beside === "optimiser" ? `${fields.besideOptimiser}@${fields.besideRate}` : "";
}

/** @param {string} text of an address @returns {Partial<Fields>} empty where it says nothing that is known */
export function besideIn(text) {
  const plant = plantIn(text);
  if (plant && "mistake" in plant)
    return { beside: "mistake", besideStep: String(plant.step), besideMistake: plant.mistake };
  if (Object.hasOwn(LINES, text)) return { beside: "lines" };
  if (Object.hasOwn(LOOPS, text)) return { beside: "loop", besideLoop: text };
  const [name, rate] = text.split("@");
  if (!Object.hasOwn(OPTIMISERS, name)) return {};
  return { beside: "optimiser", besideOptimiser: name, besideRate: rate || USUAL_RATES[name] };
}
