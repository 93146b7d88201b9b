import { LINES, LOOPS, OPTIMISERS, SCHEDULES } from "./options.js";
/** What a person may set before and during a run, as the fields of the form hold it: all of it text. */
/**
 * @typedef {{steps: string, data: string, batch: string, hidden: string, lines: string, seed: string,
 *   optimiser: string, lr: string, schedule: string, factor: string, every: string, warmup: string, clip: string,
 *   limit: string, beside: string, besideOptimiser: string, besideRate: string, besideStep: string,
 *   besideMistake: string, besideLoop: string}} Fields
 */
/** @typedef {{field: keyof Fields, message: string}} Mistake */

/** The learning rate that each optimiser usually begins with, so that choosing one gives a run that learns. */
export const USUAL_RATES = Object.fromEntries(
  Object.entries(OPTIMISERS).map(([name, { rate }]) => [name, String(rate)]),
);
/** Field → its name in a sentence, the least and the largest value, and whether it must be whole. */
const BOUNDS = /** @type {Record<string, [string, number, number, boolean]>} */ ({
  steps: ["The number of steps", 1, 10_000_000, true],
  batch: ["The batch", 2, 1024, true],
  hidden: ["The hidden layer", 1, 1024, true],
  seed: ["The seed", 0, 2 ** 53 - 1, true],
  lr: ["The learning rate", 0, Infinity, false],
  factor: ["The factor", 0, Infinity, false],
  every: ["The number of steps between two decays", 1, 10_000_000, true],
  warmup: ["The warm-up", 0, 10_000_000, true],
  limit: ["The limit", 1e-12, Infinity, false],
  besideRate: ["The second run’s learning rate", 0, Infinity, false],
});
/** What each list of the form has to choose from; the first is the usual one. */
const CHOICES = /** @type {Record<string, string[]>} */ ({
  data: ["own", "names", "digits"],
  lines: Object.keys(LINES),
  optimiser: Object.keys(OPTIMISERS),
  schedule: Object.keys(SCHEDULES),
  clip: ["none", "norm", "loss"],
});

/**
 * @param {boolean} drawn whether it is the lesson that draws names at sizes of its own
 * @param {string} [data] what the program is usually trained on
 * @returns {Fields} the usual ones
 */
export function usualFields(drawn, data = drawn ? "names" : "own") {
  return {
    steps: drawn ? "200000" : "2000",
    data,
    batch: "32",
    hidden: "200",
    lines: Object.keys(LINES)[0],
    seed: "",
    optimiser: "sgd",
    lr: USUAL_RATES.sgd,
    schedule: drawn ? "step" : "constant",
    factor: "0.1",
    every: "100000",
    warmup: "100",
    clip: "none",
    limit: "1",
    beside: "none",
    besideOptimiser: "adam",
    besideRate: USUAL_RATES.adam,
    besideStep: "",
    besideMistake: "",
    besideLoop: Object.keys(LOOPS)[0],
  };
}

/**
 * @param {Fields} fields @param {boolean} drawn @param {string} [data] as for the usual ones
 * @returns {Record<string, string>} those that an address must say
 */
export function unusual(fields, drawn, data) {
  const usual = usualFields(drawn, data);
  const said = fieldsInUse(fields, drawn).filter((name) => !name.startsWith("beside") && fields[name] !== usual[name]);
  return Object.fromEntries(said.map((name) => [name, fields[name]]));
}

/** @param {Fields} fields @param {Record<string, string>} said by an address @returns {Fields} with what is known */
export function withSaid(fields, said) {
  const known = Object.entries(said).filter(([name, value]) =>
    Object.hasOwn(CHOICES, name) ? CHOICES[name].includes(value) : Object.hasOwn(BOUNDS, name),
  );
  return { ...fields, ...Object.fromEntries(known) };
}

/** @param {Fields} fields @param {boolean} drawn @returns {(keyof Fields)[]} those that mean something now */
export function fieldsInUse({ data, schedule, clip, beside }, drawn) {
  const sets = /** @type {(keyof Fields)[]} */ (data === "own" ? ["data"] : ["data", "batch", "seed"]);
  const sizes = /** @type {(keyof Fields)[]} */ (drawn ? ["batch", "hidden", "seed"] : sets);
  const limit = /** @type {(keyof Fields)[]} */ (clip === "none" ? [] : ["limit"]);
  const second = /** @type {Record<string, (keyof Fields)[]>} */ ({
    optimiser: ["besideOptimiser", "besideRate"],
    mistake: ["besideStep", "besideMistake"],
    loop: ["besideLoop"],
  });
  const always = /** @type {(keyof Fields)[]} */ (["lines", "optimiser", "lr", "schedule"]);
  return ["steps", ...sizes, ...always, ...ownFields(schedule), "clip", ...limit, "beside", ...(second[beside] ?? [])];
}

/** @param {string} schedule @returns {(keyof Fields)[]} the numbers that it alone has a field for */
function ownFields(schedule) {
  const own = /** @type {(keyof Fields)[]} */ (SCHEDULES[schedule].settings);
  return own.filter((name) => name !== "lr" && Object.hasOwn(BOUNDS, name));
}

