import { makeCurveLoader } from "./curve-loader.js";
import { cutWords } from "./sliders.js";
import { mountMove } from "./move-view.js";
import { placeText, withChange } from "../walk/changes.js";
import { numberIn } from "../shared/json-number.js";
import { ApiError } from "../shared/api.js";
import { byId, cleanups, el } from "../shared/dom/elements.js";
import { prose } from "../shared/prose-view.js";
/** @typedef {import("../walk/frame.js").Frame} Frame */
/** @typedef {import("../walk/store.js").State} State */
/** @typedef {import("../walk/walk.js").Walk} Walk */
/**
 * `ask` walks anew with these changes, `try` draws what they would do to a tensor, `close` puts the number down.
 * @typedef {{ask: (question: Partial<State>) => void, change: (change: Partial<State>) => void,
 *   try: (changes: import("../walk/changes.js").Change[], name: string) => void, close: () => void}} Acts
 */

/**
 * The number that is looked into, taken in the hand: on the way only what is on the screen follows; where it stays the
 * whole walk is made anew.
 * @param {Walk} walk @param {Acts} acts
 */
export function mountMoveController(walk, acts) {
  const undo = cleanups();
  const root = byId("hand");
  const trouble = el("p", { class: "move-trouble", role: "alert", hidden: true });
  const note = el("p", { class: "move-note" });
  /** @type {Frame|null} */
  let frame = null;
  let asked = "";
  /** @type {import("./curve.js").Curve|null} */
  let held = null;
  /** @type {{name: string, index: number[], value: number}|null} a move that is drawn and not yet kept */
  let moved = null;

  /** @param {unknown} error */
  function failed(error) {
    if (!(error instanceof ApiError)) throw error;
    trouble.replaceChildren(...prose(`${error.problem.message} ${error.problem.hint ?? ""}`));
    trouble.hidden = false;
  }

  const loader = makeCurveLoader(walk, {
    curve(curve) {
      if (frame?.state.hand) acts.change({ hand: { ...frame.state.hand, curve } });
    },
    failed,
  });
  const view = mountMove({
    moved(value) {
      const { pick, state } = frame ?? {};
      if (!pick || !state?.hand) return;
      moved = { name: pick.tensor, index: pick.index, value };
      state.hand.way.value = value;
      acts.try(changesWith(state, moved), pick.tensor);
    },
    grasped(pointer) {
      if (frame?.state.hand) frame.state.hand.way.pointer = pointer;
    },
    kept: keep,
    back,
    delta: () => frame && acts.change({ delta: !frame.state.delta }),
  });
  root.replaceChildren(note, view.root, trouble);
  undo.add(view.unmount);
  undo.add(loader.unmount);

  /** @param {{tensor: string, index: number[]}} place @returns {string} as the code has it */
  function nameOf({ tensor, index }) {
    return placeText(walk.node(tensor).variable, index);
  }

  /** @param {State} state @param {{name: string, index: number[], value: number}} move */
  function changesWith({ changes }, { name, index, value }) {
    return withChange(changes, { tensor: walk.node(name).variable, index, value });
  }

  /** What was moved stays: the walk is made anew with it. */
  function keep() {
    if (!frame || !moved) return;
    const changes = changesWith(frame.state, moved);
    rest();
    acts.ask({ changes });
  }

  /** Nothing is on its way any more. */
  function rest() {
    moved = null;
    if (frame?.state.hand) frame.state.hand.way.value = null;
  }

  /** As it was before it was taken; from there, it is put down. */
  function back() {
    const { hand, changes } = frame?.state ?? {};
    const away = moved !== null || hand?.before !== changes;
    rest();
    if (hand && away) acts.ask({ changes: hand.before, hand: { ...hand } });
    else acts.close();
  }

  /** @param {import("./curve.js").Curve} curve of the number that is open @param {Frame} now */
  function hold(curve, now) {
    if (held === curve) return;
    held = curve;
    trouble.hidden = true;
    const value = walk.tensor(walk.node(curve.tensor).value).at(curve.index) ?? NaN;
    const names = { name: nameOf(curve), loss: walk.lossName };
    view.hold(curve, names, value, numberIn(walk.document.loss.value));
    // what was moved while this walk was on its way goes on from there
    const { way } = now.state.hand ?? {};
    if (way && way.value !== null && way.value !== value) view.resume(way.value, way.pointer);
    root.scrollIntoView({ block: "nearest" });
  }

  /** @param {import("../walk/pick.js").Pick} pick @param {Frame} now */
  function ask(pick, now) {
    const key = `${pick.tensor} ${pick.index}`;
    if (asked === key) return;
    asked = key;
    held = null;
    view.wait(nameOf(pick));
    note.replaceChildren(...prose(cutWords(walk, pick.tensor)));
    note.hidden = !note.childNodes.length;
    const { curve } = now.state.hand ?? {};
    if (!curve || `${curve.tensor} ${curve.index}` !== key) loader.along(pick.tensor, pick.index);
  }

  return {
    /** @param {Frame} next */
    update(next) {
      frame = next;
      const { pick, state } = next;
      const open = Boolean(state.hand) && pick !== null;
      root.hidden = !open;
      byId("story").classList.toggle("holding", open);
      if (!open) asked = "";
      // who goes on to something else within a moment of moving this has moved it all the same
      if (moved && (!open || `${moved.name} ${moved.index}` !== `${pick?.tensor} ${pick?.index}`)) queueMicrotask(keep);
      if (!open || !pick) return;
      view.showDelta(state.delta);
      ask(pick, next);
      const { curve } = state.hand ?? {};
      if (curve && asked === `${curve.tensor} ${curve.index}`) hold(curve, next);
    },
    focus: view.focus,
    /**
     * @param {number} loss that these changes make: while it was on its way the number may have gone on
     * @param {import("../walk/changes.js").Change[]} changes
     */
    arrived(loss, changes) {
      const last = changes.at(-1);
      if (moved && last && "value" in last) view.arrived(loss, last.value);
    },
    failed,
    unmount() {
      undo.run();
      root.replaceChildren();
      root.hidden = true;
      byId("story").classList.remove("holding");
    },
  };
}
