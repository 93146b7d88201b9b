import { byId } from "../shared/dom/elements.js";
import { lazyView } from "../shared/dom/lazy-view.js";
import { RATE } from "../walk/rates.js";
import { canTrain } from "../walk/training-step.js";
/** @typedef {import("../walk/frame.js").Frame} Frame */

/**
 * A run of training that goes on from the walk, and is seen in it.
 * @param {import("../walk/walk.js").Walk} walk @param {import("./scene.js").Scene} scene
 * @param {import("./views-controller.js").Acts} acts
 * @param {{follow: (frame: Frame) => void, attempt: (changes: import("../walk/changes.js").Change[]) => void}} drawing
 */
export function makeRunning(walk, scene, acts, { follow, attempt }) {
  const view = lazyView(async () => {
    const { mountDownhillRun } = await import("../downhill/downhill-run-controller.js");
    return mountDownhillRun(walk, {
      data: byId("walk").dataset.trainedOn ?? "own",
      now: () => scene.frame,
      change: acts.change,
      follow,
      restore: () => scene.frame && attempt(scene.frame.state.changes),
      say: acts.say,
      tell: acts.tell,
      walkStep: acts.walkStep,
      train: acts.train,
    });
  }, acts.missing);
  let open = false;

  /**
   * The strip first, and the step once that is painted: of two frames neither is long.
   * @param {number} rate @param {(run: import("../downhill/downhill-run-controller.js").DownhillRun) => void} [then]
   */
  function begin(rate, then) {
    view.use((run) =>
      run.appear(rate, () => {
        acts.goOn(rate);
        then?.(run);
      }),
    );
  }

  const start = (/** @type {number} */ rate) => begin(rate, (run) => run.go());

  return {
    start,
    /** @param {Frame} frame that has been drawn */
    look({ state: { run } }) {
      if (run === null && !open) return;
      open = run !== null;
      view.use((one) => scene.frame && one.update(scene.frame));
    },
    /** @returns {boolean} whether play means the run: it is open, or goes on from the walk's end */
    play() {
      const { frame } = scene;
      if (!frame || frame.asking) return false;
      const { state, step } = frame;
      if (state.run === null && (step.index < walk.steps.length - 1 || !canTrain(walk))) return false;
      if (state.run === null) start(state.rate ?? RATE);
      else view.use((run) => run.go());
      return true;
    },
    unmount: view.unmount,
  };
}
