import { followedRun } from "./run-controller.js";
/** @typedef {import("./run.js").Run} Run */
/** @typedef {import("./types.js").RunEvent} RunEvent */
/** @typedef {0|1} Place of a run: the first, and the one beside it */

/**
 * The runs of the page, one or two: followed together, and told what to do together.
 * @param {{heard: (event: RunEvent, place: Place) => void, connected: (connected: boolean) => void,
 *   gone: (error: import("../shared/api.js").ApiError) => void, failed: (error: unknown) => void}} hears
 */
export function followedRuns({ heard, connected, gone, failed }) {
  /** @type {ReturnType<typeof followedRun>[]} */
  let followed = [];
  /** @type {boolean[]} */
  let links = [];

  function leave() {
    for (const one of followed) one.unmount();
    [followed, links] = [[], []];
    connected(true);
  }

  /** @param {string[]} ids */
  function follow(ids) {
    leave();
    links = ids.map(() => true);
    followed = ids.map((id, place) =>
      followedRun(id, {
        heard: (event) => heard(event, /** @type {Place} */ (place)),
        connected(now) {
          links[place] = now;
          connected(links.every(Boolean));
        },
        gone,
        failed,
      }),
    );
  }

  const runs = () => followed.map(({ run }) => run);

  /** @param {(run: Run) => boolean} wanted @param {string} command @param {object} [body] */
  const tellThose = (wanted, command, body) =>
    Promise.all(followed.filter(({ run }) => wanted(run)).map((one) => one.tell(command, body)));

  return {
    follow,
    leave,
    runs,
    /** @param {string} command @param {object} [body] */
    tellAll: (command, body) => tellThose(() => true, command, body),
    ids: () => followed.map(({ id }) => id),
    pause: () => tellThose(({ status }) => status === "running", "pause"),
    resume: () => tellThose((run) => run.status === "paused" || (run.status === "lost" && run.resumable), "resume"),
    stop: () => tellThose(({ alive }) => alive, "stop"),
    restart: () => tellThose((run) => run.alive || run.over, "restart"),
    /** @param {number} count of steps; a run that is behind the other comes to the same step */
    step(count) {
      const alive = runs().filter((run) => run.alive);
      if (followed.length < 2) return tellThose(({ alive }) => alive, "step", { count });
      return runTo(Math.max(0, ...alive.map(({ taken }) => taken)) + count);
    },
    runTo,
    /** @param {object[]} commands what each is trained with from now on */
    set: (commands) => Promise.all(followed.map((one, place) => one.tell("set", commands[place]))),
    /** @param {Place} place @param {string} command @param {object} [body] */
    tellOne: (place, command, body) => followed[place]?.tell(command, body),
  };

  /** @param {number} step */
  function runTo(step) {
    return tellThose((run) => run.alive && run.taken < step, "run-to", { step });
  }
}
