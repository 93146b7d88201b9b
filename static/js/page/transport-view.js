import { hallKey } from "./hall-key.js";
import { drawScale } from "../shared/heatmap-view.js";
import { playingWords, speedWords } from "../walk/tempo.js";
import { canTrain } from "../walk/training-step.js";
import { whereabouts } from "../walk/whereabouts.js";
import { byId, cleanups, el } from "../shared/dom/elements.js";
import { labelOf } from "../shell/keys.js";
import { differing } from "../shared/differing.js";
/** @typedef {import("../walk/frame.js").Frame} Frame */
/**
 * @typedef {{back: () => void, next: () => void, play: () => void, pace: (speed: number) => void, replay: () => void}}
 *   Acts
 */

/** Back, play, next, the speed and the count. @param {Acts} acts */
export function mountTransport(acts) {
  const undo = cleanups();
  const [back, play, next, count, hint, where] = ["back", "play", "next", "count", "hint", "where"].map(byId);
  const speed = /** @type {HTMLSelectElement} */ (byId("speed"));
  const [key, scale, largest] = [byId("hall-key"), ...byId("hall-key").children];
  let pointed = false;
  const [differs, begins] = [differing(), differing()];

  /** @param {boolean} playing */
  function label(playing) {
    play.setAttribute("aria-label", playing ? "Pause" : "Play");
    play.querySelector("use")?.setAttribute("href", playing ? "#i-pause" : "#i-play");
  }
  undo.on(back, "click", acts.back);
  undo.on(play, "click", acts.play);
  undo.on(next, "click", acts.next);
  undo.on(byId("replay"), "click", acts.replay);
  speed.replaceChildren(...SPEEDS.map((at) => el("option", { value: at }, `${at} · ${speedWords(at)}`)));
  undo.on(speed, "pointerdown", () => (pointed = true));
  undo.on(speed, "keydown", () => (pointed = false));
  undo.on(speed, "change", () => {
    acts.pace(Number(speed.value));
    // whoever chose with the pointer means the walk with the next key
    if (pointed) speed.blur();
  });
  // all hints lie in one place and one is seen, so that the score beside them keeps its width
  hint.replaceChildren(...HINTS.map((text) => el("span", {}, text)));
  return {
    /** @param {Frame} frame */
    update(frame) {
      const { step, walk, state, pick } = frame;
      const words = state.projector ? hallKey(frame) : "";
      key.hidden = !words;
      largest.textContent = words;
      if (words) drawScale(/** @type {HTMLCanvasElement} */ (scale), state.theme);
      const last = walk.steps.length - 1;
      back.setAttribute("aria-disabled", String(step.index === 0));
      next.setAttribute("aria-disabled", String(step.index === last));
      if (differs(state.playing)) label(state.playing);
      speed.value = String(state.speed);
      count.textContent = `${step.index + 1} / ${walk.steps.length}`;
      where.textContent = whereabouts(walk, step);
      where.className = `where is-${step.direction}`;
      count.style.minWidth = `${2 * String(walk.steps.length).length + 3}ch`;
      const shown = state.playing ? (pick ? HELD : PLAYS) : hintFor(step.index, walk);
      if (begins(step.index === 0)) hint.children[0].textContent = step.index ? USUAL : beginning(walk);
      HINTS.forEach((text, i) => hint.children[i].toggleAttribute("data-away", text !== shown));
    },
    unmount: undo.run,
  };
}

const SPEEDS = [1, 2, 3, 4, 5, 6, 7, 8, 9];
const [NEXT, BACK, FIRST, PLAY, HELP] = ["next", "back", "first", "play", "help"].map(labelOf);
const [TURN, END, ON, HELD, PLAYS, USUAL] = [
  `${NEXT} turns around: backward`,
  `the end · ${FIRST} starts again`,
  `the end · ${PLAY} goes on downhill`,
  "waits while a number is open",
  `playing · ${PLAY} stops`,
  `${BACK} ${NEXT} step · ${PLAY} plays · ${HELP} keys`,
];
const HINTS = [USUAL, TURN, END, ON, HELD, PLAYS];

/** @param {import("../walk/walk.js").Walk} walk @returns {string} how long it is, which one asks before one begins */
function beginning({ steps }) {
  return `${PLAY} plays all, ${playingWords(steps)} · ${HELP} keys`;
}

/**
 * @param {number} index of a step @param {import("../walk/walk.js").Walk} walk @returns {string} what to press next
 */
function hintFor(index, walk) {
  if (index === walk.forwardCount - 1) return TURN;
  if (index < walk.steps.length - 1) return USUAL;
  return canTrain(walk) ? ON : END;
}
