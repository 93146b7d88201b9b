import { cleanups } from "../shared/dom/elements.js";
import { onStanding } from "../shared/standing-controller.js";
import { sayWhere } from "./class-api.js";

/** Milliseconds between two words of where one is: three hundred who say it at every key would be too much to hear. */
const CALM = 5000;

/**
 * Tells a class where this student is in the exercise that stands in the frame. Nobody waits for it: what is refused is
 * not said again until something is new.
 * @param {string} name of the class
 */
export function mountWhereabouts(name) {
  const undo = cleanups();
  /** @type {object|null} */
  let latest = null;
  let said = -Infinity;
  /** @type {ReturnType<typeof setTimeout>|undefined} */
  let timer;

  function say() {
    timer = undefined;
    said = Date.now();
    if (latest) sayWhere(name, latest).catch(() => undefined);
  }

  function soon() {
    timer ??= setTimeout(say, Math.max(0, said + CALM - Date.now()));
  }
  undo.part(
    onStanding(({ address, place, names, written, tries }) => {
      latest = { address, place, count: names.length, written, tries };
      soon();
    }),
  );
  undo.add(() => clearTimeout(timer));
  return {
    /** The class has forgotten it, perhaps. */
    again() {
      if (latest) soon();
    },
    unmount: undo.run,
  };
}
