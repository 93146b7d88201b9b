import { el } from "../shared/dom/elements.js";
import { prose } from "../shared/prose-view.js";
import { drawDerivation } from "./derivation-view.js";
import { offersAt, placeOf, viewOf } from "./pieces.js";
/** @typedef {import("./pieces.js").Offer} Offer */
/** @typedef {import("../walk/frame.js").Frame} Frame */
/** @typedef {ReturnType<typeof import("./pieces-loader.js").makePiecesLoader>} Loader */
/** @typedef {{go: (place: number) => void, focus: () => void, unmount: () => void}} Drawn */
/**
 * What every piece is drawn with: `place` is where it begins, `moved` hears of another place.
 * @typedef {{theme: "light"|"dark", place?: number, moved?: (place: number) => void}} How
 */

/**
 * Kind → what draws it from the answer of its endpoint, here or in a chapter.
 * @type {Record<string, (host: HTMLElement, made: any, how: How) => Drawn>}
 */
export const DRAW = { derivation: drawDerivation };

/**
 * The piece of a step in the place of its picture.
 * @param {HTMLElement} root @param {Loader} loader
 * @param {(view: string|null) => void} view where in it one is goes into the address
 */
export function mountPiece(root, loader, view) {
  const body = el("div", { class: "study", "aria-busy": "true" });
  root.replaceChildren(body);
  let key = "";
  /** @type {Drawn|null} */
  let drawn = null;

  /** @param {Frame} frame */
  function update(frame) {
    const { kind, place } = placeOf(frame.state.view);
    const offer = offersAt(loader.offers, frame).find((one) => one.kind === kind);
    const next = `${kind} ${offer?.tensor} ${frame.state.theme}`;
    if (next === key) return drawn?.go(place);
    key = next;
    drawn?.unmount();
    drawn = null;
    body.setAttribute("aria-busy", "true");
    body.replaceChildren(el("div", { class: "skeleton wide" }));
    if (offer) load(frame, offer, place);
  }

  /** @param {Frame} frame @param {Offer} offer @param {number} place */
  function load(frame, offer, place) {
    const question = { tensor: offer.tensor };
    const known = loader.known(offer.kind, question);
    const arrived = (/** @type {any} */ made) => draw(frame, offer, made, place);
    if (known) return arrived(known);
    loader.load(offer.kind, question, {
      arrived,
      failed({ message, hint }) {
        const again = el("button", { type: "button", class: "button" }, "ask again");
        again.addEventListener("click", () => load(frame, offer, place));
        body.setAttribute("aria-busy", "false");
        body.replaceChildren(
          el("div", { role: "alert" }, el("p", {}, ...prose(`${message} ${hint ?? ""}`.trim())), again),
        );
      },
    });
  }

  /** @param {Frame} frame @param {Offer} offer @param {any} made @param {number} place */
  function draw(frame, offer, made, place) {
    body.setAttribute("aria-busy", "false");
    const moved = (/** @type {number} */ to) => view(viewOf(offer.kind, to));
    drawn = DRAW[offer.kind](body, made, { theme: frame.state.theme, place, moved });
    if (!document.activeElement || document.activeElement === document.body) drawn.focus();
  }

  return {
    update,
    unmount() {
      drawn?.unmount();
      root.replaceChildren();
    },
  };
}
