/** The modules of a bundle: each runs once, when another first asks for it. */
/** @type {Map<string, () => any>} */
const written = new Map();
/** @type {Map<string, any>} */
const running = new Map();

/** @param {string} path @param {() => object} run gives what the module exports */
export function define(path, run) {
  written.set(path, run);
}

/** @param {string} path @returns {any} what that module exports */
export function load(path) {
  if (!running.has(path)) running.set(path, /** @type {() => any} */ (written.get(path))());
  return running.get(path);
}

/** Runs those of the page's own modules that have arrived. */
export function start() {
  for (const path of document.documentElement.dataset.start?.split(" ") ?? []) if (written.has(path)) load(path);
}
