import { badLink, makeLinkLoader } from "../editor/link-loader.js";
import { bodyOf, mistakesIn } from "../editor/request.js";
/**
 * What a page practises or trains: a lesson with its seed, or a program in the fragment, packed as Your code packs it.
 * @typedef {{lesson: string, seed: number|null, hash: string}} Subject
 */

/**
 * @param {Subject} subject @returns {Promise<string>} the walk request as JSON
 * @throws where the program of a link is not whole
 */
export async function requestOf({ lesson, seed, hash }) {
  if (!hash) return JSON.stringify(seed === null ? { lesson } : { lesson, seed });
  const links = makeLinkLoader();
  const draft = await links.open(hash);
  if (!draft) throw badLink(links.unopened, "Or choose another program above.");
  const [mistake] = mistakesIn(draft);
  if (mistake) throw badLink(`The program is not finished: ${mistake.message}`, "Open it in Your code to mend it.");
  return bodyOf(draft);
}
