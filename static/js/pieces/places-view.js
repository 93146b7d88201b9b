import { button } from "../shared/dom/button.js";
import { placeByKey } from "./places.js";
import { within } from "../shared/within.js";
import { cleanups, el } from "../shared/dom/elements.js";

/** Milliseconds that a place stays while it plays. */
const PLAYED = 1400;

/**
 * `slider` says what a place of a slider is called, `spoken` what is heard of one.
 * @typedef {{title: string, class: string, count: number, place: number, slider?: (at: number) => string,
 *   plays?: boolean, draw: (at: number) => void, spoken: (at: number) => string, moved: (place: number) => void}} How
 *   places are counted from 0, but for `place` and `moved`
 */

/**
 * What has places to go through: a title, the way from one place to the next by button, arrow key or slider, and a
 * body that is drawn for each.
 * @param {HTMLElement} host @param {How} how
 */
export function mountPlaces(host, how) {
  const { count, slider } = how;
  const undo = cleanups();
  const range = slider ? el("input", { type: "range", min: 0, max: count - 1, step: 1, "aria-label": "scale" }) : null;
  const { status, counter, body, controls, root } = partsOf(how);
  let shown = -1;
  const player = how.plays ? makePlayer({ rewind: () => shown === count - 1 && show(0, true), advance }) : null;

  /** @param {number} at @param {boolean} [tell] */
  function show(at, tell = false) {
    const next = within(at, count);
    if (next === shown) return;
    shown = next;
    how.draw(next);
    counter.textContent = slider ? slider(next) : `${next + 1} of ${count}`;
    if (range) range.value = String(next);
    range?.setAttribute("aria-valuetext", slider?.(next) ?? "");
    if (!tell) return;
    status.textContent = how.spoken(next).replaceAll("`", "");
    how.moved(next + 1);
  }

  /** @returns {boolean} whether there was a place left */
  function advance() {
    const left = shown < count - 1;
    if (left) show(shown + 1, true);
    return left;
  }

  const [back, next] = [
    paced("Back", "←", () => show(shown - 1, true)),
    paced("Next", "→", () => show(shown + 1, true)),
  ];
  if (range) undo.on(range, "input", () => show(Number(range.value), true));
  controls.append(
    ...[range ? null : back, player?.button ?? null, range ?? next, counter].filter((part) => part !== null),
  );
  undo.on(root, "keydown", (event) => {
    if (event.target.matches("input, select") || player?.press(event, root)) return;
    const to = placeByKey(event, shown, count);
    if (to === null) return;
    event.preventDefault();
    event.stopPropagation();
    player?.stop();
    show(to, true);
  });
  undo.add(() => player?.stop());
  host.replaceChildren(root);

  return {
    body,
    head: controls,
    /** @param {number} to counted from 1 */
    go: (to) => show(to - 1),
    begin: () => show(how.place - 1),
    focus: () => root.focus({ preventScroll: true }),
    on: undo.on,
    unmount() {
      undo.run();
      host.replaceChildren();
    },
  };
}

/** @param {How} how */
function partsOf({ title, class: name }) {
  const status = el("p", { class: "unseen", role: "status" });
  const counter = el("span", { class: "paced-count" });
  const body = el("div", { class: "paced-body" });
  const controls = el("div", { class: "paced-controls" });
  const root = el(
    "div",
    { class: `paced ${name}`, role: "group", tabindex: "0", "aria-label": `${title}: arrow keys lead on` },
    el("div", { class: "paced-head" }, el("h2", {}, title), controls),
    body,
    status,
  );
  return { status, counter, body, controls, root };
}

/** @param {string} label @param {string} sign @param {() => void} act */
function paced(label, sign, act) {
  return button({ class: "paced-button", "aria-label": label }, act, sign);
}

/**
 * Goes on by itself, by a button or the space bar.
 * @param {{rewind: () => void, advance: () => boolean}} acts `rewind` from the end, `advance` until it is false
 */
function makePlayer({ rewind, advance }) {
  const play = paced("Play", "▶", toggle);
  let timer = 0;

  function stop() {
    clearInterval(timer);
    timer = 0;
    play.replaceChildren("▶");
    play.setAttribute("aria-label", "Play");
  }

  function toggle() {
    if (timer) return stop();
    rewind();
    timer = setInterval(() => advance() || stop(), PLAYED);
    play.replaceChildren("❚❚");
    play.setAttribute("aria-label", "Pause");
  }

  return {
    button: play,
    stop,
    /** @param {KeyboardEvent} event @param {HTMLElement} root @returns {boolean} whether it was the space bar */
    press(event, root) {
      if (event.key !== " " || event.ctrlKey || event.metaKey || event.altKey) return false;
      event.preventDefault();
      event.stopPropagation();
      const target = /** @type {HTMLElement} */ (event.target);
      if (target === root || target === play) toggle();
      else target.click();
      return true;
    },
  };
}
