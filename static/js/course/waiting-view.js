import { button } from "../shared/dom/button.js";
import { el } from "../shared/dom/elements.js";

/**
 * A figure that answers a question beside it: it is kept until that one is answered, or the reader wants it now.
 * @param {HTMLElement} section @param {string[]} questions by their ids @param {() => void} shown
 */
export function mountWaiting(section, questions, shown) {
  let [on, wanted] = [false, false];
  const note = el(
    "p",
    { class: "waits-for" },
    "This figure shows the answer: it waits for yours. ",
    button({ class: "link" }, show, "show it now"),
  );

  function show() {
    wanted = true;
    draw(false);
    /** @type {HTMLElement|null} */ (section.querySelector("a, button, [tabindex]"))?.focus();
  }

  /** @param {boolean} waits */
  function draw(waits) {
    const shows = on && !waits;
    on = waits;
    section.classList.toggle("is-waiting", waits);
    if (waits) section.prepend(note);
    else note.remove();
    if (shows) shown();
  }

  return {
    get on() {
      return on;
    },
    /** @param {(id: string) => boolean} open whether a question is not answered yet */
    update: (open) => draw(!wanted && questions.some(open)),
    unmount: () => note.remove(),
  };
}
