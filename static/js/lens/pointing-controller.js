import { cleanups } from "../shared/dom/elements.js";
import { answerOf, tipOf } from "./pointing.js";
import { mountTip } from "./pointing-view.js";
/** @typedef {import("../walk/frame.js").Frame} Frame */
/** @typedef {import("./pickable-cells-view.js").Map} Map */
/** @typedef {import("./pickable-cells-view.js").Pointed} Pointed */

/**
 * A cell that is pointed at answers: its partners everywhere, its number beside the pointer.
 * @param {(pointed: Pointed|null) => void} show
 */
export function mountPointing(show) {
  const undo = cleanups();
  const tip = mountTip();
  /** @type {Frame|null} */
  let frame = null;
  /** @type {{map: Map, cell: string}|null} */
  let now = null;

  function clear() {
    if (!now) return;
    now = null;
    tip.hide();
    show(null);
  }
  undo.on(document, "keydown", (/** @type {KeyboardEvent} */ event) => {
    if (event.key === "Escape") clear();
  });
  undo.on(document, "pointerdown", (/** @type {PointerEvent} */ event) => {
    if (!(event.target instanceof Element) || !event.target.closest("[data-map]")) clear();
  });
  undo.on(window, "scroll", clear);
  undo.add(tip.unmount);

  return {
    clear,
    /** @param {Map} map @param {number[]} cell @returns {boolean} whether this very cell is answering */
    shows: (map, cell) => now !== null && now.map.element === map.element && now.cell === cell.join(),
    /** @param {Map} map @param {number[]} cell @param {{x: number, y: number}} at in the window */
    point(map, cell, at) {
      if (!frame) return;
      if (now?.map !== map || now.cell !== cell.join()) {
        now = { map, cell: cell.join() };
        tip.tell(tipOf(frame, map, cell));
        show({ map, cell, answer: answerOf(frame, map, cell) });
      }
      tip.move(at);
    },
    /** @param {Frame} next */
    update(next) {
      frame = next;
      clear();
    },
    unmount: () => {
      clear();
      undo.run();
    },
  };
}
