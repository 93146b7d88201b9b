import { cleanups, el } from "../shared/dom/elements.js";
import { mountProjectorScreen } from "../shared/projector-screen-view.js";
import { mountSlideFit } from "./slide-fit-view.js";

/**
 * On a projector: one part at a time, turned over with the keys of a remote.
 * @param {HTMLElement[]} parts of which a short text and the figure after it are turned over together
 * @param {HTMLElement} button
 * @param {{changed: (on: boolean) => void, shown: (parts: number[]) => void, now: () => number}} hears `now`: the part
 *   that is being read
 */
export function mountSlides(parts, button, { changed, shown, now }) {
  const undo = cleanups();
  let at = -1;
  const slides = slidesOf(parts);
  const count = el("p", { class: "slide-count", "aria-hidden": "true" });
  const screen = mountProjectorScreen(toggle);
  const fit = mountSlideFit(/** @type {HTMLElement} */ (parts[0].parentElement));
  document.body.append(count);
  undo.add(screen.unmount);
  undo.add(() => count.remove());
  undo.add(fit.release);

  const on = () => document.body.classList.contains("projector");

  function toggle() {
    const next = !on();
    const place = now();
    document.body.classList.toggle("projector", next);
    button.setAttribute("aria-pressed", String(next));
    screen.blacken(false);
    if (next) show(slides.findIndex((slide) => slide.includes(place)));
    else {
      fit.release();
      parts.forEach((part) => part.classList.remove("slide"));
    }
    changed(next);
    if (!next) parts[slides[Math.max(0, at)][0]].scrollIntoView({ block: "start" });
  }

  /** @param {number} slide */
  function show(slide) {
    at = Math.max(0, Math.min(slides.length - 1, slide));
    parts.forEach((one, i) => one.classList.toggle("slide", slides[at].includes(i)));
    count.textContent = `${at + 1} / ${slides.length}`;
    // the keys of a remote turn slides over, and move no number that was in the hand before
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
    window.scrollTo(0, 0);
    fit.renew();
    shown(slides[at]);
  }

  const keys = /** @type {Record<string, () => void>} */ ({
    ArrowRight: () => show(at + 1),
    PageDown: () => show(at + 1),
    " ": () => show(at + 1),
    ArrowLeft: () => show(at - 1),
    PageUp: () => show(at - 1),
    Home: () => show(0),
    End: () => show(slides.length - 1),
    ".": () => screen.blacken(true),
    b: () => screen.blacken(true),
    Escape: toggle,
  });

  /** @param {KeyboardEvent} event */
  function press(event) {
    const target = /** @type {HTMLElement} */ (event.target);
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    if (target.matches("input, textarea, select") || (event.key === " " && target.matches("button, a, summary")))
      return;
    const act = event.key === "p" ? toggle : on() ? keys[event.key] : null;
    if (!act) return;
    event.preventDefault();
    act();
  }
  undo.on(document, "keydown", press);
  undo.on(button, "click", toggle);
  return {
    get on() {
      return on();
    },
    unmount() {
      document.body.classList.remove("projector");
      undo.run();
    },
  };
}

/** Letters that leave room for a figure below them. */
const SHORT = 230;

/** @param {HTMLElement[]} parts @returns {number[][]} the parts of each slide */
function slidesOf(parts) {
  /** @type {number[][]} */
  const slides = [];
  for (const [i, part] of parts.entries()) {
    const before = parts[i - 1];
    const brief = before?.matches(".prose") && (before.textContent ?? "").trim().length <= SHORT;
    if (part.matches(".block.figure, .block.touch") && brief) slides[slides.length - 1].push(i);
    else slides.push([i]);
  }
  return slides;
}
