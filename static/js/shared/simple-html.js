/** A piece of text, and what marks it. @typedef {{mark: "plain"|"code"|"strong"|"em", text: string}} Run */

const ENTITIES = /** @type {Record<string, string>} */ ({
  lt: "<",
  gt: ">",
  amp: "&",
  quot: '"',
  "#34": '"',
  "#39": "'",
});
const MARKS = /** @type {const} */ (["code", "strong", "em"]);

/**
 * The sentences that the server sends as HTML, as runs of text: code, bold and emphasis are kept, and of every other
 * element its text alone.
 * @param {string} html @returns {Run[]}
 */
export function runsOfHtml(html) {
  /** @type {Run[]} */
  const runs = [];
  /** @type {string[]} */
  const open = [];
  for (const piece of html.split(/(<\/?[a-zA-Z][^<>]*>)/)) {
    const [, end, tag] = /^<(\/?)([a-zA-Z]+)[^<>]*>$/.exec(piece) ?? [];
    const mark = MARKS.find((one) => one === tag?.toLowerCase());
    if (tag !== undefined) {
      if (mark && end) open.splice(open.lastIndexOf(mark), open.includes(mark) ? 1 : 0);
      else if (mark) open.push(mark);
      continue;
    }
    const text = piece.replace(/&(#?\w+);/g, (whole, name) => ENTITIES[name] ?? whole);
    const [innermost] = /** @type {Run["mark"][]} */ (open.slice(-1));
    if (text) runs.push({ mark: innermost ?? "plain", text });
  }
  return runs;
}
