import { asApiError } from "../shared/api.js";
import { cleanups } from "../shared/dom/elements.js";
import { makeWobbleLoader } from "./wobble-loader.js";
import { mountWobble } from "./wobble-view.js";
/** @typedef {import("./wobble.js").Nudged} Nudged */
/** @typedef {import("./wobble.js").Wobble} Wobble */

/**
 * A cell is held: what depends on it wobbles until it is let go.
 * @param {HTMLElement} root @param {import("../walk/walk.js").Walk} walk
 * @param {() => import("./wobble-view.js").Mark[]} marks @param {string} [request] with numbers that are on their way
 */
export function mountWobbleController(root, walk, marks, request = walk.request) {
  const undo = cleanups();
  const view = undo.part(mountWobble(root, walk, marks));
  /** @type {Nudged|null} */
  let held = null;
  /** @type {Wobble|null} */
  let shown = null;
  const loader = undo.part(
    makeWobbleLoader(
      walk,
      { request },
      {
        arrived(wobble) {
          shown = wobble;
          view.begin(wobble);
          if (!held) letGo();
        },
        failed(error) {
          const { message, hint } = asApiError(error, "Hold it again.").problem;
          view.refuse(`${message} ${hint ?? ""}`);
        },
      },
    ),
  );

  /** @param {Nudged} nudged @returns {boolean} */
  function hold(nudged) {
    held = nudged;
    loader.ask(nudged);
    return true;
  }

  function letGo() {
    held = null;
    if (shown) view.end(shown);
    shown = null;
  }
  undo.on(document, "keyup", ({ key }) => held && key.toLowerCase() === "h" && letGo());
  undo.on(window, "blur", () => held && letGo());
  // who goes on has read it
  undo.on(document, "pointerdown", () => held || view.hide());
  undo.on(document, "keydown", ({ key }) => held || key.toLowerCase() === "h" || view.hide());
  return { hold, letGo: () => held && letGo(), unmount: undo.run };
}
