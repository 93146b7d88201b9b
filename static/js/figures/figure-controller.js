import { frameOf } from "../walk/frame.js";
import { mountLensController } from "../lens/lens-controller.js";
import { mountPointing } from "../lens/pointing-controller.js";
import { NOTHING } from "../walk/pick.js";
import { Predictions } from "../quiz/predictions.js";
import { motionTime } from "../page/tempo.js";
import { cleanups, el, reducedMotion } from "../shared/dom/elements.js";
import { watchWidth } from "../shared/dom/watch-width.js";
import { resting } from "./block.js";
/** @typedef {import("../walk/frame.js").Frame} Frame */
/** @typedef {import("../walk/store.js").State} State */
/** @typedef {import("../walk/walk.js").Walk} Walk */
/** @typedef {import("../lens/pickable-cells-view.js").Acts} Maps */
/** @typedef {import("../lens/pickable-cells-view.js").Pointed} Pointed */
/** @typedef {import("../lens/highlights.js").Lights} Lights */
/** @typedef {import("../lens/lens.js").Term} Term */
/** @typedef {import("../equation/equation-view.js").Space} Space */
/**
 * A picture of a frame, as the walk has them.
 * @typedef {{update: (frame: Frame) => void, unmount: () => void,
 *   point?: (frame: Frame, lights: Lights|null, hot: Term|null) => void, answer?: (pointed: Pointed|null) => void,
 *   play?: (how: {duration: number, backwards: boolean}) => void, repaint?: (frame: Frame) => boolean}} View
 *   `repaint` shows other numbers in the same picture, where it can
 */
/** @typedef {(root: HTMLElement, space: Space, maps: Maps) => View} Mount */
/**
 * What a figure knows of the page: how it looks now, and who speaks.
 * @typedef {{theme: () => "light"|"dark", projector: () => boolean, say: (words: string) => void}} Look
 */

/** Room of a picture on a page that is read, in pixels. */
const HEIGHT = 300;
let figures = 0;

/**
 * A picture of one moment of a walk that lives outside the Walk page: its cells answer the pointer and open below it.
 * @param {HTMLElement} box @param {Walk} first @param {Partial<State>} place @param {Mount} mount @param {Look} look
 */
export function mountFigure(box, first, place, mount, look) {
  const undo = cleanups();
  const predictions = new Predictions();
  const picture = el("div", { class: "figure-picture" });
  const root = el("div", { class: "lens", role: "group", id: `lens-${(figures += 1)}`, tabindex: -1, hidden: true });
  root.setAttribute("aria-labelledby", `${root.id}-title`);
  box.append(picture, root);
  let walk = first;
  /** @type {State} */
  let state = { ...resting(look.theme(), look.projector()), ...place };
  /** @type {ReturnType<typeof mountLensController>|null} */
  let lens = null;
  /** @type {[Lights|null, Term|null]} */
  let shining = [null, null];
  const pointing = mountPointing((pointed) => view.answer?.(pointed));
  const maps = {
    pick: (/** @type {Parameters<Maps["pick"]>} */ ...args) => opened().pick(...args),
    enter: (/** @type {Parameters<Maps["enter"]>} */ ...args) => opened().enter(...args),
    extend: (/** @type {Parameters<Maps["extend"]>} */ ...args) => opened().pick(...args),
    follow: (/** @type {Term} */ term) => opened().follow(term),
    pointing,
  };
  const width = watchWidth(box, () => draw());
  const view = mount(picture, { width: () => width.now, height, large: look.projector }, maps);
  undo.add(width.unmount);
  undo.add(pointing.unmount);
  undo.add(() => view.unmount());
  undo.add(() => lens?.unmount());
  undo.on(box, "keydown", (event) => {
    if (event.key !== "Escape" || !state.cell || !lens) return;
    event.stopPropagation();
    lens.close();
  });

  /** @returns {number} */
  function height() {
    return look.projector() ? Math.max(240, innerHeight * 0.5) : HEIGHT;
  }

  /** @returns {Frame} */
  function frame() {
    return frameOf(walk, state, predictions);
  }

  /** @returns {ReturnType<typeof mountLensController>} mounted when a cell is first picked */
  function opened() {
    if (lens) return lens;
    lens = mountLensController(
      walk,
      {
        change,
        jump: change,
        say: look.say,
        tell: look.say,
        shine(lights, hot) {
          shining = [lights, hot];
          view.point?.(frame(), ...shining);
        },
      },
      root,
    );
    lens.update(frame());
    return lens;
  }

  /**
   * A figure stays at its step: a term that leads elsewhere opens here, as a number of another tensor.
   * @param {Partial<State>} next
   */
  function change(next) {
    const { step, node } = frame();
    const away = next.step === undefined || next.step === step.index ? null : walk.steps[walk.clamp(next.step)].node;
    const tensor = next.node ?? away ?? next.tensor ?? null;
    state = { ...state, ...next, step: step.index, node: state.node, view: state.view };
    if ("cell" in next) state.tensor = tensor === node.name ? null : tensor;
    const now = frame();
    opened().update(now);
    view.point?.(now, ...shining);
    box.dispatchEvent(new CustomEvent("gradwalk:opened", { bubbles: true }));
  }

  function draw() {
    const now = frame();
    pointing.update(now);
    view.update(now);
    lens?.update(now);
  }
  draw();

  return {
    picture,
    /** @param {Partial<State>} [next] another place of the same walk, or the same in another look */
    show(next = {}) {
      state = { ...state, ...next, theme: look.theme(), projector: look.projector() };
      draw();
    },
    /** @param {Partial<State>} next another place, which the next walk is drawn at */
    move(next) {
      state = { ...state, ...next };
    },
    /** @param {Walk} next with other numbers @param {boolean} rests whether they stay for now */
    update(next, rests) {
      walk = next;
      const { cell, of, tensor, path, trail } = state;
      if (lens && rests) {
        lens.unmount();
        lens = null;
        shining = [null, null];
      }
      const now = frame();
      pointing.update(now);
      if (!view.repaint?.(now)) view.update(now);
      if (cell && rests) change({ ...NOTHING, cell, of, tensor, path, trail });
    },
    /** @returns {boolean} whether anything may move */
    play() {
      if (reducedMotion() || !view.play) return false;
      view.play({ duration: motionTime(1), backwards: false });
      return true;
    },
    /** Opens the number that the state names. */
    open: () => opened(),
    frame,
    unmount() {
      undo.run();
      box.replaceChildren();
    },
  };
}
