import { Player } from "../page/player.js";
import { USUAL_SPEED, countWords, waitAt } from "../walk/tempo.js";
/** @typedef {ReturnType<typeof import("./beside-controller.js").mountBeside>} Beside */

/**
 * Two walks that step on by themselves.
 * @param {() => Beside|null} now what is on the page @param {() => void} turned hears of play and pause
 */
export function makeBesidePlayer(now, turned) {
  const player = new Player({
    advance: () => now()?.next() ?? false,
    ended: turned,
    wait: () => waitAt(countWords(now()?.words ?? ""), USUAL_SPEED),
    busy: () => document.querySelector("dialog[open]") !== null,
  });

  function stop() {
    if (!player.playing) return;
    player.stop();
    turned();
  }

  return {
    get playing() {
      return player.playing;
    },
    stop,
    turn: () => {
      if (player.playing) return stop();
      const beside = now();
      if (beside && beside.at === beside.moments.length - 1) beside.first();
      player.start();
      turned();
    },
    unmount: () => player.stop(),
  };
}
