import { besideLine } from "../beside-line.js";
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
  return new Popover(selector, fill, lineOf);
}

class Popover {
  /**
   * @param {string} selector @param {(anchor: HTMLElement) => (Node|string)[]|null} fill
   * @param {(anchor: HTMLElement) => Element} lineOf
   */
  constructor(selector, fill, lineOf) {
    this.selector = selector;
    this.fill = fill;
    this.lineOf = lineOf;
    const id = `popover-${document.querySelectorAll(".popover").length}`;
    this.box = el("div", { class: "popover", id, popover: "manual", role: "note" });
    (document.querySelector("main") ?? document.body).append(this.box); // in the top layer wherever it stands
    /** @type {HTMLElement|null} */
    this.shown = null;
    this.timer = 0;
    /** @type {Element|null} what was pressed, or stood under the pointer when a key was */
    this.settled = null;
    this.unmount = this.listen();
  }

  /** @returns {() => void} */
  listen() {
    const undo = cleanups();
    undo.add(() => this.box.remove());
    undo.on(document, "pointerover", (event) => this.pointedAt(event.target));
    undo.on(document, "focusin", (event) => {
      const anchor = event.target.closest?.(this.selector);
      if (anchor?.matches(":focus-visible")) this.later(() => this.show(anchor), DELAY.show);
    });
    undo.on(document, "focusout", () => {
      if (this.shown && !this.shown.matches(":hover")) this.later(this.close, DELAY.hide);
    });
    undo.on(document.documentElement, "pointerleave", (event) => {
      if (event.pointerType !== "touch") this.later(this.close, DELAY.hide); // a finger leaves when it is lifted
    });
    undo.on(window, "keydown", (event) => this.press(event), true);
    undo.on(document, "click", (event) => {
      const pressed = event.target.closest?.(this.selector);
      if (pressed?.matches(PRESSED)) this.settle(pressed);
    });
    const follow = () => this.follow();
    undo.on(document, "scroll", follow, true);
    undo.on(window, "resize", follow);
    undo.on(document, "gradwalk:step", () => this.renew());
    undo.add(this.close);
    return undo.run;
  }

  /** @type {(task: () => void, delay: number) => void} */
  later = (task, delay) => {
    clearTimeout(this.timer);
    this.timer = setTimeout(task, delay);
  };

  close = () => {
    clearTimeout(this.timer);
    if (!this.shown) return;
    if (this.shown.getAttribute("aria-describedby") === this.box.id) this.shown.removeAttribute("aria-describedby");
    this.shown = null;
    this.box.hidePopover();
  };

  /** @type {(anchor: HTMLElement) => void} */
  show = (anchor) => {
    clearTimeout(this.timer);
    const said = anchor.isConnected ? this.fill(anchor) : null;
    this.close();
    if (!said) return;
    this.box.replaceChildren(...said);
    this.box.showPopover();
    this.shown = anchor;
    if (!anchor.hasAttribute("aria-describedby")) anchor.setAttribute("aria-describedby", this.box.id);
    this.place(anchor);
  };

  /** @param {Element|null} anchor */
  settle(anchor) {
    this.settled = anchor;
    this.close();
  }

  /** @param {HTMLElement} anchor */
  place(anchor) {
    const word = anchor.getClientRects()[0] ?? anchor.getBoundingClientRect();
    const { offsetWidth: width, offsetHeight: height } = this.box;
    const room = { width: innerWidth, height: innerHeight };
    const spot = besideLine(this.lineOf(anchor).getBoundingClientRect(), word.left, { width, height }, room, GAP);
    this.box.style.left = `${spot.left}px`;
    this.box.style.top = `${spot.top}px`;
  }

  follow() {
    if (!this.shown) return;
    const line = this.lineOf(this.shown).getBoundingClientRect();
    if (this.shown.isConnected && line.bottom > 0 && line.top < innerHeight) this.place(this.shown);
    else this.close();
  }

  /** At another step something else may be known of it. */
  renew() {
    const isRead = this.box.contains(document.activeElement);
    const said = this.shown?.isConnected && !isRead ? this.fill(this.shown) : null;
    if (said) this.box.replaceChildren(...said);
    this.follow();
  }

  /** @param {Element} target */
  pointedAt(target) {
    if (this.box.contains(target)) return clearTimeout(this.timer);
    const anchor = /** @type {HTMLElement|null|undefined} */ (target.closest?.(this.selector));
    if (anchor && anchor === this.settled) return;
    this.settled = null;
    if (!anchor) return this.shown ? this.later(this.close, DELAY.hide) : undefined;
    if (anchor === this.shown) clearTimeout(this.timer);
    else this.later(() => this.show(anchor), DELAY.show);
  }

  /** @param {KeyboardEvent} event */
  press(event) {
    const leaves = event.key === "Escape";
    if (!this.shown || (!leaves && (UNHEARD.has(event.key) || !this.shown.matches(PRESSED)))) return;
    if (leaves) {
      event.stopImmediatePropagation();
      event.preventDefault();
    }
    this.settle(this.shown);
  }
}
