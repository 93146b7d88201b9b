import assert from "node:assert/strict";
import { test } from "node:test";
import { BEAT, makeElection } from "../../../static/js/shared/election.js";
/** @typedef {import("../../../static/js/shared/election.js").Word} Word */

/**
 * Tabs whose clocks and messages run by hand: a message takes up to 50 ms, drawn from a seed, and overtakes none of the
 * same tab.
 * @param {number} seed
 */
function browser(seed) {
  let now = 0;
  let state = seed;
  const drawn = () => (state = (state * 48271) % 2147483647) / 2147483647;
  /** @type {{at: number, run: () => void}[]} */
  const due = [];
  /** @type {Map<string, {election: ReturnType<typeof makeElection>, on: boolean, seen: boolean, frozen: boolean}>} */
  const tabs = new Map();
  /** @type {Map<string, number>} when the latest message of one tab reaches another one */
  const arriving = new Map();
  const later = (/** @type {number} */ wait, /** @type {() => void} */ run) => void due.push({ at: now + wait, run });

  /** @param {string} own @param {boolean} [seen] @param {boolean} [atOnce] */
  function open(own, seen = true, atOnce = false) {
    const tab = { election: /** @type {any} */ (null), on: false, seen, frozen: false };
    const tick = () => tabs.get(own) === tab && !tab.frozen && tab.election.tick(now, tab.seen);
    const beat = () => {
      if (tabs.get(own) !== tab) return;
      tick();
      later(BEAT, beat);
    };
    tab.election = makeElection(own, {
      say: (word) => [...tabs].forEach(([name, one]) => name !== own && send(`${own} ${name}`, one, word)),
      lead: (on) => (tab.on = on),
      wakeIn: (wait) => later(wait, tick),
    });
    tabs.set(own, tab);
    if (atOnce) tab.election.begin(now);
    else tab.election.claim(now);
    later(Math.round(BEAT * drawn()), beat);
    return tab;
  }

  /** @param {{election: ReturnType<typeof makeElection>, frozen: boolean}} tab @param {Word} word */
  const hear = (tab, word) => !tab.frozen && tab.election.hear(word, now);

  /** @param {string} way @param {typeof tabs extends Map<string, infer Tab> ? Tab : never} to @param {Word} word */
  function send(way, to, word) {
    const at = Math.max(arriving.get(way) ?? 0, now + Math.round(50 * drawn()));
    arriving.set(way, at);
    later(at - now, () => hear(to, word));
  }

  /** @param {number} milliseconds */
  function pass(milliseconds) {
    const until = now + milliseconds;
    for (;;) {
      due.sort((one, other) => one.at - other.at);
      if (!due.length || due[0].at > until) break;
      const next = /** @type {{at: number, run: () => void}} */ (due.shift());
      now = next.at;
      next.run();
    }
    now = until;
  }
  const leaders = () => [...tabs].filter(([, tab]) => tab.on).map(([name]) => name);
  return { open, pass, leaders, tabs, shut: (/** @type {string} */ name) => tabs.delete(name) };
}

const NAMES = ["d", "a", "g", "b", "h", "c", "f", "e"];

test("of eight tabs one leads, whenever they were opened, and another one within a second of its going", () => {
  for (let seed = 1; seed <= 200; seed += 1) {
    const { open, pass, leaders, tabs, shut } = browser(seed);
    for (const name of NAMES) {
      open(name, name === "c");
      if (seed % 2) pass(seed);
    }
    pass(1000);
    assert.equal(leaders().length, 1, `seed ${seed}`);
    while (tabs.size > 1) {
      const [gone] = leaders();
      tabs.get(gone)?.election.leave();
      shut(gone);
      pass(1000);
      assert.equal(leaders().length, 1, `seed ${seed}, ${tabs.size} left`);
    }
  }
});

test("a tab that comes later follows, whatever its name", () => {
  const { open, pass, leaders } = browser(7);
  open("m");
  pass(1000);
  for (const name of ["a", "z"]) {
    open(name);
    pass(2000);
    assert.deepEqual(leaders(), ["m"]);
  }
});

test("of a tab that crashed or sleeps the one in sight takes the place, and those behind it do not", () => {
  const { open, pass, leaders, tabs } = browser(3);
  open("a", false);
  pass(1000);
  for (const name of ["b", "c"]) open(name, name === "c");
  pass(1000);
  const sleeper = /** @type {NonNullable<ReturnType<typeof tabs.get>>} */ (tabs.get("a"));
  sleeper.frozen = true;
  pass(7000);
  assert.deepEqual(leaders(), ["a", "c"]);
  sleeper.frozen = false;
  pass(2000);
  assert.deepEqual(leaders(), ["a"], "of two that lead the one with the smaller name stays");
});

test("behind the screen a tab waits a minute and more for a sign of life", () => {
  const { open, pass, leaders, tabs, shut } = browser(5);
  open("a", false);
  pass(1000);
  open("b", false);
  pass(1000);
  shut("a"); // without a word
  pass(60_000);
  assert.deepEqual(leaders(), []);
  /** @type {NonNullable<ReturnType<typeof tabs.get>>} */ (tabs.get("b")).seen = true;
  pass(2000);
  assert.deepEqual(leaders(), ["b"]);
});

test("of tabs that begin at once one is left within a moment", () => {
  for (let seed = 1; seed <= 200; seed += 1) {
    const { open, pass, leaders } = browser(seed);
    for (const name of NAMES.slice(0, 2 + (seed % 7))) {
      const tab = open(name, true, true);
      assert.ok(tab.on, "without waiting for anybody");
      if (seed % 2) pass(seed);
    }
    pass(150); // a word there, a word back
    assert.equal(leaders().length, 1, `seed ${seed}`);
  }
});
