/**
 * An answer that a reader wrote, in pages that are a recording: what nobody recorded is judged as far as a page can.
 * @typedef {{answer?: string, block?: string, target?: string, show?: boolean, hints?: number}} Asked
 */

const RUN = "gradwalk itself runs it: `make run`.";
const CLOSE = 0.005; // of a number that is shown in three digits
const RAISED = "⁰¹²³⁴⁵⁶⁷⁸⁹⁻";

/** @param {Asked} asked @returns {Asked|null} what was recorded of the same question: its answer, or its hints */
export function insteadOf({ answer, ...asked }) {
  if (answer === undefined) return null;
  return asked.target === undefined ? { block: asked.block, show: true } : { ...asked, answer: "" };
}

/** @param {Asked} asked @param {any} known of the same question @returns {object} a reply of the interface */
export function judged({ answer = "", target, hints = 0 }, known) {
  if (target !== undefined) {
    const message = `This line is none of those that were recorded; ${RUN}`;
    return { ...known, diagnosis: { ...known.diagnosis, message }, hints: known.hints.slice(0, hints) };
  }
  const right = agree(answer, textOf(known.answer));
  if (right) return { right, message: known.message, answer: "", tape: [] };
  const told = `This answer is none of those that were recorded; ${RUN}`;
  return { right: false, message: right === null ? told : "That isn’t it.", answer: "", tape: [] };
}

/** @param {string} html @returns {string} */
function textOf(html) {
  return html.replace(/<[^>]+>/g, "");
}

/** @param {string} given @param {string} shown @returns {boolean|null} null where an expression is asked for */
export function agree(given, shown) {
  if (/^\([\d, ]*\)$/.test(shown)) return sizesIn(given) === sizesIn(shown);
  const wanted = numberOf(shown);
  if (wanted === null) return null;
  const found = numberOf(given);
  return found !== null && Math.abs(found - wanted) <= CLOSE * Math.abs(wanted);
}

/** @param {string} text */
function sizesIn(text) {
  return (text.match(/\d+/g) ?? []).join();
}

/** @param {string} text "−0.0313", "2.7·10⁻⁵", "1/32" @returns {number|null} */
function numberOf(text) {
  const [, plain, raised = ""] = /^(.*?)(?:·10([⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+))?$/.exec(text.trim()) ?? ["", ""];
  const power = Number([...raised].map((sign) => "0123456789-"[RAISED.indexOf(sign)]).join(""));
  const [above, below = "1", ...more] = plain.replaceAll("−", "-").split("/");
  if (more.length || !above.trim() || !below.trim()) return null;
  const value = (Number(above) / Number(below)) * 10 ** power;
  return Number.isFinite(value) ? value : null;
}
