/**
 * How much of a text is a beginning that was there already: who pastes a whole line behind `dx = ` begins it twice.
 * @param {string} text @param {string} beginning such as "dx = "
 * @returns {number} characters from the front to be taken away; 0 where nothing stands twice
 */
export function doubled(text, beginning) {
  const name = /^\s*(\w+)/.exec(beginning)?.[1] ?? "";
  // what follows the second sign must be there, and be no sign itself: `dx == …` is being typed otherwise
  const twice = new RegExp(`^\\s*${name}\\s*[+-]?=\\s*(?=${name}\\s*[+-]?=[^=])`).exec(text);
  return name && twice ? twice[0].length : 0;
}
