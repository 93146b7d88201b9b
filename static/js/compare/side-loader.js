import { badLink, makeLinkLoader } from "../editor/link-loader.js";
import { isPacked } from "../editor/link.js";
import { bodyOf, mistakesIn } from "../editor/request.js";
import { loadCopy } from "../editor/starts-loader.js";
import { withChanges } from "../walk/changes.js";
import { copyIn } from "../walk/lesson-copy.js";
import { withPlant } from "../walk/plant.js";
import { isTrained, unpackStep, withRounding } from "../walk/trained-step.js";
import { placeOf } from "../walk/url.js";
import { urlOf, walkLink } from "../walk/side-by-side.js";

const NO_WALK = "Paste the address of a walk or of Your code, or write a lesson’s name.";

/**
 * @param {string} link @returns {Promise<string>} the walk that it leads to, as the JSON text that asks for it
 * @throws where it leads to none
 */
export async function requestOf(link) {
  const url = urlOf(walkLink(link) ?? "");
  if (!url) throw badLink(`“${link.slice(0, 80)}” is no link of a walk.`, NO_WALK);
  const place = placeOf(url, "");
  const walked = await programOf(url, place);
  return withChanges(withPlant(walked, place.plant), place.changes);
}

/** @param {URL} url @param {import("../walk/url.js").Place} place */
async function programOf(url, { lesson, seed, word, exact }) {
  if (isTrained(url.hash)) {
    const step = await unpackStep(url.hash);
    if (!step) throw badLink("A link of a training step was cut off on its way.", "Ask for it again.");
    return withRounding(step.request, exact);
  }
  if (url.pathname === "/code") return ownProgram(url, exact);
  return JSON.stringify({ lesson, ...(seed === null ? {} : { seed }), ...(word ? { word } : {}), exact });
}

/** @param {URL} url @param {boolean} exact */
async function ownProgram(url, exact) {
  const copy = copyIn(url);
  if (!isPacked(url.hash) && copy) return bodyOf((await loadCopy(copy)).draft, exact);
  const links = makeLinkLoader();
  const draft = isPacked(url.hash) ? await links.open(url.hash) : null;
  if (!draft) throw badLink(isPacked(url.hash) ? links.unopened : "That link holds no program.", NO_WALK);
  const [mistake] = mistakesIn(draft);
  if (mistake) throw badLink(`The program is not finished: ${mistake.message}`, "Open it in Your code to mend it.");
  return bodyOf(draft, exact);
}
