const KEY = /^#[\da-f]{32}$/;

/** @returns {string} the name of the class in this page's address; empty before there is one */
export function nameInPath() {
  return /^\/class\/([\da-f]+)/.exec(location.pathname)?.[1] ?? "";
}

/** @returns {string} the key that came with the link, which is in the address no longer */
export function keyOf() {
  if (!KEY.test(location.hash)) return "";
  const key = location.hash.slice(1);
  history.replaceState(null, "", location.pathname);
  return key;
}
