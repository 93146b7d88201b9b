import { packText, unpackText } from "../shared/packed.js";
/**
 * A step of a training run: how many were taken before it, and the request of its walk as it is written, numbers and
 * all. In an address it stands in the fragment, so that a link needs neither the run nor its server.
 * @typedef {{taken: number, request: string}} TrainedStep
 */

const MARK = "#w=";
const WHOLE = /^\d{1,15}$/;

/** @param {string} hash @returns {boolean} */
export function isTrained(hash) {
  return hash.startsWith(MARK);
}

/** @param {TrainedStep} step @returns {Promise<string>} the fragment */
export async function packStep({ taken, request }) {
  return MARK + (await packText(`${taken}\n${request}`));
}

/** @param {string} hash @returns {Promise<TrainedStep|null>} null for a link that was cut or changed on its way */
export async function unpackStep(hash) {
  try {
    const text = await unpackText(hash.slice(MARK.length));
    const end = text.indexOf("\n");
    const [taken, request] = [text.slice(0, end), text.slice(end + 1).trim()];
    const known = WHOLE.test(taken) && request.startsWith("{") && JSON.parse(request);
    return known ? { taken: Number(taken), request } : null;
  } catch {
    return null;
  }
}

/** @param {string} request @param {string} word that stands among its examples @returns {string} */
export function withWord(request, word) {
  return word ? `${request.slice(0, -1)},"word":${JSON.stringify(word)}}` : request;
}

/** @param {string} request @param {boolean} exact @returns {string} the request with this way of rounding */
export function withRounding(request, exact) {
  return exact ? `${request.slice(0, -1)},"exact":true}` : request;
}

/** @param {string} request @param {string} name of a lesson @returns {string} the same program, told by that lesson */
export function toldBy(request, name) {
  return `${request.slice(0, -1)},"copy_of":${JSON.stringify(name)}}`;
}
