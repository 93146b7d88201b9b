import { cleanups, el, icon, reducedMotion } from "../shared/dom/elements.js";
import { fixedText, numberText } from "../shared/format.js";
import { mountCurve } from "../run/curve-view.js";
import { Run } from "../run/run.js";
import { PACES, takenWords } from "./pace.js";
/**
 * @typedef {{go: () => void, take: (count: number) => void, pace: (name: string) => void, walkStep: () => void,
 *   close: () => void}} Acts
 */
/**
 * `loss` of the walk's examples by now and `before`; `begun`: there is a run; `large`: it is not followed.
 * @typedef {{run: Run|null, playing: boolean, loss: number, before: number, begun: boolean, large: boolean}} Stand
 */

/** The run above the walk: its buttons, its curve, what it makes up. @param {HTMLElement} root @param {Acts} acts */
export function mountStrip(root, acts) {
  return new Strip(root, acts);
}

class Strip {
  /** @param {HTMLElement} root @param {Acts} acts */
  constructor(root, acts) {
    this.root = root;
    this.undo = cleanups();
    /** Whether nothing is to move by itself. */
    this.still = reducedMotion();
    this.parts = partsOf(this.still);
    /** @type {ReturnType<typeof mountCurve>|null} */
    this.curve = null;
    /** @type {unknown} */
    this.named = null;
    const { parts, undo } = this;
    undo.on(parts.go, "click", acts.go);
    undo.on(parts.one, "click", () => acts.take(1));
    undo.on(parts.ten, "click", () => acts.take(10));
    undo.on(parts.far, "click", () => acts.take(1000));
    undo.on(parts.pace, "change", () => acts.pace(parts.pace.value));
    undo.on(parts.walk, "click", acts.walkStep);
    undo.on(parts.close, "click", acts.close);
  }

  begin() {
    this.parts.stand.textContent = "beginning…";
  }

  /** @param {Stand} stand */
  update(stand) {
    const { root, parts } = this;
    const { run, playing } = stand;
    if (root.hidden) this.#show();
    const running = playing || run?.status === "running";
    parts.go.querySelector("use")?.setAttribute("href", running ? "#i-pause" : "#i-play");
    /** @type {HTMLElement} */ (parts.go.lastElementChild).textContent = running ? "Pause" : "Go on";
    for (const button of [parts.go, parts.one, parts.ten, parts.far])
      button.toggleAttribute("disabled", run?.over ?? false);
    parts.walk.hidden = !run?.taken || stand.large;
    parts.stand.textContent = takenWords(run?.taken ?? 0);
    parts.losses.replaceChildren(...lossParts(stand));
    parts.canvas.setAttribute("aria-label", `The loss along the steps: ${this.lossWords()}.`);
    this.curve?.draw([run ?? new Run()], 10);
    parts.key.hidden = !run?.taken;
    parts.key.lastElementChild?.toggleAttribute("hidden", !run?.validation.length);
    this.#name(run?.names ?? null);
  }

  #show() {
    this.root.replaceChildren(...this.parts.all);
    this.root.hidden = false;
    this.curve = mountCurve(this.parts.canvas);
  }

  /** @param {Run["names"]} names */
  #name(names) {
    if (this.named === names) return;
    this.named = names;
    const { made } = this.parts;
    made.hidden = !names?.names.length;
    if (!names) return;
    const list = el("ul", { class: "run-made" }, ...names.names.map((name) => el("li", { title: name }, name || "·")));
    made.replaceChildren(el("p", { class: "fact" }, `made up ${takenWords(names.step)}`), list);
  }

  /** @returns {string} what the losses say */
  lossWords = () => this.parts.losses.textContent ?? "";

  /** @param {boolean} connected */
  connected(connected) {
    this.root.classList.toggle("lost", !connected);
  }

  /** @param {string} address of the run on the page that trains; empty without one */
  lead(address) {
    this.parts.train.hidden = !address;
    if (address) this.parts.train.setAttribute("href", address);
  }

  hide() {
    this.root.hidden = true;
    this.curve?.unmount();
    this.curve = this.named = null;
    this.root.replaceChildren();
  }

  unmount = () => {
    this.hide();
    this.undo.run();
  };
}

/** @param {Stand} stand @returns {HTMLElement[]} what the run's loss is, and that of the examples in sight */
function lossParts({ run, loss, before, large }) {
  const smoothed = run?.series.points.at(-1)?.smoothed;
  const its = smoothed === undefined ? [] : [el("span", {}, `loss ${numberText(smoothed, 3)}`), " "];
  const from = run?.taken ? `${fixedText(before, 3)} → ${fixedText(loss, 3)}` : fixedText(before, 3);
  const these = large ? [] : [el("span", {}, `these examples ${from}`)];
  return /** @type {HTMLElement[]} */ ([...its, ...these]);
}

/** @returns {HTMLElement[]} what the lines and points of the curve are, the points last */
function keyParts() {
  const names = { each: "each step", smoothed: "smoothed", held: "examples held back" };
  return Object.entries(names).map(([name, words]) => el("span", { class: name }, words));
}

/** @param {boolean} still */
function partsOf(still) {
  const button = (/** @type {string} */ text) => el("button", { type: "button", class: "button" }, text);
  const go = el("button", { type: "button", class: "button strong" }, icon("play"), el("span", {}, "Go on"));
  const [one, ten, far, walk] = ["One step", "Ten", "A thousand", "Line by line"].map(button);
  const pace = el(
    "select",
    { autocomplete: "off" },
    ...PACES.map(({ name, words }) => el("option", { value: name }, words)),
  );
  const paced = el("label", { class: "run-pace" }, "steps: ", pace);
  const canvas = el("canvas", { role: "img" });
  const key = el("figcaption", { class: "run-key", "aria-hidden": "true" }, ...keyParts());
  const [stand, losses] = [el("p", { class: "run-stand" }), el("p", { class: "run-losses" })];
  const made = el("div", { class: "run-names", hidden: true });
  const train = el("a", { class: "link", hidden: true, title: "The same run, with its settings and instruments" });
  train.append("Open in Train");
  const close = el("button", {
    type: "button",
    class: "quiet run-close",
    "aria-label": "Close the run",
    title: "Close the run",
  });
  close.append(icon("close"));
  const acts = el("div", { class: "run-acts" }, ...(still ? [one, ten, far] : [go, one, ten, paced]));
  const words = el("div", { class: "run-words" }, stand, losses, el("div", { class: "run-ways" }, walk, train));
  const all = [
    el("div", { class: "run-side" }, words, acts),
    el("figure", { class: "run-curve" }, canvas, key),
    made,
    close,
  ];
  return { all, key, go, one, ten, far, pace, walk, train, close, canvas, stand, losses, made };
}
