import { copyAddressBar } from "./common-controller.js";
import { downloadTold } from "./download-controller.js";
/** @typedef {ReturnType<typeof import("./views-controller.js").mountViews>} Views */

/**
 * What is called for by a key: where there is nothing to be done, it is said why.
 * @param {import("./walk-controller.js").Page} page
 * @param {(act: import("./questions-controller.js").Act) => void} open
 */
export function makeCalls(page, open) {
  const { address, notice, store, subject } = page;
  /** @param {(there: Views) => unknown} act @param {string} words why, where it does nothing */
  const orSay = (act, words) => () => {
    const views = page.shown?.views;
    if (views && !act(views)) notice.show(words, null, 4);
  };

  return {
    /** Into the number that is picked, or the loudest one here. */
    look: orSay(({ lens }) => lens.open(), "There is no number here to look into yet."),
    /** Nearer to the graph: a box, its lines, one number. */
    nearer: orSay(({ distance }) => distance.nearer(), "Nearer than one number there is nothing."),
    farther: orSay(({ distance }) => distance.further(), "This is all of the graph."),
    nextExample: orSay(({ example }) => example.go(1), "There is no other example here to choose."),
    previousExample: orSay(({ example }) => example.go(-1), "There is no other example here to choose."),
    /** The number that is picked, or the loudest one here, goes into the hand. */
    move: orSay((there) => there.take(), "There is no number here to move yet."),
    /** The number that is picked, or the loudest one here, wobbles while the key is held. */
    hold: orSay((there) => there.hold(), "There is no number here to nudge yet."),
    /** A mistake on purpose: the list of those that can be made at this step. */
    wrong: orSay(({ plant }) => plant.toggle(), "Mistakes are made on the way back: go to a backward step first."),
    /** The next piece that this step has besides its picture. */
    study: orSay((there) => there.study(), "This step has no further view, such as lines that collapse."),
    replay: orSay((there) => there.replay() !== false, "Your system asks for less motion: nothing moves here."),
    nudge: () =>
      open((sheets) => {
        if (!sheets.nudge()) notice.show("There is no gradient here that could be tested by a nudge.", null, 4);
      }),
    downhill: () => open((sheets) => sheets.downhill()),
    costs: () => open((sheets) => sheets.costs()),
    trace: () => page.shown?.views?.lens.back(),
    /** @returns {boolean} whether anything was open */
    shut: () => {
      const views = page.shown?.views;
      return (views?.lens.home() || views?.lens.close() || views?.plant.shut() || views?.leave()) ?? false;
    },
    /** @param {import("../walk/changes.js").Change[]} changes whose effect is shown */
    attempt: (changes) => page.shown?.views?.attempt(changes),
    /** @param {string} words why something cannot be done */
    tell: (words) => notice.show(words, null, 8),
    missing: () => notice.show("A part of this page did not arrive. Is gradwalk still running?", null, 6),
    /** The walk as one file. */
    save: () => downloadTold(subject.request(store.state), "html", notice),
    share: () => copyAddressBar(address, notice, "Link copied: it opens this very step.", 3),
  };
}
