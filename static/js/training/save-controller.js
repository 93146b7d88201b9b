import { saveFile } from "../shared/save-file-controller.js";
import { byId, cleanups } from "../shared/dom/elements.js";
import { curveFile, parametersFile } from "./file-of-run.js";
import { patiently, requestIn, walkOfRun } from "../run/training-api.js";
/** @typedef {import("../run/run.js").Run} Run */
/**
 * @typedef {{runs: () => Run[], names: () => string[], id: () => string, place: () => 0|1,
 *   step: () => number|null|undefined, settings: () => Promise<string>, title: () => string,
 *   waits: (error: import("../shared/api.js").ApiError) => boolean, failed: (error: unknown) => void}} Subject
 */

/** Saves a run as files: curve, parameters, settings. @param {HTMLElement} root @param {Subject} subject */
export function mountSave(root, subject) {
  const undo = cleanups();
  /** @returns {Promise<string>} the step that is asked for; empty where the field says none */
  async function walk() {
    const step = subject.step();
    if (step === undefined) return "";
    return patiently(() => walkOfRun(subject.id(), step, subject.place()), subject.waits);
  }

  const saves = /** @type {Record<string, () => Promise<void>>} */ ({
    async curve() {
      saveFile(curveFile(subject.runs(), subject.names()), `${subject.title()}-curve.csv`, "text/csv");
    },
    async picture() {
      const canvas = /** @type {HTMLCanvasElement} */ (byId("curve"));
      const drawn = await new Promise((done) => canvas.toBlob(done, "image/png"));
      saveFile(drawn, `${subject.title()}-curve.png`, "image/png");
    },
    async parameters() {
      const text = await walk();
      if (!text) return;
      const { step, walk: told } = JSON.parse(text);
      saveFile(parametersFile(told), `${subject.title()}-step-${step}.safetensors`, "application/octet-stream");
    },
    async step() {
      const text = await walk();
      if (!text) return;
      saveFile(requestIn(text), `${subject.title()}-step-${JSON.parse(text).step}.json`, "application/json");
    },
    async settings() {
      saveFile(await subject.settings(), `${subject.title()}-settings.json`, "application/json");
    },
  });
  undo.on(root, "click", async ({ target }) => {
    try {
      await saves[target.closest("button")?.dataset.save ?? ""]?.();
    } catch (error) {
      subject.failed(error);
    }
  });
  return { unmount: undo.run };
}
