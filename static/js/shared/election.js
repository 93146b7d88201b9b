/** Milliseconds between two signs of life of the tab that leads. */
export const BEAT = 1000;
/** Milliseconds in which a tab that leads, or claims with a better right, answers a claim. */
export const WAIT = 200;
/** Milliseconds without a sign of life after which a tab in sight claims: the one that led has crashed, or sleeps. */
const GONE = 4000;
/** The same for a tab that nobody looks at: its own clock may stand still for a minute. */
const GONE_UNSEEN = 90_000;

/** @typedef {{kind: "claim"|"beat"|"bye", from: string}} Word what one tab says to all others */

/**
 * Which of a browser's tabs leads. Whoever would lead claims to, and does unless another one leads already or claims
 * with a smaller name; of two that lead by mistake the one with the smaller name stays. It needs no lock and no storage
 * (`navigator.locks` is missing where a class is: on a plain address of the local network).
 * @param {string} own its name, another one in each tab
 * @param {{say: (word: Word) => void, lead: (on: boolean) => void, wakeIn: (milliseconds: number) => void}} acts
 *   `wakeIn`: have `tick` called then
 */
export function makeElection(own, { say, lead, wakeIn }) {
  /** @type {"following"|"claiming"|"leading"} */
  let part = "following";
  /** When the present part began, or the one that leads was heard. */
  let since = -Infinity;

  /** @param {number} now */
  function claim(now) {
    if (part !== "following") return;
    [part, since] = ["claiming", now];
    say({ kind: "claim", from: own });
    wakeIn(WAIT);
  }

  /** @param {number} now */
  function follow(now) {
    const led = part === "leading";
    [part, since] = ["following", now];
    if (led) lead(false);
  }

  /** @type {Record<Word["kind"], (from: string, now: number) => void>} */
  const heard = {
    claim(from, now) {
      if (part === "leading") say({ kind: "beat", from: own });
      else if (part === "claiming" && own < from) say({ kind: "claim", from: own });
      else follow(now);
    },
    beat(from, now) {
      if (part === "leading" && own < from) say({ kind: "beat", from: own });
      else follow(now);
    },
    bye: (_, now) => claim(now),
  };
  return {
    claim,
    /** Leads at once: another one that leads says so, and one of the two stays. @param {number} now */
    begin(now) {
      [part, since] = ["leading", now];
      say({ kind: "beat", from: own });
      lead(true);
    },
    leads: () => part === "leading",
    /** @param {Word} word @param {number} now */
    hear: ({ kind, from }, now) => heard[kind](from, now),
    /** @param {number} now @param {boolean} seen whether somebody looks at this tab */
    tick(now, seen) {
      if (part === "leading") say({ kind: "beat", from: own });
      else if (part === "following" && now - since > (seen ? GONE : GONE_UNSEEN)) claim(now);
      else if (part === "claiming" && now - since >= WAIT) {
        part = "leading";
        lead(true);
      }
    },
    leave() {
      if (part === "leading") say({ kind: "bye", from: own });
      follow(Infinity);
    },
  };
}
