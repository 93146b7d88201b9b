/** @typedef {import("./types.js").Piece} Offer a piece that a walk has */
/** @typedef {import("../walk/frame.js").Frame} Frame */

/** Kind → what its button says. */
const TITLES = /** @type {Record<string, string>} */ ({
  derivation: "collapse",
  order: "search order",
  threeways: "three ways",
  saturation: "saturation",
  throughtime: "through time",
});

/** @param {Offer} offer @returns {string} */
export function titleOf(offer) {
  // one line can't collapse any further
  if (offer.kind === "derivation" && offer.steps.length === 1) return "derivation";
  return TITLES[offer.kind] ?? offer.kind;
}

/**
 * @param {string|null} view as the address has it, such as "derivation.3"
 * @returns {{kind: string, place?: number}} the place is counted from 1; without one a piece begins as it usually does
 */
export function placeOf(view) {
  const [kind, place] = (view ?? "").split(".");
  const number = Number.parseInt(place ?? "", 10);
  return number >= 1 ? { kind, place: number } : { kind };
}

/** @param {string} kind @param {number} place counted from 1 @returns {string} */
export function viewOf(kind, place) {
  return `${kind}.${place}`;
}

/** @param {string|null} view @returns {boolean} whether it names a piece */
export function isPiece(view) {
  return placeOf(view).kind in TITLES;
}

/**
 * @param {Offer[]|null} offers null while they are on their way @param {Frame} frame
 * @returns {Offer[]} those of the step shown, one of each kind
 */
export function offersAt(offers, frame) {
  if (!offers || frame.asking || frame.inspecting) return [];
  const here = offers.filter(({ steps }) => steps.includes(frame.step.index));
  return here.filter(({ kind }, at) => here.findIndex((one) => one.kind === kind) === at);
}

/**
 * The view after the one that is shown: the pieces of a step one after the other, then its picture again.
 * @param {Offer[]} here @param {string|null} view @returns {string|null}
 */
export function nextView(here, view) {
  const at = here.findIndex(({ kind }) => kind === placeOf(view).kind);
  return here[at + 1]?.kind ?? null;
}
