import { cleanups } from "../shared/dom/elements.js";
import { BEAT, makeElection } from "./election.js";
import { follow } from "../shared/follow-loader.js";
import { onWaking } from "../shared/waking-controller.js";
/** @template T @typedef {import("../shared/follow-loader.js").Tells<T>} Tells */
/** @typedef {{unmount: () => void, again: () => void}} Followed */

/**
 * Follows a stream like `follow`, and with all tabs of this browser that follow the same over one connection: of the
 * six that a browser holds to one server each tab would take one, and the seventh tab would not even load. What woke up
 * looks at once, whatever its connection seems to be.
 * @template T @param {string} name of the stream @param {() => string} address where it goes on
 * @param {Tells<T>} tells `heard` may tell the same once more, and after another tab has led may leave something out:
 *   the numbers show it
 * @returns {Followed}
 */
export function followTogether(name, address, tells) {
  const undo = cleanups();
  const stream = undo.part(
    "BroadcastChannel" in globalThis ? followInTurn(name, address, tells) : follow(address, tells),
  );
  undo.part(onWaking(stream.again));
  return { again: stream.again, unmount: undo.run };
}

/**
 * The tab that leads holds the connection, and tells the others what it hears.
 * @template T @param {string} name @param {() => string} address @param {Tells<T>} tells @returns {Followed}
 */
function followInTurn(name, address, tells) {
  const undo = cleanups();
  const channel = new BroadcastChannel(`gradwalk:class:${name}`);
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
    if (data.kind === "claim" && stream) latest.forEach(say);
  });
  undo.on(window, "pagehide", () => election.leave());
  const beating = setInterval(tick, BEAT);
  undo.add(() => clearInterval(beating));
  election.claim(Date.now());
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
