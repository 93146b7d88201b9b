/** @typedef {{line: number, column: number, end_column: number, text: string}} Where from 1, in characters as Python */
/** @typedef {{text: string, marked: boolean}} Piece */

/**
 * A text in pieces, so that the characters a diagnosis speaks of can be marked.
 * @param {string} text @param {Where|null} where
 * @returns {Piece[][]} for each line its pieces; an error behind the last character is shown under that one
 */
export function marked(text, where) {
  return text.split("\n").map((line, i) => {
    if (!where || where.line !== i + 1) return [{ text: line, marked: false }];
    const letters = [...line];
    const last = Math.max(0, line.trimEnd().length ? [...line.trimEnd()].length - 1 : 0);
    const from = Math.min(where.column - 1, last);
    const to = Math.max(from + 1, Math.min(letters.length, where.end_column - 1));
    const pieces = [
      { text: letters.slice(0, from).join(""), marked: false },
      { text: letters.slice(from, to).join(""), marked: true },
      { text: letters.slice(to).join(""), marked: false },
    ];
    return pieces.filter((piece) => piece.text);
  });
}
