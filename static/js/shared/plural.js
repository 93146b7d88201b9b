const IRREGULAR = /** @type {Record<string, string>} */ ({ axis: "axes", index: "indices", vertex: "vertices" });

/** @param {string} noun @returns {string} its plural; an axis without a name counts cells */
export function many(noun) {
  if (isAxis(noun)) return `cells along ${noun}`;
  const irregular = Object.keys(IRREGULAR).find((one) => noun === one || noun.endsWith(` ${one}`));
  if (irregular) return noun.slice(0, -irregular.length) + IRREGULAR[irregular];
  if (/[^aeiou]y$/.test(noun)) return `${noun.slice(0, -1)}ies`;
  return /(s|x|z|ch|sh)$/.test(noun) ? `${noun}es` : `${noun}s`;
}

/** @param {number} count @param {string} noun @returns {string} "1 place", "2,048 places", "1 cell along axis 0" */
export function counted(count, noun) {
  const one = isAxis(noun) ? `cell along ${noun}` : noun;
  return `${count.toLocaleString("en")} ${count === 1 ? one : many(noun)}`;
}

/** @param {string} noun */
function isAxis(noun) {
  return /^axis \d+$/.test(noun);
}
