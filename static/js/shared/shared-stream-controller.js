import { cleanups } from "./dom/elements.js";
import { BEAT, makeElection } from "./election.js";
import { follow } from "./follow-loader.js";
import { onWaking } from "./waking-controller.js";
/** @template T @typedef {import("./follow-loader.js").Tells<T>} Tells */
/** @typedef {{unmount: () => void, again: () => void}} Followed */

/**
 * Follows a stream like `follow`, and with all tabs of this browser that follow the same over one connection: of the
 * six that a browser holds to one server each tab would take one, and the seventh tab would not even load. What woke up
 * looks at once, whatever its connection seems to be.
 * @template T @param {string} name of the stream @param {() => string} address where it goes on
 * @param {Tells<T>} tells `heard` may tell the same once more, and after another tab has led may leave something out:
 *   the numbers show it
 * @param {boolean} [atOnce] without asking first whether another tab leads, which takes a fifth of a second: for what
 *   is mostly shown in one tab
 * @returns {Followed}
 */
export function followTogether(name, address, tells, atOnce = false) {
  const undo = cleanups();
  const stream = undo.part(
    "BroadcastChannel" in globalThis ? followInTurn(name, address, tells, atOnce) : follow(address, tells),
  );
  undo.part(onWaking(stream.again));
  return { again: stream.again, unmount: undo.run };
}

/**
 * The tab that leads holds the connection, and tells the others what it hears.
 * @template T @param {string} name @param {() => string} address @param {Tells<T>} tells
 * @param {boolean} atOnce @returns {Followed}
 */
function followInTurn(name, address, tells, atOnce) {
  const undo = cleanups();
  const channel = new BroadcastChannel(`gradwalk:stream:${name}`);
  /** @type {Followed|null} */
  let stream = null;
  /** @type {Map<string, {kind: string}>} of each kind the latest word, for a tab that comes later */
  const latest = new Map();

  /** @param {{kind: string}} word */
  const say = (word) => channel.postMessage(word);
  const election = makeElection(nameOfTab(), {
    say,
    lead(on) {
      latest.clear();
      stream?.unmount();
      stream = on ? follow(address, passingOn()) : null;
    },
    wakeIn: (milliseconds) => void setTimeout(tick, milliseconds),
  });

  /** @returns {Tells<T>} */
  function passingOn() {
    /** @param {{kind: string}} word */
    const pass = (word) => {
      latest.set(word.kind, word);
      say(word);
    };
    return {
      heard(event, number) {
        pass({ kind: "told", ...{ event, number } });
        tells.heard(event, number);
      },
      connected(on) {
        pass({ kind: "connected", ...{ on } });
        tells.connected(on);
      },
      over(error) {
        undo.run(); // the other tabs ask by themselves
        tells.over(error);
      },
    };
  }

  function tick() {
    election.tick(Date.now(), document.visibilityState === "visible");
  }
  let closed = false;
  undo.add(() => {
    closed = true;
    channel.close();
  });
  undo.add(() => election.leave());
  undo.on(channel, "message", ({ data }) => {
    if (data.kind === "told") tells.heard(data.event, data.number);
    else if (data.kind === "connected") tells.connected(data.on);
    else election.hear(data, Date.now());
    if (stream && ["claim", "beat"].includes(data.kind)) latest.forEach(say); // to one that follows from now on
  });
  undo.on(window, "pagehide", () => election.leave());
  const beating = setInterval(tick, BEAT);
  undo.add(() => clearInterval(beating));
  if (atOnce) election.begin(Date.now());
  else election.claim(Date.now());
  return {
    again() {
      if (stream) stream.again();
      else if (!closed) election.claim(Date.now());
    },
    unmount: undo.run,
  };
}

/** @returns {string} drawn: `randomUUID` is missing on a plain address of the local network */
function nameOfTab() {
  return [...crypto.getRandomValues(new Uint8Array(8))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
