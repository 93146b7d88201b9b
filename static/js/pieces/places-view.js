import { cleanups, el } from "../shared/dom/elements.js";

/** Milliseconds that a place stays while it plays. */
const PLAYED = 1400;

/**
 * What has places to go through: a title, the way from one place to the next by button, arrow key or slider, and a
 * body that is drawn for each.
 * @param {HTMLElement} host
 * @param {{title: string, class: string, count: number, place: number, slider?: (at: number) => string,
 *   plays?: boolean, draw: (at: number) => void, spoken: (at: number) => string, moved: (place: number) => void}} how
 *   places are counted from 0, but for `place` and `moved`; `slider` says what a place of a slider is called
 */
export function mountPlaces(host, { title, class: name, count, place, slider, plays, draw, spoken, moved }) {
  const undo = cleanups();
  const status = el("p", { class: "unseen", role: "status" });
  const counter = el("span", { class: "paced-count" });
  const body = el("div", { class: "paced-body" });
  const controls = el("div", { class: "paced-controls" });
  const range = slider ? el("input", { type: "range", min: 0, max: count - 1, step: 1, "aria-label": "scale" }) : null;
  const root = el(
    "div",
    { class: `paced ${name}`, role: "group", tabindex: "0", "aria-label": `${title}: arrow keys lead on` },
    el("div", { class: "paced-head" }, el("h2", {}, title), controls),
    body,
    status,
  );
  let shown = -1;
  let timer = 0;

  /** @param {number} at @param {boolean} [tell] */
  function show(at, tell = false) {
    const next = Math.max(0, Math.min(count - 1, at));
    if (next === shown) return;
    shown = next;
    draw(next);
    counter.textContent = slider ? slider(next) : `${next + 1} of ${count}`;
    if (range) {
      range.value = String(next);
      range.setAttribute("aria-valuetext", slider?.(next) ?? "");
    }
    if (!tell) return;
    status.textContent = spoken(next).replaceAll("`", "");
    moved(next + 1);
  }

  /** @param {string} label @param {string} sign @param {() => void} act */
  function button(label, sign, act) {
    const made = el("button", { type: "button", class: "paced-button", "aria-label": label }, sign);
    undo.on(made, "click", act);
    return made;
  }

  function stop() {
    clearInterval(timer);
    timer = 0;
    play?.replaceChildren("▶");
    play?.setAttribute("aria-label", "Play");
  }

  function toggle() {
    if (timer) return stop();
    if (shown === count - 1) show(0, true);
    timer = setInterval(() => (shown < count - 1 ? show(shown + 1, true) : stop()), PLAYED);
    play?.replaceChildren("❚❚");
    play?.setAttribute("aria-label", "Pause");
  }

  const play = plays ? button("Play", "▶", toggle) : null;
  if (range) undo.on(range, "input", () => show(Number(range.value), true));
  controls.append(
    ...[
      range ? null : button("Back", "←", () => show(shown - 1, true)),
      play,
      range ?? button("Next", "→", () => show(shown + 1, true)),
      counter,
    ].filter((part) => part !== null),
  );
  undo.on(root, "keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches("input, select")) return;
    if (plays && event.key === " ") {
      event.preventDefault();
      event.stopPropagation();
      return event.target === root || event.target === play ? toggle() : event.target.click();
    }
    const by = /** @type {Record<string, number>} */ ({ ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 });
    const to = event.key in by ? shown + by[event.key] : { Home: 0, End: count - 1 }[/** @type {string} */ (event.key)];
    if (to === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    stop();
    show(to, true);
  });
  undo.add(stop);
  host.replaceChildren(root);

  return {
    body,
    head: controls,
    /** @param {number} to counted from 1 */
    go: (to) => show(to - 1),
    begin: () => show(place - 1),
    focus: () => root.focus({ preventScroll: true }),
    on: undo.on,
    unmount() {
      undo.run();
      host.replaceChildren();
    },
  };
}
