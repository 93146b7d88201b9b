import { byId } from "../shared/dom/elements.js";

/**
 * What is not there yet: another walk, or what the step of this one shows.
 * @param {import("./walk-controller.js").Notice} notice @param {() => void} [settled]
 */
export function makeWaiting(notice, settled) {
  const main = byId("walk");
  const lacks = { walk: true, step: false };

  /** @param {Partial<typeof lacks>} change */
  function mark(change) {
    Object.assign(lacks, change);
    main.setAttribute("aria-busy", String(lacks.walk || lacks.step));
    main.classList.toggle("fetching", lacks.step);
  }

  /** @param {boolean} stale whether what is shown is not what was asked for */
  const stale = (stale) => main.classList.toggle("stale", stale);

  return {
    lacks,
    mark,
    stale,
    /** For a walk. @param {(() => void)|null} cancel goes back to the one that is there */
    begin(cancel) {
      mark({ walk: true });
      stale(cancel !== null);
      if (cancel) notice.show("Walking again…", { label: "Cancel", act: cancel });
    },
    end() {
      mark({ walk: false });
      stale(false);
      notice.hide();
      settled?.();
    },
  };
}
