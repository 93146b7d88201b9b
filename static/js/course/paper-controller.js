import { atOnce } from "../shared/api.js";
import { cleanups } from "../shared/dom/elements.js";
import { LAID_OUT } from "../shared/dom/watch-width.js";

/**
 * A chapter on paper: laid out as wide as a sheet and in light, with every figure drawn, before the browser prints it.
 * @param {{settle: () => Promise<void>[], leave: () => void}} page `settle` draws everything as it is at rest
 */
export function mountPaper({ settle, leave }) {
  const undo = cleanups();
  const root = document.documentElement;
  const media = matchMedia("print");
  let on = false;
  let theme = root.dataset.theme;

  function enter() {
    if (on) return;
    on = true;
    theme = root.dataset.theme;
    root.dataset.theme = "light";
    document.body.classList.add("paper");
    document.dispatchEvent(new Event(LAID_OUT));
    atOnce.on = true;
    Promise.all(settle()).finally(() => {
      atOnce.on = false;
      document.dispatchEvent(new Event(LAID_OUT)); // what was hidden until then has its width only now
    });
  }

  function end() {
    if (!on) return;
    on = false;
    root.dataset.theme = theme;
    document.body.classList.remove("paper");
    document.dispatchEvent(new Event(LAID_OUT));
    leave();
  }
  undo.on(window, "beforeprint", enter);
  undo.on(window, "afterprint", end);
  undo.on(media, "change", () => (media.matches ? enter() : end()));
  return {
    get on() {
      return on;
    },
    unmount: undo.run,
  };
}
