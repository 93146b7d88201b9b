import { isWorthAsking } from "../shared/asking-again.js";
import { button } from "../shared/dom/button.js";
import { el } from "../shared/dom/elements.js";
import { prose } from "../shared/prose-view.js";
import { Tensor } from "../shared/tensor.js";
import { questionOf } from "./jacobian.js";
import { drawProduct } from "./product-view.js";
import { makeReading } from "./reading-view.js";
import { drawSaid } from "./said-view.js";
import { stepper } from "./stepper-view.js";
/** @typedef {import("../walk/frame.js").Frame} Frame */
/** @typedef {import("./jacobian.js").Jacobian} Jacobian */
/** @typedef {import("./jacobian.js").TooLarge} TooLarge */
/**
 * @typedef {{cell: (cell: number[]) => void, view?: (view: string|null) => void, jacobians: ReturnType<typeof
 *   import("./jacobian-loader.js").makeJacobianLoader>}} Acts
 */

/** What can be done instead. @typedef {{label: string, act: () => void}} Way */

/**
 * The step as a product: arriving gradient · local Jacobian = what this path brings.
 * @param {HTMLElement} root @param {{width: () => number, height: () => number}} room @param {Acts} acts
 */
export function mountJacobian(root, room, acts) {
  const { jacobians } = acts;
  const said = el("div", { class: "jacobian-said" });
  const product = el("div", { class: "product" });
  const readout = el("p", { class: "jacobian-readout" });
  const all = el("div", { class: "jacobian" }, said, product, readout);
  root.replaceChildren(all);
  const reading = makeReading(product, readout);
  /** @type {Frame|null} */
  let frame = null;
  /** @type {string|null} */
  let wanted = null;
  const axes = makeAxes();

  /** @param {import("./jacobian.js").Pair|null} along none for the whole */
  function choose(along) {
    if (!frame) return;
    axes.choose(frame, along);
    update(frame);
  }

  /** @param {Frame} next */
  function update(next) {
    const question = axes.questionOf(next);
    const answer = jacobians.known(question);
    const key = JSON.stringify(question);
    frame = next;
    if (answer) {
      jacobians.stop();
      wanted = key;
      return draw(next, answer);
    }
    if (wanted === key && jacobians.busy) return;
    wanted = key;
    all.setAttribute("aria-busy", "true");
    if (!product.childElementCount) product.replaceChildren(el("div", { class: "skeleton wide" }));
    jacobians.load(question, { arrived: (jacobian) => frame && draw(frame, jacobian), failed: refuse });
  }

  /** @param {import("../walk/types.js").Problem} problem */
  function refuse(problem) {
    const again = { label: "ask again", act: () => frame && update(frame) };
    wanted = null;
    note(problem.message, problem.hint ?? "", isWorthAsking(problem) ? again : null);
  }

  /** @param {string} message @param {string} hint @param {Way|null} way */
  function note(message, hint, way) {
    all.setAttribute("aria-busy", "false");
    said.replaceChildren();
    readout.replaceChildren();
    product.className = "product";
    product.replaceChildren(drawNote(message, hint, way));
  }

  /** @param {Frame} next @param {Jacobian|TooLarge} answer */
  function draw(next, answer) {
    if (answer.jacobian === null) return note(answer.words, "", equationWay(next, acts.view));
    all.setAttribute("aria-busy", "false");
    const restore = rememberPart(root);
    const [matrix, arriving, result] = [answer.jacobian, answer.arriving, answer.result].map((one) => new Tensor(one));
    const drawn = { answer, matrix, arriving, result };
    said.replaceChildren(drawSaid(next, answer), stepper(next, answer, acts.cell, choose));
    const map = drawProduct(product, next, drawn, { width: room.width() - 10, height: room.height() });
    reading(map, next, drawn);
    restore();
  }

  return {
    update,
    /** @param {Frame} next another cell is picked: its example is shown */
    point(next) {
      if (wanted !== null && JSON.stringify(axes.questionOf(next)) !== wanted) update(next);
    },
    unmount() {
      jacobians.stop();
      root.replaceChildren();
    },
  };
}

/** Along which axes a Jacobian is cut into blocks: as somebody chose for this very pair of tensors, or as usual. */
function makeAxes() {
  /** @type {{pair: string, along: import("./jacobian.js").Pair}|null} */
  let chosen = null;
  return {
    /** @param {Frame} frame @returns {import("./jacobian.js").Question} */
    questionOf(frame) {
      const question = questionOf(frame);
      return chosen?.pair === `${question.node} ${question.input}` ? questionOf(frame, chosen.along) : question;
    },
    /** @param {Frame} frame @param {import("./jacobian.js").Pair|null} along */
    choose(frame, along) {
      const { node, input } = questionOf(frame);
      chosen = along && { pair: `${node} ${input}`, along };
    },
  };
}

/** @param {Frame} frame @param {Acts["view"]} view @returns {Way|null} where a Jacobian is too large */
function equationWay({ tug }, view) {
  return view ? { label: "show the equation", act: () => view(tug ? "equation" : null) } : null;
}

/** @param {string} message @param {string} hint @param {Way|null} way @returns {HTMLElement} */
function drawNote(message, hint, way) {
  return el(
    "div",
    { class: "product-note", role: "status" },
    el("p", {}, ...prose(message)),
    hint ? el("p", { class: "hint-text" }, ...prose(hint)) : null,
    way && button({ class: "button" }, way.act, way.label),
  );
}

/** @param {HTMLElement} root @returns {() => void} gives the focus to the part that has it now, drawn anew */
function rememberPart(root) {
  const { activeElement } = document;
  const inside = activeElement instanceof HTMLElement && root.contains(activeElement);
  const part = inside ? activeElement.dataset.part : null;
  return () => {
    if (part)
      /** @type {HTMLElement|null} */ (root.querySelector(`[data-part="${part}"]`))?.focus({ preventScroll: true });
  };
}
