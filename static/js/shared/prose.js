/** @typedef {{mark: "plain"|"code"|"strong"|"page", text: string}} Run */

/**
 * The two marks the server writes, `code` and **bold**, as runs of text; code inside bold stays code.
 * The reference's address is a run of its own.
 * @param {string} text @returns {Run[]}
 */
export function runsOf(text) {
  return text
    .split(/(`[^`]+`|\*\*(?:`[^`]+`|[^`*])+\*\*|\/reference(?:#\w+)?)/)
    .filter(Boolean)
    .flatMap((piece) =>
      piece.startsWith("**") && piece.length > 4 ? boldRuns(piece.slice(2, -2)) : [plainRun(piece)],
    );
}

/** @param {string} piece @returns {Run} */
function plainRun(piece) {
  if (piece.startsWith("/reference")) return { mark: "page", text: piece };
  return piece.length > 2 && piece.startsWith("`") && piece.endsWith("`")
    ? { mark: "code", text: piece.slice(1, -1) }
    : { mark: "plain", text: piece };
}

/** @param {string} inner @returns {Run[]} */
function boldRuns(inner) {
  return inner
    .split(/(`[^`]+`)/)
    .filter(Boolean)
    .map((piece) => (piece.startsWith("`") ? plainRun(piece) : { mark: "strong", text: piece }));
}

/** @param {string} text @returns {string} without the marks, for a voice */
export function spoken(text) {
  return runsOf(text)
    .map((run) => run.text)
    .join("");
}

/**
 * @param {string} text
 * @returns {string} the first sentence, marks kept; a full stop inside code or a number does not end it
 */
export function firstSentence(text) {
  let code = false;
  for (let i = 0; i < text.length; i += 1) {
    if (text[i] === "`") code = !code;
    if (!code && ".!?".includes(text[i]) && /^(\*\*)?(\s|$)/.test(text.slice(i + 1))) {
      const end = text.startsWith("**", i + 1) ? i + 3 : i + 1;
      return text.slice(0, end);
    }
  }
  return text;
}
