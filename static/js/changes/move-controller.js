import { isComputed, makeMoveLoader } from "./move-loader.js";
import { mountMove } from "./move-view.js";
import { withChange } from "../walk/changes.js";
import { numberIn } from "../shared/json-number.js";
import { ApiError } from "../shared/api.js";
import { byId, cleanups, el } from "../shared/dom/elements.js";
import { prose } from "../shared/prose-view.js";
/** @typedef {import("../walk/frame.js").Frame} Frame */
/** @typedef {import("../walk/store.js").State} State */
/** @typedef {import("../walk/walk.js").Walk} Walk */
/**
 * `ask` walks anew with these changes, `redraw` draws what was moved, `close` puts the number down.
 * @typedef {{ask: (question: Partial<State>) => void, change: (change: Partial<State>) => void, redraw: () => void,
 *   close: () => void}} Acts
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

  const loader = makeMoveLoader(walk, {
    curve(curve) {
      if (frame?.state.hand) acts.change({ hand: { ...frame.state.hand, curve } });
    },
    moved(loss, value) {
      if (!frame) return;
      view.arrived(loss, value);
      acts.redraw();
    },
    failed(error) {
      if (!(error instanceof ApiError)) throw error;
      trouble.replaceChildren(...prose(`${error.problem.message} ${error.problem.hint ?? ""}`));
      trouble.hidden = false;
    },
  });
  const view = mountMove({
    moved(value) {
      const pick = frame?.pick;
      if (!frame || !pick) return;
      moved = { name: pick.tensor, index: pick.index, value };
      loader.move({ frame, ...moved });
    },
    kept: keep,
    back,
  });
  root.replaceChildren(note, view.root, trouble);
  undo.add(view.unmount);
  undo.add(loader.unmount);

  /** @param {{tensor: string, index: number[]}} place @returns {string} as the code has it */
  function nameOf({ tensor, index }) {
    const { variable } = walk.node(tensor);
    return index.length ? `${variable}[${index.join(", ")}]` : variable;
  }

  /** What was moved stays: the walk is made anew with it. */
  function keep() {
    if (!frame || !moved) return;
    const { name, index, value } = moved;
    moved = null;
    acts.ask({ changes: withChange(frame.state.changes, { tensor: walk.node(name).variable, index, value }) });
  }

  /** As it was before it was taken; from there, it is put down. */
  function back() {
    const { hand, changes } = frame?.state ?? {};
    if (hand && (moved || hand.before !== changes)) acts.ask({ changes: hand.before, hand: { ...hand } });
    else acts.close();
    moved = null;
  }

  /** @param {import("./curve.js").Curve} curve of the number that is open @param {Frame} now */
  function hold(curve, now) {
    if (held === curve) return;
    held = curve;
    trouble.hidden = true;
    const value = walk.tensor(walk.node(curve.tensor).value).at(curve.index) ?? NaN;
    const { name, value: loss } = now.walk.document.loss;
    view.hold(curve, { name: nameOf(curve), loss: walk.node(name).variable }, value, numberIn(loss));
    root.scrollIntoView({ block: "nearest" });
  }

  /** @param {import("../walk/pick.js").Pick} pick @param {Frame} now */
  function ask(pick, now) {
    const key = `${pick.tensor} ${pick.index}`;
    if (asked === key) return;
    asked = key;
    held = null;
    view.wait(nameOf(pick));
    note.replaceChildren(...prose(noteOf(pick.tensor)));
    note.hidden = !note.childNodes.length;
    const { curve } = now.state.hand ?? {};
    if (!curve || `${curve.tensor} ${curve.index}` !== key) loader.along(pick.tensor, pick.index);
  }

  /** @param {string} name @returns {string} what moving it does besides */
  function noteOf(name) {
    if (!isComputed(walk, name)) return "";
    const { variable, source } = walk.node(name);
    const line = (source ?? "").replace(/\s*#.*$/, "").trim();
    return `Once moved, \`${variable}\` no longer follows from \`${line}\`: no gradient goes back through that line.`;
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
      ask(pick, next);
      const { curve } = state.hand ?? {};
      if (curve && asked === `${curve.tensor} ${curve.index}`) hold(curve, next);
    },
    focus: view.focus,
    unmount() {
      undo.run();
      root.replaceChildren();
      root.hidden = true;
      byId("story").classList.remove("holding");
    },
  };
}
