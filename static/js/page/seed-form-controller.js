import { copyAddress } from "../walk/lesson-copy.js";
import { byId, cleanups } from "../shared/dom/elements.js";
import { at } from "../shared/address.js";
/** @typedef {import("../walk/store.js").Store} Store */
/** @typedef {import("../walk/store.js").State} State */

const SEEDS = 2 ** 31;
/** What a link can say: beyond 2⁵³ a number in JavaScript loses digits. */
const TOO_LARGE = `is at most ${Number.MAX_SAFE_INTEGER.toLocaleString("en")}.`;

/**
 * What the Walk page is about: the lesson or program, and the number that a lesson's tensors are made with.
 * @param {Store} store @param {(question: Partial<State>) => void} ask
 * @param {string} hash the step of a run whose numbers take the place of the lesson's own
 */
export function mountSeedForm(store, ask, hash) {
  const undo = cleanups();
  const lesson = /** @type {HTMLSelectElement} */ (byId("lesson"));
  // a program has no seed of its own
  const numbers = document.getElementById("seed-form") ? mountSeed(store, ask, hash) : null;
  undo.on(byId("forward"), "click", (event) => {
    const button = event.target.closest("[data-open]");
    if (button) location.assign(copyAddress({ ...store.state, line: Number(button.dataset.open) }) + hash);
  });
  undo.on(lesson, "change", () => location.assign(at(`/walk/${encodeURIComponent(lesson.value)}`)));

  /** @param {State} state */
  const update = (state) => byId("to-code").setAttribute("href", copyAddress({ ...state, line: null }) + hash);
  update(store.state);
  undo.add(store.subscribe(update));
  if (numbers) undo.add(numbers.unmount);
  return {
    /** @param {string} text */
    complain: (text) => numbers?.complain(text),
    usual: numbers?.usual ?? "Without a seed",
    unmount: undo.run,
  };
}

/**
 * The number that a lesson's tensors are made with.
 * @param {Store} store @param {(question: Partial<State>) => void} ask
 * @param {string} hash of a step of training, whose numbers are what they are: there is only a name to be written
 */
function mountSeed(store, ask, hash) {
  const undo = cleanups();
  const form = byId("seed-form");
  const seed = /** @type {HTMLInputElement} */ (byId("seed"));
  const says = byId("seed-says");
  const words = form.hasAttribute("data-words"); // the lesson takes a word, too
  const again = document.getElementById("reseed"); // a lesson whose number is chosen rather than drawn has none

  /** @param {string} text why the number will not do; nothing when it will */
  function complain(text) {
    says.textContent = text;
    says.hidden = text === "";
    if (text) seed.setAttribute("aria-invalid", "true");
    else seed.removeAttribute("aria-invalid");
  }

  function submit() {
    const text = seed.value.trim();
    if (words && /^[^\d+-]/.test(text)) return takeWord(text.toLowerCase());
    if (hash && text) return complain("Write a name: these numbers come from training.");
    const wanted = text === "" ? null : Number(text);
    if (wanted !== null && !(/^\d+$/.test(text) && Number.isSafeInteger(wanted)))
      return complain(`${seed.dataset.name} ${/^\d+$/.test(text) ? TOO_LARGE : "is a whole number, 0 or more."}`);
    complain("");
    if (wanted !== store.state.seed || store.state.word) ask({ seed: wanted, word: "", changes: [] });
  }

  /** @param {string} word takes the place of the first examples */
  function takeWord(word) {
    complain("");
    if (word !== store.state.word) ask({ word, changes: [] });
  }
  undo.on(form, "submit", (event) => {
    event.preventDefault();
    submit();
  });
  undo.on(seed, "change", submit);
  undo.on(seed, "input", () => complain(""));
  undo.on(seed, "keydown", (event) => {
    if (event.key !== "Escape") return;
    seed.value = textOf(store.state);
    complain("");
  });
  if (again) undo.on(again, "click", () => ask({ seed: Math.floor(Math.random() * SEEDS), word: "", changes: [] }));

  /** @param {State} state @param {State} [before] */
  function update(state, before) {
    if (state.seed === before?.seed && state.word === before?.word) return;
    seed.value = textOf(state);
    complain("");
  }
  update(store.state);
  if (hash) nameOnly(form, seed, again);
  undo.add(store.subscribe(update));
  return { complain, usual: seed.dataset.usual ?? "", unmount: undo.run };
}

/** @param {HTMLElement} form @param {HTMLInputElement} field @param {HTMLElement|null} again draws another number */
function nameOnly(form, field, again) {
  const label = form.querySelector("label");
  if (label) label.textContent = "name";
  field.placeholder = "";
  field.removeAttribute("inputmode");
  if (again) again.hidden = true;
}

/** @param {State} state */
function textOf({ seed, word }) {
  if (word) return word;
  return seed === null ? "" : String(seed);
}
