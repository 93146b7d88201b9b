import { cleanups, el } from "../../shared/dom/elements.js";
import { button } from "../../shared/dom/button.js";
import { roving } from "../../shared/dom/roving-focus.js";
import { fillBench, focusBench } from "./bench-view.js";
/** @typedef {import("./board-view.js").Acts} Acts */
/** @typedef {import("./board-view.js").Frame} Frame */
/** @typedef {import("../types.js").Bug} Bug */
/** @typedef {import("../types.js").BugLine} BugLine */

/**
 * The backward lines, all alike; the one that is open has its bench below it.
 * @param {HTMLElement} root @param {Bug} bug @param {Acts} acts
 */
export function mountLines(root, bug, acts) {
  const undo = cleanups();
  const rows = bug.lines.map((line) => rowOf(line, acts));
  root.replaceChildren(...rows.map(({ item }) => item));
  undo.add(roving(root, ".bug-line").unmount);
  undo.add(() => root.replaceChildren());

  return {
    /** @param {Frame} frame */
    update(frame) {
      rows.forEach((row, i) => drawRow(row, bug, bug.lines[i], frame, acts));
    },
    /** @param {import("./game.js").Deed} deed */
    focus({ do: what, line }) {
      const row = rows[line ?? 0];
      focusBench(row.bench, what);
    },
    unmount: undo.run,
  };
}

/** @param {BugLine} line @param {Acts} acts */
function rowOf({ line, code }, acts) {
  const mark = el("span", { class: "mark" });
  const head = button(
    { class: "bug-line", "aria-expanded": "false", "data-line": line, tabindex: -1 },
    () => acts.open(line),
    el("span", { class: "number" }, String(line + 1)),
    el("code", {}, code),
    mark,
  );
  const bench = el("div", { class: "bench", hidden: true });
  return { item: el("li", {}, head, bench), head, bench, mark };
}

/**
 * @param {ReturnType<typeof rowOf>} row @param {Bug} bug @param {BugLine} line @param {Frame} frame @param {Acts} acts
 */
function drawRow({ item, head, bench, mark }, bug, line, frame, acts) {
  const open = frame.open === line.line;
  const { state, words } = stateOf(line.line, frame);
  item.dataset.state = state;
  mark.textContent = words;
  head.setAttribute("aria-expanded", String(open));
  bench.hidden = !open;
  if (open) fillBench(bench, bug, line, frame, acts);
  else bench.replaceChildren();
}

/** @param {number} line @param {Frame} frame @returns {{state: string, words: string}} what has been made of it */
function stateOf(line, { game, found, reveal }) {
  if (line === (reveal?.line ?? found)) return { state: "found", words: "✓ the bug is here" };
  const deeds = game.deeds.filter((deed) => deed.line === line);
  if (deeds.some((deed) => deed.do === "accuse")) return { state: "cleared", words: "not this one" };
  return deeds.length ? { state: "seen", words: "looked at" } : { state: "", words: "" };
}
