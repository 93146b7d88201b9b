import { NOTHING } from "../walk/pick.js";
import { byId, el } from "../shared/dom/elements.js";
import { afterPaint } from "../shared/dom/after-paint.js";
import { lazyView } from "../shared/dom/lazy-view.js";
import { makeJacobianLoader } from "../jacobian/jacobian-loader.js";
import { makePiecesLoader } from "../pieces/pieces-loader.js";
import { isPiece, nextView, offersAt } from "../pieces/pieces.js";
import { writtenLine } from "../practice/written-line-view.js";
import { mountStage, studying } from "./stage-view.js";
/** @typedef {import("../walk/walk.js").Walk} Walk */

/**
 * The picture of a step, or what stands in its place: a question, the line to be written, a further view.
 * @param {Walk} walk @param {import("../practice/writings.js").Writings} writings
 * @param {import("./scene.js").Scene} scene @param {import("./views-controller.js").Acts} acts
 * @param {{maps: import("../lens/pickable-cells-view.js").Acts, hold: (field: HTMLElement) => boolean,
 *   draw: () => void}} around `hold` puts a field into the listing, `draw` draws all anew
 */
export function makePicture(walk, writings, scene, acts, { maps, hold, draw }) {
  const pieces = makePiecesLoader(walk, arrived);
  const panel = el("div", { class: "writing" });
  const writing = makeWriting(panel, walk, writings, scene, { ...acts, hold });
  const stage = mountStage(byId("picture"), {
    pieces,
    answer: acts.answer,
    writing: {
      show: (root) => root.firstChild !== panel && root.replaceChildren(panel),
      written: (now) => writtenLine(now, writings),
    },
    jacobians: makeJacobianLoader(walk),
    view: (view) => acts.change({ view }),
    cell: (cell) => acts.change({ cell, tensor: null, path: null }),
    row: (row) => acts.change({ ...NOTHING, cell: [row, scene.frame?.node.targets?.[row] ?? 0] }),
    maps,
    missing: acts.missing,
  });

  /** Of what else there is at a step, something has come. */
  function arrived() {
    if (!scene.frame) return;
    if (isPiece(scene.frame.state.view)) draw();
    else if (offersAt(pieces.offers, scene.frame).length) stage.offer(scene.frame);
  }

  /** The next piece of this step, or its picture again. @returns {boolean} whether there is any */
  function study() {
    const { frame } = scene;
    const here = frame ? offersAt(pieces.offers, frame) : [];
    if (!frame || here.length === 0) return false;
    const view = nextView(here, frame.state.view);
    if (view && document.activeElement instanceof HTMLElement) document.activeElement.blur(); // the piece takes it
    acts.change({ view });
    return true;
  }

  /** @returns {boolean} whether a piece was left */
  function leave() {
    if (!scene.frame || !isStudying(scene.frame)) return false;
    acts.change({ view: null });
    byId("step").focus({ preventScroll: true });
    return true;
  }

  /** @param {import("../walk/frame.js").Frame} frame */
  const isStudying = (frame) => studying(frame, pieces);

  // the line to be written comes last: where its words stand has been drawn
  const views = [pieces, stage, writing];
  return { stage, isStudying, study, leave, listPieces: () => afterPaint(pieces.list), views };
}

/**
 * The line to be written, once any is.
 * @param {HTMLElement} panel @param {Walk} walk @param {import("../practice/writings.js").Writings} writings
 * @param {import("./scene.js").Scene} scene
 * @param {import("./views-controller.js").Acts & {hold: (field: HTMLElement) => boolean}} acts
 */
function makeWriting(panel, walk, writings, scene, { written: done, ask, say, hold, missing }) {
  const view = lazyView(async () => {
    const { mountWriting } = await import("../practice/writing-controller.js");
    const walkOn = (/** @type {number} */ step, /** @type {string} */ code) =>
      ask({ plant: { step, code }, writeIt: false });
    return mountWriting(panel, walk, writings, { done, walkOn, say, hold });
  }, missing);
  let begun = false;
  /** @param {import("../walk/frame.js").Frame} frame */
  function finish({ writing }) {
    begun ||= writing;
    if (begun) view.use((one) => scene.frame && one.update(scene.frame));
  }
  return { finish, unmount: view.unmount };
}
