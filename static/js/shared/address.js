/**
 * Where the pages stand: at the root of a server of their own, or in a folder somewhere below, where each is a folder
 * with a slash at its end. `early.js` knows, before anything else runs.
 */
const root = /** @type {{gradwalkRoot?: string}} */ (globalThis).gradwalkRoot ?? null;

/** Whether the pages were recorded into a folder, with no server behind them that computes. */
export const inFolder = root !== null;

/** @param {string} path of a page, as on a server: "/walk/batchnorm?step=3" @returns {string} what opens it */
export function at(path) {
  if (root === null || !path.startsWith("/")) return path;
  const [, page, rest] = /** @type {RegExpExecArray} */ (/^([^?#]*)(.*)$/.exec(path));
  return `${root}${page.endsWith("/") ? page : `${page}/`}${rest}`;
}

/** @param {string} path of a file in the folder @returns {string} */
export function fileAt(path) {
  return `${root ?? ""}${path}`;
}

/** @param {URL|Location} url @returns {string} the path as on a server of its own */
export function pathOf({ pathname }) {
  if (root === null) return pathname;
  return pathname.slice(root.length).replace(/(?<=.)\/(?:index\.html)?$/, "") || "/";
}
