/** What a mistake is called in a summary, by its code. */
const KINDS = /** @type {Record<string, string>} */ ({
  syntax: "not a line of the language",
  "unknown-name": "unknown name",
  "not-allowed": "not allowed",
  "missing-sum": "sum missing",
  "wrong-axis": "wrong axis",
  keepdim: "keepdim",
  transposed: "transposed",
  shape: "wrong shape",
  sign: "sign",
  scale: "factor",
  bessel: "n or n−1",
  "missing-upstream": "upstream gradient missing",
  "missing-local": "local derivative missing",
  "missing-path": "path missing",
  "overwritten-path": "= in place of +=",
  "wrong-tensor": "wrong tensor",
  "hard-coded": "hard-coded number",
  aliasing: "another gradient changed",
  "forward-value": "value in place of gradient",
  "close-but-unstable": "not stable",
});

/** @param {string} code @returns {string} */
export function kindText(code) {
  return KINDS[code] ?? "something else";
}

/** @param {string[]} codes @returns {{kind: string, count: number}[]} the most frequent first */
export function countKinds(codes) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const code of codes) counts.set(kindText(code), (counts.get(kindText(code)) ?? 0) + 1);
  return [...counts].map(([kind, count]) => ({ kind, count })).sort((a, b) => b.count - a.count);
}
