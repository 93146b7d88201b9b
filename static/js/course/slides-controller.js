import { cleanups, el } from "../shared/dom/elements.js";
import { mountSlideFit } from "./slide-fit-view.js";

/**
 * On a projector: one part at a time, turned over with the keys of a remote.
 * @param {HTMLElement[]} parts of which a short text and the figure after it are turned over together
 * @param {{shown: (parts: number[]) => void, now: () => number}} hears `now`: the part that is being read
 */
export function mountSlides(parts, { shown, now }) {
  const undo = cleanups();
  let [on, at] = [false, -1];
  const slides = slidesOf(parts);
  const count = el("p", { class: "slide-count", "aria-hidden": "true" });
  const fit = mountSlideFit(/** @type {HTMLElement} */ (parts[0].parentElement));
  document.body.append(count);
  undo.add(() => count.remove());
  undo.part(fit);

  /** @param {number} slide @returns {boolean} whether there is a projector to show it */
  function show(slide) {
    if (!on) return false;
    at = Math.max(0, Math.min(slides.length - 1, slide));
    parts.forEach((one, i) => one.classList.toggle("slide", slides[at].includes(i)));
    count.textContent = `${at + 1} / ${slides.length}`;
    // the keys of a remote turn slides over, and move no number that was in the hand before
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
    window.scrollTo(0, 0);
    fit.renew();
    shown(slides[at]);
    return true;
  }

  return {
    /** @param {boolean} projected whether slides are shown, the part that is being read first */
    begin(projected) {
      on = projected;
      if (on) show(slides.findIndex((slide) => slide.includes(now())));
      else {
        fit.unmount();
        parts.forEach((part) => part.classList.remove("slide"));
      }
    },
    /** The page that is read goes on where the slides were. */
    end: () => parts[slides[Math.max(0, at)][0]].scrollIntoView({ block: "start" }),
    keys: {
      next: () => show(at + 1),
      back: () => show(at - 1),
      first: () => show(0),
      last: () => show(slides.length - 1),
    },
    unmount: undo.run,
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
