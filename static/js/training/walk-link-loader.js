import { draftOf } from "../editor/draft.js";
import { pack } from "../editor/link.js";
import { parseNumbersAsText } from "../editor/verbatim-json.js";
import { ApiError } from "../shared/api.js";
import { plantText } from "../walk/plant.js";
import { patiently, walkOfRun } from "./training-api.js";

/** Characters of a program that a link still holds. */
const LONGEST = 1_000_000;

/**
 * A step of a run as a link to its walk: its minibatch and its weights as tensors of a program.
 * @param {string} run @param {number|null} step null for the latest @param {string} back where the walk leads back to
 * @param {(error: ApiError) => boolean} waits hears that the step is being taken again
 * @returns {Promise<string>} @throws {ApiError}
 */
export async function loadWalkLink(run, step, back, waits) {
  const text = await patiently(() => walkOfRun(run, step), waits);
  if (text.length > LONGEST) {
    const message = "This network has too many numbers for a link to its walk.";
    throw new ApiError({ code: "too-large", message, hint: "Train it with fewer hidden units to walk a step." }, 422);
  }
  const { walk } = parseNumbersAsText(text);
  const query = new URLSearchParams({ step: "1", from: back });
  if (walk.plant) query.set("plant", plantText({ ...walk.plant, step: Number(walk.plant.step) }));
  return `/code?${query}${await pack(draftOf(walk))}`;
}
