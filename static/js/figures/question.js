/** @typedef {import("./drawing.js").Deed} Deed */

/** @param {Deed} deed @param {string} given @param {boolean} right @returns {Deed} after one more answer */
export function answered(deed, given, right) {
  if (deed.outcome) return deed;
  if (right) return { ...deed, outcome: "right", given };
  return { ...deed, given, tries: deed.tries.includes(given) ? deed.tries : [...deed.tries, given] };
}

/** @param {Deed} deed @param {string} answer @returns {Deed} once the answer was asked for */
export function revealed(deed, answer) {
  return deed.outcome ? deed : { ...deed, outcome: "shown", given: answer };
}

/** @param {Deed} deed @returns {string} how it came out, in few words */
export function outcomeWords({ outcome, tries }) {
  if (outcome === "shown") return "Shown.";
  if (outcome === "") return tries.length ? "Not yet." : "";
  return tries.length ? `Right, at try ${tries.length + 1}.` : "Right at the first try.";
}
