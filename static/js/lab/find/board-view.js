import { cleanups, el } from "../../shared/dom/elements.js";
import { counted } from "../../shared/plural.js";
import { prose } from "../../shared/prose-view.js";
import { HINTS, looksOf, pointsOf } from "./game.js";
import { drawEnd } from "./end-view.js";
import { mountLines } from "./lines-view.js";
import { drawSymptom } from "./symptom-view.js";
import { button } from "../../shared/dom/button.js";
/** @typedef {import("./address.js").Asked} Asked */
/** @typedef {import("./game.js").Deed} Deed */
/** @typedef {import("../types.js").Bug} Bug */
/**
 * @typedef {{game: import("./game.js").Game, told: Map<string, any>, asking: Deed|null, open: number|null,
 *   reveal: import("../types.js").Reveal|null, found: number|null, hints: number}} Frame
 * @typedef {{open: (line: number) => void, ask: (deed: Deed) => void, show: () => void, cancel: () => void}} Acts
 */

/**
 * Everything of a game: the symptom, the program, its backward lines, hints, and how it ended.
 * @param {HTMLElement} root @param {Bug} bug @param {Asked} asked @param {Acts} acts
 */
export function mountBoard(root, bug, asked, acts) {
  const undo = cleanups();
  const part = (/** @type {string} */ name) => /** @type {HTMLElement} */ (root.querySelector(`[data-part=${name}]`));
  const lines = undo.part(mountLines(part("lines"), bug, acts));
  part("forward").textContent = bug.forward;
  part("title").textContent = `In ${bug.title}, one of ${counted(bug.lines.length, "backward line")} is wrong.`;

  return {
    /** @param {Frame} frame */
    update(frame) {
      const { game } = frame;
      part("score").replaceChildren(
        el("b", {}, counted(pointsOf(game), "point")),
        ` left · ${counted(looksOf(game), "look")}`,
      );
      drawSymptom(part("symptom"), bug, frame);
      lines.update(frame);
      drawHints(part("hints"), frame, acts);
      drawEnd(part("end"), bug, asked, frame);
    },
    /** Back to what was asked for, whose button has been drawn anew. @param {Deed} deed */
    focus(deed) {
      if (deed.do === "hint") part("hints").querySelector("button")?.focus();
      else lines.focus(deed);
    },
    focusEnd: () => part("end").querySelector("h2")?.focus(),
    unmount: undo.run,
  };
}

/** @param {HTMLElement} root @param {Frame} frame @param {Acts} acts */
function drawHints(root, { told, hints, game, asking }, acts) {
  const had = HINTS.slice(0, hints).map((_, i) => told.get(`hint ${i + 1}`)?.text ?? "…");
  const more = hints < HINTS.length && !game.over;
  const next = { do: /** @type {const} */ ("hint"), grade: hints + 1 };
  root.replaceChildren(
    el("ol", { class: "bug-hints" }, ...had.map((text) => el("li", {}, ...prose(text)))),
    ...(more
      ? [
          button(
            { class: "button", "data-do": "hint", "aria-disabled": String(asking !== null) },
            () => acts.ask(next),
            hints ? "A further hint" : "A hint",
            el("span", { class: "cost" }, ` −${HINTS[hints]}`),
          ),
        ]
      : []),
    ...(game.over ? [] : [button({ class: "link", "data-do": "show" }, acts.show, "give up, show the line")]),
  );
}
