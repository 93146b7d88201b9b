import { doubled } from "./beginning.js";
import { offers, offersAt, placeAt } from "./completion.js";
import { marked } from "./marks.js";
import { shapeText } from "../shared/format.js";
import { cleanups, el } from "../shared/dom/elements.js";
/** @typedef {import("./completion.js").Named} Named */
/** @typedef {import("./marks.js").Where} Where */
/**
 * @typedef {{check: (text: string) => void, typed: (text: string) => void, leave?: () => void}} Acts `check`: Enter
 *   was pressed; `leave`: Escape was
 */

const INDENT = "    ";
const GAP = 4;
let fields = 0;

/**
 * A field for a line or several: a text area over its own copy, where characters can be marked, with the names in scope
 * offered while one is typed. Enter checks, Shift+Enter begins a line; undo stays the browser's.
 * @param {{label: string, beginning: string}} about `beginning` is put into an empty field that gets the focus
 * @param {Acts} acts
 */
export function mountField({ label, beginning }, acts) {
  const undo = cleanups();
  const id = `field-${(fields += 1)}`;
  const mirror = el("pre", { class: "field-copy", "aria-hidden": "true" });
  const area = el("textarea", {
    class: "field-text",
    id,
    rows: 1,
    "aria-label": label,
    "aria-autocomplete": "list",
    "aria-haspopup": "listbox",
    spellcheck: "false",
    autocapitalize: "off",
    autocomplete: "off",
    autocorrect: "off",
    enterkeyhint: "go",
  });
  const list = el("ul", { class: "offers", id: `${id}-offers`, role: "listbox", popover: "manual" });
  list.setAttribute("aria-label", "Names in scope");
  const root = el("div", { class: "field" }, mirror, area, list);
  /** @type {Named[]} */
  let scope = [];
  /** @type {Named[]} */
  let offered = [];
  let chosen = -1;
  /** @type {Where|null} */
  let where = null;

  function paint() {
    const lines = marked(area.value, where).map((pieces) =>
      el(
        "span",
        { class: "field-line" },
        ...pieces.map(({ text, marked }) => (marked ? el("span", { class: "mistake" }, text) : text)),
        "\u200b",
      ),
    );
    mirror.replaceChildren(...lines);
    root.classList.toggle("empty", area.value.trim() === "" || area.value === beginning);
  }

  /** @param {string} text so that the browser's undo knows of it */
  function insert(text) {
    // the old command is the only way to do that
    if (!document.execCommand("insertText", false, text)) {
      area.setRangeText(text, area.selectionStart, area.selectionEnd, "end");
      changed();
    }
  }

  function changed() {
    where = null;
    paint();
    acts.typed(area.value);
  }

  /** @param {Named[]} found */
  function offer(found) {
    offered = found;
    choose(-1);
    if (!found.length) return close();
    list.replaceChildren(...found.map(optionOf));
    if (!list.matches(":popover-open")) list.showPopover();
    area.setAttribute("aria-controls", list.id);
    place();
  }

  /** @param {Named} named @param {number} i */
  function optionOf({ name, shape }, i) {
    return el(
      "li",
      { role: "option", id: `${list.id}-${i}`, "aria-selected": "false", "data-at": i },
      el("span", {}, name),
      el("span", { class: "shape" }, shape ? shapeText(shape) : ""),
    );
  }

  /** Below the line of the caret, at the beginning of the name. */
  function place() {
    const spot = placeAt(area.value, area.selectionStart);
    const above = area.value.slice(0, spot?.from ?? area.selectionStart).split("\n");
    const line = mirror.children[above.length - 1]?.getBoundingClientRect();
    if (!line) return;
    const letter = parseFloat(getComputedStyle(mirror).getPropertyValue("font-size")) * 0.6;
    const { offsetWidth: width, offsetHeight: height } = list;
    const left = line.left + above[above.length - 1].length * letter;
    const below = line.bottom + GAP + height <= innerHeight - GAP;
    list.style.left = `${Math.max(GAP, Math.min(left, innerWidth - width - GAP))}px`;
    list.style.top = `${below ? line.bottom + GAP : Math.max(GAP, line.top - GAP - height)}px`;
  }

  function close() {
    offered = [];
    area.removeAttribute("aria-activedescendant");
    area.removeAttribute("aria-controls");
    if (list.matches(":popover-open")) list.hidePopover();
  }

  /** @param {number} next */
  function choose(next) {
    list.children[chosen]?.setAttribute("aria-selected", "false");
    chosen = next;
    const option = list.children[chosen];
    option?.setAttribute("aria-selected", "true");
    option?.scrollIntoView({ block: "nearest" });
    if (option) area.setAttribute("aria-activedescendant", option.id);
    else area.removeAttribute("aria-activedescendant");
  }

  /** @param {Named} named takes the place of what is being typed */
  function take({ name }) {
    const spot = placeAt(area.value, area.selectionStart);
    close();
    if (!spot) return;
    area.setSelectionRange(spot.from, spot.to);
    insert(name);
    close();
  }

  /** A new line begins where the last one does, further in after a colon. */
  function newLine() {
    const line = area.value.slice(0, area.selectionStart).split("\n").pop() ?? "";
    insert(`\n${/^\s*/.exec(line)?.[0] ?? ""}${/:\s*(?:#.*)?$/.test(line) ? INDENT : ""}`);
    close();
  }

  /** @param {KeyboardEvent} event */
  function press(event) {
    if (event.isComposing || event.altKey || event.metaKey) return;
    const open = offered.length > 0;
    const key = event.ctrlKey ? `Ctrl+${event.key}` : event.key;
    const acted = /** @type {Record<string, () => void>} */ ({
      Enter: () => {
        if (open && chosen >= 0) return take(offered[chosen]);
        if (event.shiftKey) return newLine();
        close();
        acts.check(area.value);
      },
      "Ctrl+Enter": () => acts.check(area.value),
      "Ctrl+ ": () => offer(offers(scope, placeAt(area.value, area.selectionStart)?.word ?? "")),
      ...(open
        ? {
            ArrowDown: () => choose((chosen + 1) % offered.length),
            ArrowUp: () => choose((chosen <= 0 ? offered.length : chosen) - 1),
            Escape: close,
          }
        : acts.leave && { Escape: acts.leave }),
    })[key];
    if (!acted) return;
    event.preventDefault();
    event.stopPropagation();
    acted();
  }

  /** A whole line behind the beginning brings its own: the first goes, and the caret stays where it is. */
  function beginOnce() {
    const [twice, caret] = [doubled(area.value, beginning), area.selectionStart];
    if (!twice) return;
    area.setSelectionRange(0, twice);
    if (!document.execCommand("delete")) area.setRangeText("", 0, twice, "end");
    area.setSelectionRange(caret - twice, caret - twice);
  }

  undo.on(area, "keydown", press);
  undo.on(area, "input", () => {
    beginOnce();
    changed();
    offer(offersAt(scope, area.value, area.selectionStart));
  });
  undo.on(area, "focus", () => {
    if (area.value !== "") return;
    area.value = beginning;
    area.setSelectionRange(beginning.length, beginning.length);
    changed();
  });
  undo.on(area, "blur", () => {
    close();
    if (area.value === beginning) {
      area.value = "";
      changed();
    }
  });
  undo.on(area, "scroll", close);
  undo.on(window, "resize", close);
  undo.on(document, "scroll", (event) => !list.contains(event.target) && offered.length && place(), true);
  undo.on(list, "pointerdown", (event) => {
    event.preventDefault(); // the field keeps the focus
    const option = event.target.closest("[data-at]");
    if (option) take(offered[Number(option.dataset.at)]);
  });
  paint();
  return {
    root,
    area,
    /** @param {string} text put in by the page */
    place(text) {
      if (area.value === text || (text === "" && area.value === beginning && document.activeElement === area)) return;
      area.value = text;
      where = null;
      paint();
    },
    /** @param {Where|null} next the characters that a diagnosis speaks of */
    mark(next) {
      if (JSON.stringify(next) === JSON.stringify(where)) return;
      where = next;
      paint();
    },
    /** @param {Named[]} next */
    scope(next) {
      scope = next;
    },
    unmount() {
      close();
      undo.run();
    },
  };
}
