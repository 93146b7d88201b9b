import { counted } from "../shared/plural.js";
/** @typedef {import("./types.js").WalkDocument} WalkDocument */
/**
 * A mistake at a backward step, counted from 0: one of those that the server lists, or a line of one's own.
 * @typedef {{step: number, mistake: string}|{step: number, code: string}} Plant
 */

const FORM = /^(\d{1,6})\.([a-z]+(?:-[a-z]+)*)$/;
const OWN = /^(\d{1,6})=([^]{1,2000})$/;

/**
 * @param {Plant} plant
 * @returns {string} as a link says it, such as `25.missing-sum` or `25=dx = dy`; steps count from 1 there
 */
export function plantText(plant) {
  return "code" in plant ? `${plant.step + 1}=${plant.code}` : `${plant.step + 1}.${plant.mistake}`;
}

/** @param {string|null} text @returns {Plant|null} none where the text is not one of `plantText` */
export function plantIn(text) {
  const [found, own] = [FORM.exec(text ?? ""), OWN.exec(text ?? "")];
  const step = Number((found ?? own)?.[1] ?? 0) - 1;
  if (step < 0) return null;
  return found ? { step, mistake: found[2] } : { step, code: own?.[2] ?? "" };
}

/** @param {string} request a JSON text, without changes yet @param {Plant|null} plant @returns {string} */
export function withPlant(request, plant) {
  return plant ? `${request.trimEnd().slice(0, -1)},"plant":${JSON.stringify(plant)}}` : request;
}

/**
 * @param {Plant} plant @param {string} tensor that a change cuts off its line
 * @returns {string} why the planted line is not there any more
 */
export function uprootedWords(plant, tensor) {
  const what = "code" in plant ? "Your own line" : "The mistake";
  const why = `\`${tensor}\` is given now, so that its line is cut and the steps are others.`;
  return `${what} at step ${plant.step + 1} is gone: ${why}`;
}

/**
 * @param {WalkDocument} sent one with a planted line @param {boolean} here whether its step is the one shown
 * @returns {string} which mistake it is and what comes of it, in Markdown
 */
export function plantedWords(sent, here) {
  const { planted } = sent;
  if (!planted) return "";
  const { label } = planted;
  const [place, target] = here ? ["", ""] : [` at step ${planted.step + 1}`, `\`${targetOf(planted.code)}\``];
  const head = label
    ? `**Wrong on purpose${place}:** ${label}${target && ` in ${target}`}.`
    : `**Your own line${place}**${target && ` for ${target}`}.`;
  return [head, here ? planted.outcome : "", countWords(sent)].filter(Boolean).join(" ");
}

/** @param {WalkDocument} sent @returns {string} how many gradients are wrong; empty where none is */
export function countWords({ planted, summary }) {
  if (!planted?.wrong.length) return "";
  const { wrong, lost } = planted;
  // the loss's own gradient is one of them where its line is the planted one
  const all = Math.max(summary.gradients, wrong.length);
  const words = `${wrong.length} of ${counted(all, "gradient")} ${wrong.length === 1 ? "is" : "are"} wrong`;
  if (!lost.length) return `${words}.`;
  return lost.length === wrong.length
    ? `${words}: ${lost.length === 1 ? "it" : "they"} can’t be computed any more.`
    : `${words}; ${lost.length} of them can’t be computed any more.`;
}

/** @param {string} code @returns {string} the gradient that a line makes */
export function targetOf(code) {
  return /(\w+)(?:\[[^]*?\])?\s*[-+*/]?=/.exec(lastStatement(code))?.[1] ?? code;
}

/** @param {string} code @returns {string} the last of its statements, which may be broken inside its brackets */
export function lastStatement(code) {
  return code.split(/\n(?=\w)/).at(-1) ?? "";
}
