import { faultsText } from "./diagnosis.js";
import { spoken } from "../shared/prose.js";
import { counted } from "../shared/plural.js";
import { el } from "../shared/dom/elements.js";
import { prose } from "../shared/prose-view.js";
import { markShown } from "../shared/dom/shown.js";
/** @typedef {import("./draft.js").Draft} Draft */
/**
 * @typedef {{draft: Draft, mistakes: {id: number, message: string}[],
 *   faults: import("./diagnosis.js").Diagnosis[], at: number,
 *   fresh: boolean, reading: boolean, report: import("./line-notes.js").Report|null}} Standing `reading`: the text was
 *   pasted as a whole
 */

/**
 * One line at the foot of the program: how things stand. It keeps its last word while the next is worked out.
 * @param {HTMLElement} root @param {() => void} walk
 */
export function mountStatus(root, walk) {
  // one more place for the pointer: keys have the button above, and Ctrl Enter
  const go = el("button", { type: "button", class: "link", tabindex: -1 }, "Walk it");
  go.addEventListener("click", walk);
  return {
    /** @param {Standing} standing */
    update(standing) {
      const text = sentence(standing);
      root.classList.toggle("waits", text === null);
      if (text === null || !markShown(root, text, standing.faults[standing.at]?.problem.message, standing.at)) return;
      root.classList.toggle("wrong", standing.mistakes.length > 0 || standing.faults.length > 0);
      root.replaceChildren(...prose(text), unseen(standing), ...(isReady(standing) ? [" ", go] : []));
    },
    unmount: () => root.replaceChildren(),
  };
}

/** @param {Standing} standing */
function isReady({ draft, mistakes, faults, fresh, report }) {
  return fresh && draft.source.trim() !== "" && !mistakes.length && !faults.length && report !== null;
}

/** @param {Standing} standing @returns {string|null} null while there is nothing new to say */
function sentence({ draft, mistakes, faults, at, fresh, reading, report }) {
  if (!draft.source.trim()) return "Type or paste a forward pass, or begin from a starting point.";
  const diagnosis = faults[at];
  if (fresh && faults.length > 1) return faultsText(faults);
  if (fresh && diagnosis?.span) return `Line ${diagnosis.span.line} is not ready to walk.`;
  if (mistakes.length) return `${nameOf(draft, mistakes[0].id)}: ${mistakes[0].message}`;
  if (!fresh) return reading ? "Reading what was pasted…" : null;
  if (diagnosis) return diagnosis.problem.message;
  if (!report) return null;
  const { chunks, gradients, loss } = report;
  const [forward, backward] = [counted(chunks.length, "step"), counted(gradients, "gradient")];
  return `Ready to walk: ${forward} forward, ${backward} back from \`${loss}\`.`;
}

/** @param {Standing} standing @returns {HTMLElement|string} what the eye reads beside the line, for the ear */
function unseen({ faults, at, fresh }) {
  const diagnosis = faults[at];
  if (!fresh || !diagnosis?.span) return "";
  const { message, hint } = diagnosis.problem;
  const which = faults.length > 1 ? ` Fault ${at + 1}, line ${diagnosis.span.line}:` : "";
  return el("span", { class: "unseen" }, `${which} ${spoken(message)} ${spoken(hint ?? "")}`);
}

/** @param {Draft} draft @param {number} id */
function nameOf(draft, id) {
  const name = [...draft.tensors, ...draft.constants].find((row) => row.id === id)?.name;
  return name ? `\`${name}\`` : "a new row";
}
