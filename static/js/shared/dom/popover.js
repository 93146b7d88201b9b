import { cleanups, el } from "./elements.js";

/** Long enough to cross a word without a flash, short enough to seem at once; then time to reach the pop-over. */
const DELAY = { show: 120, hide: 200 };
const GAP = 6;
/** What does something, and is covered no longer once it has. */
const PRESSED = "button, a";
/** With these one moves into the box, or begins something longer. */
const UNHEARD = new Set(["Tab", "Shift", "Control", "Alt", "Meta"]);

/**
 * One small box beside whatever is pointed at, by mouse, finger or focus: it stays inside the window, covers neither
 * the word nor its line, can be moved into, and closes by Escape. Of a button it closes by a press and by any key, and
 * stays away until something else was pointed at.
 * @param {string} selector what has something to say
 * @param {(anchor: HTMLElement) => (Node|string)[]|null} fill what is said; null for nothing
 * @param {(anchor: HTMLElement) => Element} [lineOf] what must stay in sight, the word itself unless told otherwise
 */
export function mountPopover(selector, fill, lineOf = (anchor) => anchor) {
  const undo = cleanups();
  const id = `popover-${document.querySelectorAll(".popover").length}`;
  const box = el("div", { class: "popover", id, popover: "manual", role: "note" });
  (document.querySelector("main") ?? document.body).append(box); // in the top layer wherever it stands
  undo.add(() => box.remove());
  /** @type {HTMLElement|null} */
  let shown = null;
  let timer = 0;
  /** @type {Element|null} what was pressed, or stood under the pointer when a key was */
  let settled = null;

  /** @param {() => void} task @param {number} delay */
  function later(task, delay) {
    clearTimeout(timer);
    timer = setTimeout(task, delay);
  }

  function close() {
    clearTimeout(timer);
    if (!shown) return;
    if (shown.getAttribute("aria-describedby") === id) shown.removeAttribute("aria-describedby");
    shown = null;
    box.hidePopover();
  }

  /** @param {Element|null} anchor */
  function settle(anchor) {
    settled = anchor;
    close();
  }

  /** @param {HTMLElement} anchor */
  function show(anchor) {
    clearTimeout(timer);
    const said = anchor.isConnected ? fill(anchor) : null;
    close();
    if (!said) return;
    box.replaceChildren(...said);
    box.showPopover();
    shown = anchor;
    if (!anchor.hasAttribute("aria-describedby")) anchor.setAttribute("aria-describedby", id);
    place(anchor);
  }

  /** @param {HTMLElement} anchor */
  function place(anchor) {
    const [word, line] = [
      anchor.getClientRects()[0] ?? anchor.getBoundingClientRect(),
      lineOf(anchor).getBoundingClientRect(),
    ];
    const { offsetWidth: width, offsetHeight: height } = box;
    const below = line.bottom + GAP + height <= innerHeight - GAP;
    const above = line.top - GAP - height;
    box.style.left = `${Math.max(GAP, Math.min(word.left, innerWidth - width - GAP))}px`;
    box.style.top = `${below || above < GAP ? Math.min(line.bottom + GAP, innerHeight - height - GAP) : above}px`;
  }

  function follow() {
    if (!shown) return;
    const line = lineOf(shown).getBoundingClientRect();
    if (shown.isConnected && line.bottom > 0 && line.top < innerHeight) place(shown);
    else close();
  }

  undo.on(document, "pointerover", (event) => {
    if (box.contains(event.target)) return clearTimeout(timer);
    const anchor = event.target.closest?.(selector);
    if (anchor && anchor === settled) return;
    settled = null;
    if (!anchor) return shown && later(close, DELAY.hide);
    if (anchor === shown) clearTimeout(timer);
    else later(() => show(anchor), DELAY.show);
  });
  undo.on(document, "focusin", (event) => {
    const anchor = event.target.closest?.(selector);
    if (anchor?.matches(":focus-visible")) later(() => show(anchor), DELAY.show);
  });
  undo.on(document, "focusout", () => shown && !shown.matches(":hover") && later(close, DELAY.hide));
  undo.on(document.documentElement, "pointerleave", (event) => {
    if (event.pointerType !== "touch") later(close, DELAY.hide); // a finger leaves when it is lifted
  });
  undo.on(
    window,
    "keydown",
    (event) => {
      const leaves = event.key === "Escape";
      if (!shown || (!leaves && (UNHEARD.has(event.key) || !shown.matches(PRESSED)))) return;
      if (leaves) {
        event.stopImmediatePropagation();
        event.preventDefault();
      }
      settle(shown);
    },
    true,
  );
  undo.on(document, "click", (event) => {
    const pressed = event.target.closest?.(selector);
    if (pressed?.matches(PRESSED)) settle(pressed);
  });
  undo.on(document, "scroll", follow, true);
  undo.on(window, "resize", follow);
  undo.on(document, "gradwalk:step", follow);
  undo.add(close);
  return { show, later, close, box, unmount: undo.run };
}
