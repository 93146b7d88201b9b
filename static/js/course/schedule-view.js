/** So far around the window figures are drawn ahead. */
const AHEAD = "90% 0px";

/**
 * Draws what comes near the window, one thing at a time and only when the browser has time: scrolling never waits.
 * @param {(section: HTMLElement) => Promise<void>} draw
 */
export function mountSchedule(draw) {
  /** @type {HTMLElement[]} */
  let waiting = [];
  let running = false;
  let gone = false;
  const observer = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) {
        const section = /** @type {HTMLElement} */ (target);
        waiting = waiting.filter((one) => one !== section);
        if (isIntersecting) waiting.push(section);
      }
      if (!running) run();
    },
    { rootMargin: AHEAD },
  );

  async function run() {
    running = true;
    for (let next = nearest(); next && !gone; next = nearest()) {
      const section = next;
      waiting = waiting.filter((one) => one !== section);
      observer.unobserve(section);
      await idle();
      if (!gone) await draw(section);
    }
    running = false;
  }

  /** @returns {HTMLElement|undefined} what is looked at comes first */
  function nearest() {
    const middle = innerHeight / 2;
    const away = (/** @type {HTMLElement} */ one) => Math.abs(one.getBoundingClientRect().top - middle);
    return waiting.length < 2 ? waiting[0] : [...waiting].sort((a, b) => away(a) - away(b))[0];
  }

  return {
    /** @param {HTMLElement} section */
    watch: (section) => observer.observe(section),
    /** @param {HTMLElement} section that is drawn at once */
    now(section) {
      observer.unobserve(section);
      waiting = waiting.filter((one) => one !== section);
    },
    unmount() {
      gone = true;
      observer.disconnect();
    },
  };
}

/** @returns {Promise<void>} when the browser has nothing better to do, in a slice of its own */
export function idle() {
  return new Promise((resolve) => {
    if (typeof requestIdleCallback === "function") requestIdleCallback(() => resolve(), { timeout: 300 });
    else setTimeout(resolve, 16);
  });
}
