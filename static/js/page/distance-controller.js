import { boxesOf, entryOf } from "../walk/boxes.js";
import { NOTHING } from "../walk/pick.js";
import { byId, cleanups } from "../shared/dom/elements.js";
import { mountGestures } from "../graph/gestures-view.js";
/** @typedef {import("../walk/frame.js").Frame} Frame */
/** @typedef {import("../walk/walk.js").Walk} Walk */

/**
 * How near the graph is: its boxes, the lines of one of them, every line; and from a line into one number.
 * @param {Walk} walk @param {import("./scene.js").Scene} scene @param {import("./views-controller.js").Acts} acts
 * @param {{open: () => unknown, close: () => unknown}} lens
 */
export function mountDistance(walk, scene, acts, lens) {
  const undo = cleanups();
  const boxes = boxesOf(walk.document);
  const [group, far, near] = ["distances", "graph-boxes", "graph-lines"].map(byId);
  group.hidden = boxes.length === 0;

  /** @param {Frame} frame @param {string|null} key @returns {number} the step at which its box is walked */
  function stepIn({ step, box }, key) {
    const there = boxes.find((one) => one.key === key);
    return !there || there === box ? step.index : entryOf(walk, there, step.direction === "backward");
  }

  /** @param {Frame} frame @param {import("../walk/boxes.js").Distance} distance @param {number} [step] */
  function travel(frame, distance, step = frame.step.index) {
    const elsewhere = step !== frame.step.index;
    acts.jump({ ...(elsewhere ? { ...NOTHING, step, node: null, view: null } : {}), distance });
    return true;
  }

  /** @param {import("../graph/gestures-view.js").Target} [target] @returns {boolean} */
  function nearer({ box, node } = { box: null, node: null }) {
    const { frame } = scene;
    if (!frame) return false;
    const { distance } = frame;
    const elsewhere = distance === "box" && box !== null && box !== frame.box?.key;
    if (distance === "boxes" || elsewhere) return travel(frame, "box", stepIn(frame, box));
    if (frame.pick) return false;
    if (node && node !== frame.node.name) acts.select(node);
    lens.open();
    return true;
  }

  /** @returns {boolean} */
  function further() {
    const { frame } = scene;
    if (!frame) return false;
    if (frame.pick) return lens.close() !== false;
    return frame.distance === "lines" || frame.distance === "box" ? travel(frame, "boxes") : false;
  }

  undo.part(
    mountGestures(byId("graph"), {
      ...{ nearer, further },
      visit: (key, made) => (made ? acts.select(made) : scene.frame && acts.go(stepIn(scene.frame, key), true)),
      open(key) {
        const { frame } = scene;
        if (!frame) return;
        const closes = frame.distance === "box" && frame.box?.key === key;
        travel(frame, closes ? "boxes" : "box", stepIn(frame, key));
      },
    }),
  );
  undo.on(far, "click", () => scene.frame && travel(scene.frame, "boxes"));
  undo.on(near, "click", () => scene.frame && travel(scene.frame, "lines"));
  return {
    ...{ nearer, further },
    /** @param {Frame} frame */
    update({ distance }) {
      far.setAttribute("aria-pressed", String(distance === "boxes"));
      near.setAttribute("aria-pressed", String(distance === "lines"));
    },
    unmount: undo.run,
  };
}
