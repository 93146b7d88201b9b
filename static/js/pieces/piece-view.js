import { isWorthAsking } from "../shared/asking-again.js";
import { button } from "../shared/dom/button.js";
import { el } from "../shared/dom/elements.js";
import { prose } from "../shared/prose-view.js";
import { drawDerivation } from "./derivation-view.js";
import { drawOrder } from "./order-view.js";
import { drawSaturation } from "./saturation-view.js";
import { drawThreeWays } from "./three-ways-view.js";
import { drawThroughTime } from "./through-time-view.js";
import { offersAt, placeOf, viewOf } from "./pieces.js";
/** @typedef {import("./pieces.js").Offer} Offer */
/** @typedef {import("../walk/frame.js").Frame} Frame */
/** @typedef {ReturnType<typeof import("./pieces-loader.js").makePiecesLoader>} Loader */
/** @typedef {{go: (place: number) => void, focus: () => void, unmount: () => void}} Drawn */
/**
 * What every piece is drawn with: `place` is where it begins, `moved` hears of another place, and `settle` asks the
 * server for the same with other settings.
 * @typedef {{theme: "light"|"dark", place?: number, moved?: (place: number) => void,
 *   settle?: (settings: object) => void}} How
 */

/**
 * Kind → what draws it from the answer of its endpoint, here or in a chapter.
 * @type {Record<string, (host: HTMLElement, made: any, how: How) => Drawn>}
 */
export const DRAW = {
  derivation: drawDerivation,
  order: drawOrder,
  threeways: drawThreeWays,
  saturation: drawSaturation,
  throughtime: drawThroughTime,
};

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
    if (next === key) return place && drawn?.go(place);
    key = next;
    drawn?.unmount();
    drawn = null;
    body.setAttribute("aria-busy", "true");
    body.replaceChildren(el("div", { class: "skeleton wide" }));
    if (offer) load(frame, offer, place);
  }

  /** @param {Frame} frame @param {Offer} offer @param {number} [place] @param {object} [settings] */
  function load(frame, offer, place, settings = {}) {
    const question = { tensor: offer.tensor, ...settings };
    const known = loader.known(offer.kind, question);
    const arrived = (/** @type {any} */ made) => draw(frame, offer, made, place);
    if (known) return arrived(known);
    loader.load(offer.kind, question, {
      arrived,
      failed(problem) {
        const { message, hint } = problem;
        const act = () => load(frame, offer, place, settings);
        const again = isWorthAsking(problem) ? [button({ class: "button" }, act, "ask again")] : [];
        body.setAttribute("aria-busy", "false");
        body.replaceChildren(
          el("div", { role: "alert" }, el("p", {}, ...prose(`${message} ${hint ?? ""}`.trim())), ...again),
        );
      },
    });
  }

  /** @param {Frame} frame @param {Offer} offer @param {any} made @param {number} [place] */
  function draw(frame, offer, made, place) {
    body.setAttribute("aria-busy", "false");
    const moved = (/** @type {number} */ to) => view(viewOf(offer.kind, to));
    const settle = (/** @type {object} */ settings) => load(frame, offer, place, settings);
    drawn?.unmount();
    drawn = DRAW[offer.kind](body, made, { theme: frame.state.theme, place, moved, settle });
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
