import { numberText } from "../shared/format.js";
import { numberIn } from "../shared/json-number.js";
import { byId, cleanups, el } from "../shared/dom/elements.js";
import { prose } from "../shared/prose-view.js";
import { badgeDot } from "../walk/badge-view.js";
import { mountActivations } from "./activations-view.js";
import { mountNames } from "./names-view.js";
import { mountParameters } from "./parameters-view.js";
import { mountSilenced } from "./silenced-view.js";
import { verdictNotes } from "./words.js";
/** @typedef {import("./readings.js").Reading} Reading */

/**
 * What is measured of one run: norms, updates, activations, names; of two runs, which one.
 * @param {() => void} changed
 */
export function mountInstruments(changed) {
  const undo = cleanups();
  const parameters = mountParameters(byId("parameters"));
  const activations = mountActivations(byId("activations"));
  const names = mountNames();
  const silenced = mountSilenced();
  const choice = byId("shown-run");
  const labels = /** @type {NodeListOf<HTMLElement>} */ (choice.querySelectorAll("label span"));
  let meant = "";
  undo.on(choice, "change", changed);

  return {
    /** @returns {0|1} which run is looked at */
    place: () => (choice.hidden || /** @type {HTMLInputElement} */ (choice.querySelector("input")).checked ? 0 : 1),
    /** @param {string[]} words what the runs are called */
    offer(words) {
      choice.hidden = words.length < 2;
      for (const [i, word] of words.entries()) if (labels[i].textContent !== word) labels[i].textContent = word;
    },
    promise: names.promise,
    /** @param {Reading} reading @param {string} whose what the run is called, of two */
    update(reading, whose) {
      const { run, report } = reading;
      parameters.update(reading);
      byId("norm").textContent = normWords(reading);
      byId("compared-at").textContent = run.compared
        ? `compared at step ${run.compared.step.toLocaleString("en")}`
        : "";
      const notes = verdictNotes(run.compared?.parameters ?? []);
      const told = JSON.stringify(notes);
      if (told !== meant) byId("verdict-notes").replaceChildren(...notes.map(noteItem));
      meant = told;
      byId("activations-part").hidden = !report?.activations.length;
      activations.update(report?.activations ?? []);
      names.update(reading, whose);
      silenced.update(reading);
    },
    unmount: undo.run,
  };
}

/** @param {import("./words.js").Note} note */
function noteItem({ level, word, text }) {
  return el("li", {}, badgeDot(level), " ", el("b", {}, word), ": ", ...prose(text));
}

/** @param {Reading} reading */
function normWords({ report, run: { settings } }) {
  if (!report) return "";
  const whole = `gradient’s norm ${numberText(numberIn(report.norm), 3)}`;
  return settings?.clip ? `${whole}, clipped to ${numberText(numberIn(report.norm_after), 3)}` : whole;
}
