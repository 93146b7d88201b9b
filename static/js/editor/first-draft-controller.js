import { copyIn } from "../walk/lesson-copy.js";
import { isTrained, unpackStep } from "../walk/trained-step.js";
import { isPacked } from "./link.js";
import { loadCopy, loadStarts } from "./starts-loader.js";
/** @typedef {import("./draft.js").Draft} Draft */
/** @typedef {import("./modes-controller.js").Desk} Desk */
/** @typedef {Awaited<ReturnType<typeof fillFirst>>} Filled */

const FIRST = "classifier";
const DIFFERS = "It was made with another list of names, so the lesson’s numbers are not the same here.";

/**
 * Fills the form with what the page opens with: the copy of a lesson that the address asks for, the program of a link,
 * the draft from before, or the first start.
 * @param {Pick<Desk, "form"|"storage">} desk @param {(error: unknown) => void} complain
 */
export async function fillFirst({ form, storage }, complain) {
  const asked = copyIn(new URL(location.href));
  const copy = await copied(asked, complain);
  const begun = await storage.begin(copy?.draft ?? null);
  if (begun.draft) form.begin(begun.draft, begun.before);
  else form.begin((await usualDraft()) ?? form.draft);
  return { ...begun, asked, copy };
}

/**
 * @param {import("../walk/lesson-copy.js").Copy|null} copy @param {(error: unknown) => void} complain
 * @returns {Promise<{title: string, draft: Draft}|null>} the lesson that the address asks a copy of
 */
async function copied(copy, complain) {
  if (!copy || isPacked(location.hash)) return null;
  try {
    return await loadCopy(copy, isTrained(location.hash) ? (await unpackStep(location.hash))?.request : null);
  } catch (error) {
    complain(error);
    return null;
  }
}

/** @returns {Promise<Draft|null>} what a first visit finds; null while the server does not answer */
async function usualDraft() {
  try {
    const starts = await loadStarts();
    return (starts.find(({ name }) => name === FIRST) ?? starts[0]).draft;
  } catch {
    return null;
  }
}

/**
 * Tells where the first draft comes from.
 * @param {Desk} desk @param {Filled} filled
 * @param {(words: string, seconds: number) => void} offer of the draft from before, which was put away
 */
export function tellFirst({ shell: { notice }, links }, { copy, before, damaged }, offer) {
  if (damaged) notice.show(links.unopened, null, 10);
  const opened = links.differs ? `Opened from the link. ${DIFFERS}` : "Opened from the link.";
  const told = copy ? `This is a copy of “${copy.title}”, to change as you like.` : opened;
  if (before) offer(`${told} The draft you had here is one Undo away.`, 10);
  else if (copy || links.differs) notice.show(told, null, 8);
}
