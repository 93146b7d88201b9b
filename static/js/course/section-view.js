/** @typedef {import("../figures/block.js").Block} Block */
/** @typedef {import("../figures/block.js").Choice} Choice */

/** @param {HTMLElement} section of the page @returns {Block} what it says that it is */
export function blockOf(section) {
  const { kind = "", program = "", props = "{}", argument = "", asks = "" } = section.dataset;
  return { id: section.id, kind, argument, program, props: JSON.parse(props), choices: choicesOf(section), asks };
}

/** @param {HTMLElement} section @returns {Choice[]} the answers that stand there to be read */
function choicesOf(section) {
  return [...section.querySelectorAll(":scope > .offered > li")].map((item) => {
    const [answer, why] = [".answer", ".why"].map((part) => [...(item.querySelector(part)?.childNodes ?? [])]);
    const { right, shape, axes, keepdim } = /** @type {HTMLElement} */ (item).dataset;
    const text = answer.map((node) => node.textContent).join("");
    const listed = (/** @type {string|undefined} */ given) => (given ? JSON.parse(given) : null);
    return {
      text,
      answer,
      why,
      right: right !== undefined,
      shape: listed(shape),
      axes: listed(axes),
      keepdim: keepdim === "true",
    };
  });
}

/** @param {HTMLElement} section @returns {HTMLElement} where its figure is drawn */
export function stageOf(section) {
  return /** @type {HTMLElement} */ (section.querySelector(":scope > .stage"));
}

/** @param {string} id @returns {any} what the page carries as JSON */
export function dataIn(id) {
  return JSON.parse(document.getElementById(id)?.textContent ?? "null");
}
