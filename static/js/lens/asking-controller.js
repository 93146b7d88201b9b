import { ApiError } from "../shared/api.js";
import { keyOf, makeCellLoader } from "./cell-loader.js";
import { highlightsOf } from "./highlights.js";
import { lensWords } from "./lens.js";
import { hopsText } from "../walk/trail.js";
import { afterPaint } from "../shared/dom/after-paint.js";
/** @typedef {import("../walk/frame.js").Frame} Frame */
/** @typedef {import("../walk/pick.js").Pick} Pick */
/** @typedef {import("./lens.js").Answer} Answer */
/** @typedef {import("./lens.js").Term} Term */

/**
 * What the number that is looked into is made of: asked for, shown once it is known, and told.
 * @param {import("./lens-controller.js").Looking} looking @param {import("../walk/walk.js").Walk} walk
 * @param {import("./lens-controller.js").Acts} acts @param {ReturnType<typeof import("./lens-view.js").mountLens>} lens
 * @param {(term: Term) => void} follow
 */
export function makeAsking(looking, walk, acts, lens, follow) {
  const cells = makeCellLoader(walk, {
    answered(key, made) {
      if (looking.frame?.pick && keyOf(looking.frame.pick) === key) arrive(looking.frame, looking.frame.pick, made);
    },
    failed(key, error) {
      if (!looking.frame?.pick || keyOf(looking.frame.pick) !== key) return;
      if (!(error instanceof ApiError)) throw error;
      lens.fail(error.problem);
    },
  });
  /** @param {Frame} frame @param {Pick} pick @param {Answer} answer */
  function arrive(frame, pick, answer) {
    const { focused } = lens;
    const fresh = keyOf(pick) !== looking.told;
    looking.answer = answer;
    lens.show(frame, pick, answer, fresh && looking.opened);
    acts.shine(highlightsOf(answer), null);
    if (!fresh) return;
    if (focused) lens.focus(looking.from);
    Object.assign(looking, { told: keyOf(pick), opened: false, from: null });
    acts.say(lensWords(walk, answer, pick) + hopsText(walk, frame.state.trail));
    afterPaint(painted);
    const [first] = looking.eager ? answer.terms : [];
    looking.eager = first ? looking.eager - 1 : 0;
    if (first) follow(first);
  }

  /** @param {Frame} frame @param {boolean} [again] */
  function ask(frame, again = false) {
    const { pick } = frame;
    if (!pick) return;
    const known = cells.known(pick);
    if (known && !again) return arrive(frame, pick, known);
    // what another tensor's number lit up means nothing here
    if (looking.answer && (looking.answer.tensor !== pick.tensor || looking.answer.which !== pick.which)) forget();
    lens.wait(frame, pick);
    cells.ask(pick);
  }

  function forget() {
    looking.answer = null;
    acts.shine(null, null);
  }

  return { ask, forget, drop: cells.drop, unmount: cells.unmount };
}

function painted() {
  performance.mark("gradwalk:lens");
  document.dispatchEvent(new CustomEvent("gradwalk:lens"));
}
