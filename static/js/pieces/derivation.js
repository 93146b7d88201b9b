import { capital } from "../shared/format.js";
import { counted } from "../shared/plural.js";
/** @typedef {import("./types.js").Derivation} Derivation */
/** @typedef {import("./types.js").GradientCheck} Check */

const TOKEN = /[A-Za-z_]\w*|\d+(?:\.\d+)?(?:e-?\d+)?|\*\*|\s+|./g;

/** @param {string} code @returns {string[]} */
function tokens(code) {
  return code.match(TOKEN) ?? [];
}

/**
 * A line with what is new in it marked: what a longest common subsequence with the line before leaves over.
 * @param {string} before @param {string} after @returns {{text: string, fresh: boolean}[]}
 */
export function freshRuns(before, after) {
  const [old, now] = [tokens(before), tokens(after)];
  const kept = common(old, now);
  /** @type {{text: string, fresh: boolean}[]} */
  const runs = [];
  now.forEach((text, at) => {
    const last = runs[runs.length - 1];
    const fresh = !kept.has(at) && (text.trim() !== "" || (last?.fresh ?? false));
    if (last && last.fresh === fresh) last.text += text;
    else runs.push({ text, fresh });
  });
  return runs;
}

/** @param {string[]} old @param {string[]} now @returns {Set<number>} the places of `now` that `old` has, too */
function common(old, now) {
  const length = old.map(() => new Uint16Array(now.length + 1)).concat(new Uint16Array(now.length + 1));
  for (let i = old.length - 1; i >= 0; i -= 1)
    for (let j = now.length - 1; j >= 0; j -= 1)
      length[i][j] = old[i] === now[j] ? length[i + 1][j + 1] + 1 : Math.max(length[i + 1][j], length[i][j + 1]);
  const kept = new Set();
  for (let i = 0, j = 0; i < old.length && j < now.length;) {
    if (old[i] === now[j]) {
      kept.add(j);
      i += 1;
      j += 1;
    } else if (length[i + 1][j] >= length[i][j + 1]) i += 1;
    else j += 1;
  }
  return kept;
}

/** @param {Derivation} made @returns {string} */
export function headline({ collapses, variable }) {
  if (collapses === 1) return `${variable} in one line: where it comes from`;
  return `${counted(collapses, "step")} to ${variable} collapse into one line`;
}

/** @param {Derivation} made @param {number} at counted from 0 @returns {string} what is spoken of a stage */
export function spokenStage(made, at) {
  const { stages, end } = made;
  const { text, before, autograd } = stages[at];
  const last = at === stages.length - 1;
  return [
    `Stage ${at + 1} of ${stages.length}.`,
    text,
    before
      ? `Against the stage before: ${verdict(before)}.`
      : `${capital(againstAutograd(made))}: ${verdict(autograd)}.`,
    last ? end : "",
  ]
    .filter(Boolean)
    .join(" ");
}

/** @param {Derivation} made @returns {string} what a stage is held against besides the one before */
export function againstAutograd({ added }) {
  return added.length ? "with the other path, against autograd" : "against autograd";
}

/** @param {Check} check */
function verdict({ level, words }) {
  return `${level}, ${words}`;
}
