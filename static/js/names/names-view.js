import { drawHeatmap } from "../shared/heatmap-view.js";
import { cleanups, el } from "../shared/dom/elements.js";
import { mountPopover } from "../shared/dom/popover.js";
import { keyOf } from "../shell/keys.js";
import { Names } from "./names.js";
/** @typedef {import("../listing/listing.js").Row} Row */
/** @typedef {import("../walk/frame.js").Frame} Frame */
/** @typedef {import("./names.js").Known} Known */

const NAME = ".listing [data-name]";
const MOST = { width: 168, height: 64, cell: 10, rows: 4 };
const FOCUS_DELAY = 400;

/**
 * Every name in the code says what it is where it is pointed at, or its line has the focus: `i` goes on to the next
 * name of that line.
 * @param {import("../walk/walk.js").Walk} walk
 * @param {{now: () => Frame|null, go: (step: number) => void, say: (words: string) => void}} acts
 */
export function mountNames(walk, { now, go, say }) {
  const undo = cleanups();
  const names = new Names(walk);
  const popover = mountPopover(NAME, fill, (name) => name.closest(".row") ?? name);
  undo.add(popover.unmount);

  /** @param {HTMLElement} anchor @returns {Node[]|null} */
  function fill(anchor) {
    const frame = now();
    if (!frame || anchor.closest(".veiled .right, .veiled .operator")) return null;
    return card(names.known(anchor.dataset.name ?? "", frame), frame, go);
  }

  /** @param {Element} row @returns {HTMLElement[]} the names in a line that may be seen */
  const namesIn = (row) =>
    /** @type {HTMLElement[]} */ ([...row.querySelectorAll("[data-name]")]).filter(
      (name) => !name.closest(".veiled .right"),
    );

  undo.on(document, "focusin", ({ target }) => {
    if (!target.matches?.(".listing button.row:focus-visible")) return;
    const [first] = namesIn(target);
    if (first) popover.later(() => target.matches(":focus") && popover.show(first), FOCUS_DELAY);
  });
  undo.on(document, "keydown", (event) => {
    const row = document.activeElement?.closest(".listing button.row");
    if (event.key !== keyOf("names") || event.ctrlKey || event.metaKey || event.altKey || !row) return;
    const all = namesIn(row);
    const at = all.findIndex((name) => name.hasAttribute("aria-describedby"));
    const next = all[(at + 1) % all.length];
    if (!next) return;
    popover.show(next);
    say(popover.box.innerText.replace(/\s+/g, " "));
  });
  return { close: popover.close, unmount: undo.run };
}

/** @param {Known} known @param {Frame} frame @param {(step: number) => void} go @returns {Node[]} */
function card(known, frame, go) {
  const head = el(
    "p",
    { class: "name-head" },
    el("b", {}, known.title),
    known.shape ? el("span", { class: "name-shape" }, known.shape) : null,
    known.what ? el("span", { class: "name-what" }, known.what) : null,
  );
  const axes = known.axes ? el("p", { class: "name-axes" }, known.axes) : null;
  const holds = el("p", { class: "name-holds" }, known.holds);
  const lines = [lineList("made in", known.made, go), lineList("used in", known.used, go)];
  return [head, axes, picture(known, frame), holds, ...lines].filter((part) => part !== null);
}

/** @param {Known} known @param {Frame} frame @returns {HTMLElement|null} */
function picture({ tensor }, { state }) {
  if (!tensor) return null;
  const canvas = el("canvas", { class: "heat", "aria-hidden": "true" });
  const { rows, cols } = tensor.grid;
  const width = Math.min(MOST.width, cols * MOST.cell);
  const height = tensor.codes && rows > MOST.rows ? MOST.height * 1.6 : Math.min(MOST.height, Math.max(12, rows * 6));
  drawHeatmap(canvas, tensor, {
    max: tensor.largest,
    theme: state.theme,
    width,
    height,
    numbers: tensor.codes !== null,
  });
  return canvas;
}

/** @param {string} title @param {Row[]} rows @param {(step: number) => void} go @returns {HTMLElement|null} */
function lineList(title, rows, go) {
  if (!rows.length) return null;
  const links = rows.slice(0, MOST.rows * 3).map((row) => {
    const { step } = row;
    const props = { type: "button", class: "link", title: row.text.trim(), "data-go": step };
    const link = el("button", props, String(row.number));
    if (step === null) link.disabled = true;
    else link.addEventListener("click", () => go(step));
    return link;
  });
  const more = rows.length > links.length ? ` and ${rows.length - links.length} more` : "";
  return el("p", { class: "name-lines" }, `${title} line `, ...links.flatMap((link) => [link, " "]), more);
}
