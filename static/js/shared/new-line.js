const INDENT = "    ";

/** @param {string} before the program up to the caret @returns {string} how far in a new line begins */
export function indentAfter(before) {
  const line = before.split("\n").pop() ?? "";
  return (/^\s*/.exec(line)?.[0] ?? "") + (/:\s*(?:#.*)?$/.test(line) ? INDENT : "");
}
