import { counted } from "../shared/plural.js";
/** @typedef {import("./types.js").WalkDocument} WalkDocument */
/** @typedef {{step: number, mistake: string}} Plant a mistake at a backward step, counted from 0 */

const FORM = /^(\d{1,6})\.([a-z]+(?:-[a-z]+)*)$/;

/** @param {Plant} plant @returns {string} as a link says it, such as `25.missing-sum`; steps count from 1 there */
export function plantText({ step, mistake }) {
  return `${step + 1}.${mistake}`;
}

/** @param {string|null} text @returns {Plant|null} none where the text is not one of `plantText` */
export function plantIn(text) {
  const found = FORM.exec(text ?? "");
  return found && Number(found[1]) > 0 ? { step: Number(found[1]) - 1, mistake: found[2] } : null;
}

/** @param {string} request a JSON text, without changes yet @param {Plant|null} plant @returns {string} */
export function withPlant(request, plant) {
  return plant ? `${request.trimEnd().slice(0, -1)},"plant":${JSON.stringify(plant)}}` : request;
}

/**
 * @param {WalkDocument} sent one with a planted line @param {boolean} here whether its step is the one shown
 * @returns {string} which mistake it is and what comes of it, in Markdown
 */
export function plantedWords(sent, here) {
  const { planted } = sent;
  if (!planted) return "";
  const label = planted.label || "a line of your own";
  const what = here ? label : `${label} in \`${targetOf(planted.code)}\``;
  const head = `**Wrong on purpose${here ? "" : ` at step ${planted.step + 1}`}:** ${what}.`;
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
  return /(\w+)(?:\[.*?\])?\s*[-+*/]?=/.exec(code.split("\n").at(-1) ?? "")?.[1] ?? code;
}
