import { Differences } from "./differences.js";
import { ApiError } from "../shared/api.js";
import { ask } from "../walk/walk-api.js";
import { idle } from "../shared/idle-tasks.js";
/** @typedef {import("../walk/walk.js").Walk} Walk */

const CALM = 1200;

/**
 * Asks central differences about every gradient of a walk, once, when nothing has moved for a while.
 * @param {Walk} walk @param {() => void} changed
 */
export function makeDifferencesLoader(walk, changed) {
  const differences = new Differences();
  const job = idle();
  const request = new AbortController();
  const any = walk.document.nodes.some((node) => node.gradient);

  async function askAll() {
    if (differences.stage === "asking") return;
    differences.stage = "asking";
    changed();
    try {
      const { results } = await ask("/api/numeric", walk, { node: "*", mode: "direction" }, request.signal);
      differences.fill(results);
    } catch (error) {
      if (request.signal.aborted) return;
      differences.fail(
        error instanceof ApiError ? error.problem : { code: "page", message: "The answer could not be read." },
      );
      if (!(error instanceof ApiError)) console.error(error);
    }
    changed();
  }

  return {
    differences,
    /** The page has moved: wait anew. */
    moved: () => {
      if (any && differences.stage === "idle") job.start(CALM, [askAll]);
    },
    again: () => void askAll(),
    /** One gradient was asked about alone. @param {import("./differences.js").Nudge} nudge */
    found: (nudge) => {
      differences.findings.set(nudge.node, nudge);
      changed();
    },
    unmount: () => {
      job.cancel();
      request.abort();
    },
  };
}
