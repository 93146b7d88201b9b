const BLANK = /«(\w+):((?:[^»\\]|\\.)*)»/g;

/**
 * The text of a notebook, each blank filled: by the reader's line, or the right one that stands in it.
 * @param {string} text @param {Readonly<Record<string, string>>} lines by piece @returns {string}
 */
export function filledIn(text, lines) {
  return text.replace(BLANK, (_, piece, right) => (piece in lines ? JSON.stringify(lines[piece]).slice(1, -1) : right));
}
