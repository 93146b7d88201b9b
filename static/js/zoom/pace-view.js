/** Milliseconds without a change after which a picture has come to rest. */
const CALM = 250;

/**
 * However often something changes, it is drawn once a frame; `rest` is called once it is calm.
 * @param {() => void} draw @param {() => void} rest
 */
export function makePace(draw, rest) {
  let frame = 0;
  /** @type {ReturnType<typeof setTimeout>|undefined} */
  let calm;
  return {
    soon: () => {
      frame ||= requestAnimationFrame(() => {
        frame = 0;
        draw();
      });
      clearTimeout(calm);
      calm = setTimeout(rest, CALM);
    },
    stop() {
      cancelAnimationFrame(frame);
      clearTimeout(calm);
      frame = 0;
    },
  };
}
