/** @param {string} name of a class @param {string} rest @returns {string} */
export function classPath(name, rest = "") {
  return `/api/class/${encodeURIComponent(name)}${rest}`;
}
