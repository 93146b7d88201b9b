import { byId } from "../shared/dom/elements.js";
import { makeDescentLoader } from "../ending/descent-loader.js";
import { makeEnding } from "../ending/ending-view.js";
import { mountExplanation } from "../explanation/explanation-view.js";
import { mountHeading } from "../explanation/heading-view.js";
import { mountGlossary } from "../glossary/glossary-view.js";
import { mountNames } from "../names/names-view.js";
import { makeAnswersLoader } from "../quiz/answers-loader.js";
import { mistake } from "../quiz/question-view.js";
import { mountExample } from "./example-view.js";
/** @typedef {import("../walk/frame.js").Frame} Frame */

/**
 * What is said of a step: its heading, its reason, the end of the walk, and what single words mean.
 * @param {import("../walk/walk.js").Walk} walk @param {import("./scene.js").Scene} scene
 * @param {import("./views-controller.js").Acts} acts @param {() => void} draw draws all anew
 */
export function makeWords(walk, scene, acts, draw) {
  const far = (/** @type {number} */ step) => acts.go(step, true);
  const told = (/** @type {(frame: Frame) => void} */ tell) => () => {
    if (scene.frame && !scene.frame.asking) tell(scene.frame);
  };
  const answers = makeAnswersLoader(
    walk,
    told((frame) => reason.update(frame)),
  );
  const descent = makeDescentLoader(walk, told(draw));
  const sizes = (/** @type {number} */ rate) => acts.open((sheets) => sheets.sizes(rate));
  const reason = mountExplanation(
    byId("reason"),
    makeEnding(walk, { go: far, descend: acts.descend, goOn: acts.goOn, sizes }, descent),
    (now) => mistake(now, answers),
  );
  const example = mountExample(walk, acts);
  const heading = mountHeading(byId("heading"), walk, example.root, () => acts.open((sheets) => sheets.menu()));
  const views = [
    ...[answers, descent, example, heading, mountGlossary(byId("story"))],
    mountNames(walk, { now: () => scene.frame, go: far, say: acts.say }),
    {
      update: (/** @type {Frame} */ frame) => (frame.asking ? reason.clear() : reason.update(frame)),
      unmount: reason.unmount,
    },
  ];
  return { button: heading.button, example, views };
}
