/** @typedef {import("../walk/walk.js").Walk} Walk */

/**
 * A step of a run has a minibatch of its own. A reader who goes on from a walk looks at the same examples all the way.
 * @param {string} request the JSON of a step's walk @param {string} own that of the walk it began from
 * @param {string[]} names of the inputs that are no parameters
 * @returns {string} the step's numbers as they are written, on the walk's own inputs
 */
export function onOwnInputs(request, own, names) {
  return names.reduce((text, name) => {
    const entry = entryOf(name);
    const mine = entry.exec(own)?.[0];
    return mine ? text.replace(entry, () => mine) : text;
  }, request);
}

/** @param {string} name @returns {RegExp} a tensor in a request: no brace stands among its values */
const entryOf = (name) => new RegExp(`"${name}":\\{"role":"[a-z]+"[^}]*\\}`);

/** @param {Walk} walk @returns {string[]} the inputs that are no parameters */
export function inputsOf(walk) {
  const given = ["data", "target", "constant"];
  return walk.document.nodes.filter(({ role }) => given.includes(role)).map(({ variable }) => variable);
}

/**
 * @param {Walk} walk @param {Record<string, number[]>} shapes of the parameters that a run trains
 * @returns {boolean} whether they are this walk's
 */
export function trains({ nodes }, shapes) {
  const found = Object.entries(shapes);
  return found.length > 0 && found.every(([name, shape]) => nodes.get(name)?.shape.join() === shape.join());
}
