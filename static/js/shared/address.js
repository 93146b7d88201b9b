/**
 * Where the pages stand: at the root of a server of their own, in a folder somewhere below, where each is a folder with
 * a slash at its end, or alone in one file. `early.js` knows, before anything else runs.
 */
const site = /** @type {{gradwalkRoot?: string, gradwalkFile?: string}} */ (globalThis);
const { gradwalkRoot: root = null, gradwalkFile: file = null } = site;

/** One page says for every lesson what only a server can do. */
const COMPUTED = /^(\/(?:practise|train))\/(?!drills).*/;

/** Whether a page is alone in its file: there is no other to go to, and nothing to fetch. */
export const isAlone = file !== null;

/** Whether the pages were recorded, with no server behind them that computes. */
export const isRecorded = root !== null || isAlone;

/** @param {string} path of a page, as on a server: "/walk/batchnorm?step=3" @returns {string} what opens it */
export function at(path) {
  if (!isRecorded || !path.startsWith("/")) return path;
  const [, page, rest] = /** @type {RegExpExecArray} */ (/^([^?#]*)(.*)$/.exec(path));
  const there = page.replace(COMPUTED, "$1");
  return isAlone ? `${file}${rest}` : `${root}${there.endsWith("/") ? there : `${there}/`}${rest}`;
}

/** @param {string} path of a file in the folder @returns {string} */
export function fileAt(path) {
  return `${root ?? ""}${path}`;
}

/** @param {URL|Location} url @returns {string} the path as on a server of its own; "" for what is alone */
export function pathOf({ pathname }) {
  if (isAlone) return "";
  if (root === null) return pathname;
  return pathname.slice(root.length).replace(/(?<=.)\/(?:index\.html)?$/, "") || "/";
}
