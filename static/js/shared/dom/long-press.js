import { cleanups } from "./elements.js";

/** Milliseconds after which a press is no click. */
const LONG = 350;

/** A press that lasts is held until it is let go. @param {() => void} letGo */
export function mountLongPress(letGo) {
  const undo = cleanups();
  /** @type {ReturnType<typeof setTimeout>|undefined} */
  let timer;
  let [held, over] = [false, true];

  function end() {
    clearTimeout(timer);
    if (held && !over) letGo();
    over = true;
  }
  for (const type of ["pointerup", "pointercancel"]) undo.on(document, type, end);
  undo.add(end);
  return {
    /** @param {PointerEvent} event @param {(() => void)|null} hold nothing where nothing can be held */
    begin({ button, shiftKey }, hold) {
      clearTimeout(timer);
      [held, over] = [false, true];
      if (!hold || button !== 0 || shiftKey) return;
      timer = setTimeout(() => {
        [held, over] = [true, false];
        hold();
      }, LONG);
    },
    /** @param {MouseEvent} click @returns {boolean} whether it ends a press that was held; a key's click ends none */
    took: (click) => held && click.detail > 0,
    unmount: undo.run,
  };
}
