/** @typedef {import("../walk/frame.js").Frame} Frame */
/** @typedef {import("./stage-view.js").View} View */

/** Milliseconds after which the code is fetched, so that no key waits for it. */
const AHEAD = 600;

/**
 * A kind of picture whose code comes after the first screen's: what is asked of it before that, it does then.
 * @template Place
 * @param {() => Promise<(place: Place) => View>} bring
 * @param {() => void} failed the code did not arrive
 */
export function mountLate(bring, failed) {
  /** @type {((place: Place) => View)|null} */
  let mount = null;

  const brought = async () => (mount ??= await bring());

  /** @param {Place} place @returns {View} */
  function waiting(place) {
    /** @type {View|null} */
    let view = null;
    /** @type {Frame|null} */
    let last = null;
    let gone = false;

    async function begin() {
      try {
        const mounted = await brought();
        if (gone || !last) return;
        view = mounted(place);
        view.update(last);
      } catch (error) {
        console.error(error);
        failed();
      }
    }
    return {
      /** @param {Frame} frame */
      update(frame) {
        if (view) return view.update(frame);
        if (last === null) begin();
        last = frame;
      },
      /** @type {NonNullable<View["point"]>} */
      point: (...pointed) => view?.point?.(...pointed),
      /** @type {NonNullable<View["answer"]>} */
      answer: (pointed) => view?.answer?.(pointed),
      /** @type {NonNullable<View["play"]>} */
      play: (how) => view?.play?.(how),
      /** @type {NonNullable<View["repaint"]>} */
      repaint: (frame) => view?.repaint?.(frame) ?? false,
      unmount() {
        gone = true;
        view?.unmount();
      },
    };
  }

  const timer = setTimeout(() => brought().catch(() => undefined), AHEAD);
  return {
    /** @param {Place} place @returns {View} */
    draw: (place) => (mount ? mount(place) : waiting(place)),
    unmount: () => clearTimeout(timer),
  };
}
