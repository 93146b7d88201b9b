import { isPacked } from "../editor/link.js";
import { byId, cleanups } from "../shared/dom/elements.js";
import { recall } from "../shared/dom/remembered.js";
import { addressOf, placeOf, walkLink } from "../walk/side-by-side.js";
/** @typedef {import("../walk/side-by-side.js").Place} Place */

const OWN = "Your program";
const WRONG = "This is no link of a walk: paste one, or write a lesson’s name.";

/**
 * What stands on either side, where that is not said yet.
 * @param {HTMLElement} root the form @param {Place} place
 */
export function mountChoice(root, place) {
  const undo = cleanups();
  const form = /** @type {HTMLFormElement} */ (root);
  const fields = ["left", "right"].map((name) => /** @type {HTMLInputElement} */ (form.elements.namedItem(name)));
  const own = ownProgram();
  const titles = titlesOf(root, own);
  fields[0].value = titleOf(titles, place.left);
  fields[1].value = titleOf(titles, place.right);
  byId("own-program").hidden = !own;
  undo.on(byId("own-program"), "click", () => {
    const open = fields.find(({ value }) => !value) ?? fields[1];
    open.value = titleOf(titles, own);
    open.focus();
  });
  undo.on(form, "submit", (event) => {
    event.preventDefault();
    const links = fields.map(({ value }) => titles.get(value.trim()) ?? walkLink(value));
    fields.forEach((field, i) => field.toggleAttribute("aria-invalid", links[i] === null));
    const wrong = links.indexOf(null);
    byId("choice-says").textContent = wrong < 0 ? "" : WRONG;
    if (wrong >= 0) return fields[wrong].focus();
    const [left, right] = /** @type {string[]} */ (links);
    location.assign(addressOf({ left, right, moment: 0, projector: place.projector }));
  });
  lead();
  form.hidden = false;
  (fields.find(({ value }) => !value) ?? fields[0]).focus({ preventScroll: true });
  return { lead, unmount: undo.run };

  /** The pairs that are offered stay on the projector, too. */
  function lead() {
    for (const link of /** @type {NodeListOf<HTMLAnchorElement>} */ (root.querySelectorAll(".contrasts a")))
      link.href = addressOf({ ...placeOf(new URL(link.href)), projector: place.projector });
  }
}

/**
 * @param {HTMLElement} root @param {string} own the link of the program in Your code, if there is one
 * @returns {Map<string, string>} the walks that are offered by their titles, each with its link
 */
function titlesOf(root, own) {
  const offered = /** @type {NodeListOf<HTMLOptionElement>} */ (root.querySelectorAll("#walks option"));
  const lessons = [...offered].map(({ value, dataset }) => /** @type {const} */ ([value, dataset.link ?? ""]));
  return new Map([...lessons, ...(own ? [/** @type {const} */ ([OWN, own])] : [])]);
}

/** @param {Map<string, string>} titles @param {string} link @returns {string} its title; a link without one as it is */
function titleOf(titles, link) {
  return [...titles].find(([, one]) => one === link)?.[0] ?? link;
}

/** @returns {string} the link of the program in Your code; empty where there is none */
function ownProgram() {
  try {
    const { hash } = JSON.parse(recall("code") ?? "null");
    return typeof hash === "string" && isPacked(hash) ? `/code${hash}` : "";
  } catch {
    return "";
  }
}
