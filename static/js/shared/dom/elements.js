/** @typedef {Node|string|null|undefined} Child */

/**
 * A new element; `class`, `style` and the rest of `props` become attributes, children text or nodes.
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag @param {Record<string, string|number|boolean|null>} [props] @param {...Child} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function el(tag, props = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(props)) {
    if (value !== null && value !== false) element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

/** @param {string} tag @param {Record<string, string|number>} props @param {...Child} children @returns {SVGElement} */
export function svg(tag, props, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(props)) element.setAttribute(name, String(value));
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

/** @param {string} id @returns {HTMLElement} @throws if the template and the code disagree */
export function byId(id) {
  const element = document.getElementById(id);
  if (!element) throw new Error(`the template has no #${id}`);
  return element;
}

/** All elements like that. @param {string} selector @returns {HTMLElement[]} */
export function all(selector) {
  return [...document.querySelectorAll(selector)].map((element) => /** @type {HTMLElement} */ (element));
}

/** @param {string} name a symbol of parts/icons.html @returns {SVGElement} */
export function icon(name) {
  return svg("svg", { "aria-hidden": "true" }, svg("use", { href: `#i-${name}` }));
}

/**
 * Collects what must be undone when a view leaves.
 * @returns {{on: (target: EventTarget, type: string, handler: (event: any) => void, capture?: boolean) => void,
 *   add: (undo: () => void) => void, part: <Part extends {unmount: () => void}>(part: Part) => Part, run: () => void}}
 *   `part`: something mounted that leaves together with this
 */
export function cleanups() {
  /** @type {(() => void)[]} */
  const undo = [];
  return {
    on(target, type, handler, capture = false) {
      target.addEventListener(type, handler, capture);
      undo.push(() => target.removeEventListener(type, handler, capture));
    },
    add: (task) => undo.push(task),
    part(part) {
      undo.push(() => part.unmount());
      return part;
    },
    run: () =>
      undo
        .splice(0)
        .reverse()
        .forEach((task) => task()),
  };
}

/** @returns {boolean} whether this person asked for less motion */
export function reducedMotion() {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}
