import { ApiError } from "../shared/api.js";
import { unpack } from "./link.js";
import { loadCopy } from "./starts-loader.js";
/** @typedef {import("./draft.js").Draft} Draft */

const CUT = "This link was cut off on its way: ask for it again.";

/** Opens links that hold a program; of the last one it knows what there is to say. */
export function makeLinkLoader() {
  let unopened = CUT;
  let differs = false;
  return {
    /** @param {string} hash @returns {Promise<Draft|null>} */
    open: async (hash) => {
      [unopened, differs] = [CUT, false];
      try {
        return await unpack(hash, { load: loadCopy, differs: () => (differs = true) });
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        unopened = `${error.problem.message} The link needs it: it holds changes to a lesson.`;
        return null;
      }
    },
    /** Why it did not open. */
    get unopened() {
      return unopened;
    },
    /** Whether its lesson has other tensors by now. */
    get differs() {
      return differs;
    },
  };
}

/** @param {string} message @param {string} hint @returns {ApiError} what is said of a link that leads to no program */
export function badLink(message, hint) {
  return new ApiError({ code: "link", message, hint }, 422);
}
