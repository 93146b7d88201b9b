import { byId, cleanups } from "../shared/dom/elements.js";
/** @typedef {ReturnType<typeof import("./beside-controller.js").mountBeside>} Beside */

const CALM = 250;

/**
 * What keys and buttons do.
 * @param {import("../shell/shell-controller.js").Shell} shell @param {() => Beside|null} now
 * @param {ReturnType<typeof import("./player-controller.js").makeBesidePlayer>} player
 */
export function mountBesideKeys(shell, now, player) {
  const undo = cleanups();
  const by = (/** @type {"next"|"back"|"first"|"last"|"difference"} */ act) => () => {
    player.stop();
    now()?.[act]();
  };
  const acts = {
    ...{ next: by("next"), back: by("back"), first: by("first"), last: by("last"), difference: by("difference") },
    play: player.turn,
    forward: () => now()?.part("forward"),
    backward: () => now()?.part("backward"),
  };
  undo.part(shell.listen("compare", acts));
  for (const act of /** @type {const} */ (["back", "play", "next", "difference"]))
    undo.on(byId(act), "click", acts[act]);
  return { unmount: undo.run };
}

/** What is said to those who hear the page. @param {HTMLElement} announcer */
export function makeVoice(announcer) {
  /** @type {ReturnType<typeof setTimeout>|undefined} */
  let speech;
  return (/** @type {string} */ words) => {
    clearTimeout(speech);
    speech = setTimeout(() => (announcer.textContent = words), CALM);
  };
}
