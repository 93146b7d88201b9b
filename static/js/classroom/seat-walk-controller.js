import { byId } from "../shared/dom/elements.js";
import { draggedTo } from "./dragged.js";
import { makeFrame } from "./frame-view.js";
import { wayOf } from "./pace.js";
/** @typedef {import("./types.js").ClassState} ClassState */
/** @typedef {import("./types.js").OwnQuestion} OwnQuestion */

/** Milliseconds between two looks at where a student's walk is. */
const LOOK = 300;
/** Milliseconds after which the walk shows where a number was dragged to. */
const CALM = 80;

/** The walk on a student's screen: it is where the class is, or where a number is dragged that is asked for. */
export function mountSeatWalk() {
  const frame = makeFrame(/** @type {HTMLIFrameElement} */ (byId("place")));
  /** @type {ClassState|null} */
  let state = null;
  /** The question whose number is being dragged, and in which round. */
  let begun = "";
  /** @type {ReturnType<typeof setTimeout>|undefined} */
  let dragging;

  /** @param {string} address where to go, if anywhere */
  function go(address) {
    if (address) frame.show(address);
  }
  // Whoever may go up to the class's step is brought back to it from any further one.
  const looking = setInterval(() => {
    const shown = frame.shown();
    if (!begun && state?.pace === "upto" && shown) go(wayOf(state.pace, state.address, shown));
  }, LOOK);
  return {
    /** @param {ClassState} next */
    show(next) {
      state = next;
      const { question } = next;
      const asked = draggedIn(question);
      if (!asked) go(wayOf(next.pace, next.address, frame.shown()));
      else if (asked.key !== begun) go(draggedTo(asked.drag, asked.drag.value));
      begun = asked?.key ?? "";
      const hidden = Boolean(question && !question.closed && !asked); // what is asked may stand in the walk
      byId("place").hidden = hidden;
      byId("waiting").hidden = !hidden;
    },
    /** @param {number} value of the number that is asked for */
    drag(value) {
      clearTimeout(dragging);
      const asked = draggedIn(state?.question ?? null);
      if (asked) dragging = setTimeout(() => begun === asked.key && go(draggedTo(asked.drag, value)), CALM);
    },
    unmount() {
      clearInterval(looking);
      clearTimeout(dragging);
    },
  };
}

/**
 * @param {OwnQuestion|null} question
 * @returns {{drag: import("./types.js").Dragged, key: string}|null} what is dragged while it is open
 */
function draggedIn(question) {
  const drag = question && !question.closed ? question.ask.drag : null;
  return question && drag ? { drag, key: `${question.question}:${question.round}` } : null;
}