/** @param {Fields} fields @param {boolean} drawn @returns {Mistake|null} the first that can't be trained with */
export function mistakeIn(fields, drawn) {
  for (const field of fieldsInUse(fields, drawn)) {
    const bounds = BOUNDS[field];
    const text = fields[field].trim();
    if (!bounds || (field === "seed" && text === "")) continue;
    const [name, least, most, whole] = bounds;
    const value = Number(text);
    const range = Number.isFinite(most)
      ? `from ${least} to ${most.toLocaleString("en")}`
      : least
        ? "above 0"
        : "0 or more";
    if (text === "" || !Number.isFinite(value) || value < least || value > most || (whole && !Number.isInteger(value)))
      return { field, message: `${name} must be a ${whole ? "whole " : ""}number ${range}.` };
  }
  return mistakeBeside(fields);
}

/** What a mistake of the loop may need, as a sentence says it: by the value, or by the setting. */
const NEEDED = /** @type {Record<string, string>} */ ({
  none: "nothing to be clipped",
  clip: "the gradient norm to be clipped",
  optimiser: "its own optimiser",
  schedule: "the rate to decay step by step",
});

/** @param {Fields} fields @returns {Mistake|null} a second run that is the first once more, or can't be */
function mistakeBeside(fields) {
  const { beside, optimiser, lr, besideOptimiser, besideRate, besideMistake, besideLoop } = fields;
  if (beside === "optimiser" && besideOptimiser === optimiser && Number(besideRate) === Number(lr))
    return { field: "besideRate", message: "Both runs would be the same: choose another optimiser or another rate." };
  if (beside === "mistake" && !besideMistake)
    return { field: "besideMistake", message: "Choose the line that goes wrong, and its mistake." };
  const lacking = beside === "loop" && lackingIn(fields);
  if (lacking) {
    const { title, needs } = LOOPS[besideLoop];
    return { field: lacking, message: `“${title}” needs ${NEEDED[needs[lacking]] ?? NEEDED[lacking]}.` };
  }
  return null;
}

/** @param {Fields} fields @returns {keyof Fields|undefined} what the chosen mistake of the loop needs otherwise */
function lackingIn(fields) {
  const needed = /** @type {[keyof Fields, string][]} */ (Object.entries(LOOPS[fields.besideLoop].needs));
  return needed.find(([name, value]) => fields[name] !== value)?.[0];
}

/** @param {Fields} fields */
export function scheduleOf(fields) {
  const { schedule, lr, steps } = fields;
  const own = ownFields(schedule).map((name) => [name, Number(fields[name])]);
  const total = SCHEDULES[schedule].settings.includes("total") ? { total: Number(steps) } : {};
  return { name: schedule, lr: Number(lr), ...Object.fromEntries(own), ...total };
}

/** @param {Fields} fields */
function clipOf({ clip, limit }) {
  return clip === "none" ? null : { by: clip, limit: Number(limit) };
}

/**
 * @param {string} walk a walk request as JSON; its numbers stay as they are written @param {Fields} fields
 * @param {boolean} drawn @param {boolean} paused whether it waits for its first step
 * @param {object|null} [beside] what is said of a second run @returns {string} the body that begins a run
 */
export function runRequest(walk, fields, drawn, paused, beside = null) {
  const clip = clipOf(fields);
  const rest = JSON.stringify({
    steps: Number(fields.steps),
    ...(fields.data !== "own" && fields.seed.trim() ? { seed: Number(fields.seed) } : {}),
    ...(fields.data === "own" ? {} : { batch: Number(fields.batch) }),
    ...(drawn ? { sizes: { hidden: Number(fields.hidden) } } : { data: fields.data }),
    optimiser: { name: fields.optimiser },
    schedule: scheduleOf(fields),
    ...(clip ? { clip } : {}),
    lines: fields.lines,
    ...(beside ? { beside } : {}),
    paused,
  });
  return `{"walk":${walk},${rest.slice(1)}`;
}

/** @param {Fields} fields @returns {object} what is changed of a run under way */
export function setCommand(fields) {
  const clip = clipOf(fields);
  return { schedule: scheduleOf(fields), ...(clip ? { clip } : { unclipped: true }) };
}

/**
 * @param {Fields} fields
 * @param {import("../run/types.js").Settings & Partial<import("../run/types.js").Start>} told by a run
 * @returns {Fields} as the run has it
 */
export function fieldsOf(fields, told) {
  const { name, lr, factor, every, warmup } = told.schedule;
  const text = (/** @type {number|undefined} */ value, /** @type {string} */ otherwise) =>
    value === undefined ? otherwise : String(value);
  return {
    ...fields,
    steps: text(told.steps, fields.steps),
    seed: text(told.seed, fields.seed),
    lines: told.lines ?? fields.lines,
    data: told.data?.name ?? fields.data,
    batch: text(told.data?.batch || undefined, fields.batch),
    hidden: text(told.parameters?.W2?.[0], fields.hidden),
    optimiser: told.optimiser.name,
    schedule: Object.keys(SCHEDULES).find((one) => SCHEDULES[one].told === name) ?? name,
    lr: text(lr, fields.lr),
    factor: text(factor, fields.factor),
    every: text(every, fields.every),
    warmup: text(warmup, fields.warmup),
    clip: told.clip?.by ?? "none",
    limit: text(told.clip?.limit, fields.limit),
  };
}
