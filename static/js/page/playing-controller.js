import { mountPassing } from "./passing-view.js";
import { Player } from "./player.js";
import { mountHolds, wordsOnStage } from "./stage-time-view.js";
import { countWords, waitAt } from "../walk/tempo.js";

/** Seconds after which a step was looked at, and those that it still stays once playing begins there. */
const [LOOKED_AT, STAYS] = [3, 2];

/**
 * The walk that steps on by itself.
 * @param {import("./walk-controller.js").Page} page
 * @param {{go: (index: number) => void, answer: (choice: number) => void}} acts
 */
export function mountPlaying(page, acts) {
  const { store } = page;
  const passing = mountPassing();
  let since = Date.now();
  const forget = store.subscribe(({ step }, before) => {
    if (step !== before.step) since = Date.now();
  });
  const player = new Player({
    advance,
    ended: () => store.set({ playing: false }),
    wait: () => waitAt(countWords(wordsOnStage()), store.state.speed),
    busy: () => document.querySelector("dialog[open]") !== null,
    passes: (time) => passing.show(time, store.state.step),
  });
  const holds = mountHolds((by, held) => player.hold(by, held));

  /** @returns {boolean} whether another step is there to be shown */
  function remains() {
    return page.shown !== null && store.state.step < page.shown.walk.steps.length - 1;
  }

  /** @returns {boolean} whether there is another step to play */
  function advance() {
    if (!page.shown || page.frame()?.asking) return false;
    acts.go(store.state.step + 1);
    return remains();
  }

  function play() {
    if (!store.state.playing && page.shown?.views?.running.play()) return;
    const playing = !store.state.playing && page.shown !== null;
    if (playing && !remains()) acts.go(0);
    if (playing) player.start(Date.now() - since > LOOKED_AT * 1000 ? STAYS : Infinity);
    else player.stop();
    store.set({ playing });
  }

  function pause() {
    player.stop();
    if (store.state.playing) store.set({ playing: false });
  }

  /** @param {number} speed 1 … 9 */
  function pace(speed) {
    store.set({ speed });
    if (player.playing) player.start();
  }

  /** @param {number} digit an answer where questions are asked, and never more; a speed elsewhere */
  function digit(digit) {
    if (!store.state.predict) return pace(digit);
    const frame = page.frame();
    if (frame?.asking && !frame.writing) acts.answer(digit - 1);
  }

  return {
    play,
    pause,
    pace,
    digit,
    /** @param {boolean} looking whether a number is open, which is read before the walk goes on */
    hold: (looking) => player.hold("number", looking),
    unmount: () => {
      player.stop();
      forget();
      passing.unmount();
      holds.unmount();
    },
  };
}
