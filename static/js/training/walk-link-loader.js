import { draftOf } from "../editor/draft.js";
import { pack } from "../editor/link.js";
import { parseNumbersAsText } from "../editor/verbatim-json.js";
import { ApiError } from "../shared/api.js";
import { plantText } from "../walk/plant.js";
import { packStep } from "../walk/trained-step.js";
import { patiently, requestIn, walkOfRun } from "../run/training-api.js";
import { at } from "../shared/address.js";

/** Characters of a program that a link still holds. */
const LONGEST = 1_000_000;

/**
 * A step of a run as a link to its walk, with its minibatch and its weights: of a lesson the lesson's own walk, which
 * tells of it, and else that of a program.
 * @param {{run: string, place: 0|1, step: number|null}} of step null for the latest
 * @param {{lesson: string, hash: string}} subject what is trained
 * @param {string} back where the walk leads back to
 * @param {(error: ApiError) => boolean} waits hears that the step is being taken again
 * @returns {Promise<string>} @throws {ApiError}
 */
export async function loadWalkLink({ run, place, step }, subject, back, waits) {
  const text = await patiently(() => walkOfRun(run, step, place), waits);
  if (text.length > LONGEST) {
    const message = "This network has too many numbers for a link to its walk.";
    throw new ApiError({ code: "too-large", message, hint: "Train it with fewer hidden units to walk a step." }, 422);
  }
  const { step: taken, walk } = parseNumbersAsText(text);
  const query = new URLSearchParams({ step: "1", from: back });
  if (walk.plant) query.set("plant", plantText({ ...walk.plant, step: Number(walk.plant.step) }));
  if (subject.hash) return at(`/code?${query}${await pack(draftOf(walk))}`);
  const trained = await packStep({ taken: Number(taken), request: withoutPlant(requestIn(text)) });
  return at(`/walk/${encodeURIComponent(subject.lesson)}?${query}${trained}`);
}

/** @param {string} request @returns {string} without the mistake at its end, which the address says */
function withoutPlant(request) {
  const plant = request.lastIndexOf(',"plant":');
  return plant < 0 ? request : `${request.slice(0, plant)}}`;
}
