import { byId, cleanups } from "../shared/dom/elements.js";
import { mountProjectorScreen } from "./projector-screen-view.js";

/**
 * Projector mode: one thing at a time, large; a button leads in and out, and the screen can be black.
 * @param {(on: boolean) => void} changed
 */
export function mountProjector(changed) {
  const undo = cleanups();
  const [button, { classList }] = [byId("projector"), document.body];
  const screen = undo.part(mountProjectorScreen(toggle));
  const isOn = () => classList.contains("projector");

  /** @param {boolean} on */
  function wear(on) {
    if (on === isOn()) return;
    classList.toggle("projector", on);
    button.setAttribute("aria-pressed", String(on));
    screen.blacken(false);
  }
  function toggle() {
    wear(!isOn());
    changed(isOn());
  }
  undo.on(button, "click", toggle);
  undo.add(() => wear(false));
  return {
    get on() {
      return isOn();
    },
    wear,
    toggle,
    /** @returns {boolean} whether there was anything to leave */
    leave: () => {
      const was = isOn();
      if (was) toggle();
      return was;
    },
    /** @returns {boolean} whether there is a projector to blacken */
    black: () => {
      if (isOn()) screen.blacken(true);
      return isOn();
    },
    unmount: undo.run,
  };
}
