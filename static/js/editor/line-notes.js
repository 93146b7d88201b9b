import { moved } from "./diagnosis.js";
/** @typedef {import("./types.js").CheckedLine} Chunk */
/** @typedef {import("./types.js").CheckReport} Report */
/** @typedef {Chunk & {stale: boolean}} LineNote */

/**
 * What stands beside the lines: of the last program that was accepted, as far as its lines are still there.
 * @param {{source: string, report: Report}|null} last @param {string} source
 * @param {number|null} wrongLine below it nothing is known
 * @param {boolean} fresh whether the report is about this very text
 * @returns {LineNote[]} one a line, the last of a loop's
 */
export function lineNotes(last, source, wrongLine, fresh) {
  if (!last) return [];
  const place = moved(last.source.split("\n"), source.split("\n"));
  /** @type {Map<number, LineNote>} */
  const notes = new Map();
  for (const chunk of last.report.chunks) {
    const line = place(chunk.line);
    if (line === null || (wrongLine !== null && line >= wrongLine)) continue;
    notes.set(line, { ...chunk, line, opens: chunk.opens && fresh, stale: !fresh });
  }
  return [...notes.values()];
}
