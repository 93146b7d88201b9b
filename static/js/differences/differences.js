import { spoken } from "../shared/prose.js";
/** @typedef {import("../walk/types.js").Problem} Problem */
/** @typedef {import("../lens/types.js").NudgeOfCell} NudgeOfCell */
/**
 * What central differences say of one gradient: of its sum along a direction, or of one cell, which may stand for
 * several.
 * @typedef {Omit<import("../lens/types.js").NudgeOfNode, "node"|"mode"> & {cell?: number[]}} Finding
 * @typedef {Finding & {node: string, mode: "direction"|"cells", sweep?: [number, JsonNumber][], cells?: NudgeOfCell[]}}
 *   Nudge
 * @typedef {import("../walk/types.js").JsonNumber} JsonNumber
 * @typedef {"idle"|"asking"|"failed"|"done"} Stage
 */

/** What a second question can't change. */
const SETTLED = new Set(["loss-not-finite", "node-empty"]);

/** @param {Problem|null} problem @returns {boolean} whether asking again may help */
export function mayAskAgain(problem) {
  return problem !== null && !SETTLED.has(problem.code);
}

/** What is known so far of a walk's gradients by central differences, the third oracle. */
export class Differences {
  constructor() {
    /** @type {Stage} */
    this.stage = "idle";
    /** @type {Problem|null} */
    this.problem = null;
    /** @type {Map<string, Finding>} */
    this.findings = new Map();
  }

  /** @param {Nudge[]} results one for each gradient of the walk */
  fill(results) {
    this.stage = "done";
    this.problem = null;
    for (const result of results) this.findings.set(result.node, result);
  }

  /** @param {Problem} problem said without its marks: it stands in plain text */
  fail(problem) {
    this.stage = "failed";
    this.problem = { ...problem, message: spoken(problem.message) };
  }
}
