/**
 * `forms` are the ways a word is written; `where` is the part of the page that it is explained in, everywhere for "".
 * @typedef {{term: string, id: string, forms: string[], where: string}} Entry
 * @typedef {{text: string, entry: Entry|null}} Piece
 */

/** The technical words of the page, found in its texts. */
export class Glossary {
  /** @param {Entry[]} entries */
  constructor(entries) {
    this.byForm = new Map(entries.flatMap((entry) => entry.forms.map((form) => [form.toLowerCase(), entry])));
    const forms = [...this.byForm.keys()].sort((a, b) => b.length - a.length).map(escaped);
    this.pattern = new RegExp(`(?<![\\w-])(?:${forms.join("|")})(?![\\w-])`, "gi");
  }

  /**
   * @param {string} text @param {(entry: Entry) => boolean} wanted whether it is to be explained here, asked once for
   *   each place in order
   * @returns {Piece[]|null} the text with each such word as a piece of its own; null where there is none
   */
  pieces(text, wanted) {
    /** @type {Piece[]} */
    const made = [];
    let from = 0;
    for (const found of text.matchAll(this.pattern)) {
      const entry = this.byForm.get(found[0].toLowerCase());
      if (!entry || !wanted(entry)) continue;
      if (found.index > from) made.push({ text: text.slice(from, found.index), entry: null });
      made.push({ text: found[0], entry });
      from = found.index + found[0].length;
    }
    if (!made.length) return null;
    if (from < text.length) made.push({ text: text.slice(from), entry: null });
    return made;
  }
}

/** @param {string} text */
function escaped(text) {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
