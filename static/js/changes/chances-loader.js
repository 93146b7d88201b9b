import { withOtherChanges } from "../walk/changes.js";
import { requestOnly } from "../walk/walk-api.js";
import { Tensor } from "../shared/tensor.js";
import { ApiError } from "../shared/api.js";
import { chancesOf, scoresOf } from "./chances.js";
/** @typedef {import("./chances.js").Chances} Chances */
/** @typedef {import("../walk/changes.js").Change} Change */
/** @typedef {import("../walk/types.js").StepTensors} StepTensors */
/** @typedef {import("../walk/types.js").Wire} Wire */
/** @typedef {import("../walk/walk.js").Walk} Walk */

/** What the network gives each class, as the walk is and as changes make it. @param {Walk} walk */
export function makeChancesLoader(walk) {
  // never used: a request that is aborted takes its worker along
  const { signal } = new AbortController();
  const scores = scoresOf(walk);

  /** @param {Wire|null|undefined} wire @returns {Chances|null} null where a change leaves the scores no gradient */
  const chances = (wire) => (wire ? chancesOf(walk, new Tensor(wire)) : null);

  return {
    offered: scores !== undefined,
    /** @param {StepTensors} sent @returns {Chances|null} */
    read: (sent) => (scores ? chances(sent.nodes[scores.name]?.manual) : null),
    /** @param {Change[]} kept that the walk is made with @param {Change[]} changes @returns {Promise<Chances|null>} */
    async look(kept, changes) {
      if (!scores) return null;
      const gradient = `d${scores.variable}`;
      try {
        const asked = withOtherChanges(walk.request, kept, changes);
        return chances((await requestOnly(asked, [gradient], signal)).tensors[gradient]);
      } catch (error) {
        if (error instanceof ApiError) return null; // without them the number can be moved all the same
        throw error;
      }
    },
  };
}
