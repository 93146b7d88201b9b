import { percentText } from "../shared/format.js";
import { counted } from "../shared/plural.js";
import { byId, el } from "../shared/dom/elements.js";
import { lossText } from "./words.js";
/** @typedef {import("./readings.js").Reading} Reading */

/** Names as the network makes them up, and, once training has ended, the losses of the whole splits. */
export function mountNames() {
  /** @type {unknown} */
  let shown = null;
  return {
    /**
     * @param {boolean} letters whether the run to come makes up names
     * @param {import("./usual-run-loader.js").UsualRun} [usual] what another one made up
     */
    promise: (letters, usual) => {
      shown = null;
      byId("names-part").hidden = byId("names-promise").hidden = !letters;
      byId("sample").hidden = true;
      for (const id of ["names-at", "names", "early-names", "splits"]) byId(id).replaceChildren();
      if (usual) byId("early-names").replaceChildren(stageRow({ step: usual.steps, names: usual.names }));
    },
    /** @param {Reading} reading @param {string} whose what the run is called, of two */
    update({ names, splits, run: { start, stages } }, whose) {
      const letters = start?.data.name === "names";
      byId("names-part").hidden = !start?.data.examples || (!letters && !splits && !names?.accuracy);
      byId("names-promise").hidden = true;
      byId("early-names").hidden = !letters;
      const title = letters ? "Made-up names" : "On examples not trained on";
      byId("names-title").textContent = [title, whose].filter(Boolean).join(": ");
      byId("sample").hidden = !letters || splits !== null; // twenty are there already
      const told = splits ?? names;
      if (told === shown) return;
      shown = told;
      byId("names-at").textContent = splits ? "at the end" : names ? momentWords(names.step) : "";
      byId("early-names").replaceChildren(...stages.filter(({ step }) => step < (told?.step ?? 0)).map(stageRow));
      byId("names").replaceChildren(...(told?.names ?? []).map((name) => el("li", {}, name || "·")));
      const list = byId("splits");
      const facts = splits ? splitFacts(splits, !letters) : letters ? [] : accuracyFacts("validation", names?.accuracy);
      list.hidden = !facts.length;
      list.replaceChildren(...facts.map(([word, text]) => el("div", {}, el("dt", {}, word), el("dd", {}, text))));
    },
    unmount() {}, // all that it draws is in the template
  };
}

/** @param {number} step */
const momentWords = (step) => (step ? `after ${counted(step, "step")}` : "untrained");

/** @param {{step: number, names: string[]}} stage */
function stageRow({ step, names }) {
  return el("div", {}, el("dt", {}, momentWords(step)), el("dd", {}, names.join(" ") || "·"));
}

/** @param {NonNullable<Reading["splits"]>} splits @param {boolean} scored @returns {[string, string][]} */
function splitFacts({ losses, accuracies }, scored) {
  return Object.entries(losses).flatMap(([part, loss]) => [
    /** @type {[string, string]} */ ([`${part} loss`, lossText(loss ?? undefined)]),
    ...(scored ? accuracyFacts(part, accuracies[part]) : []),
  ]);
}

/** @param {string} part @param {number|null|undefined} accuracy @returns {[string, string][]} nothing without scores */
function accuracyFacts(part, accuracy) {
  return accuracy === null || accuracy === undefined ? [] : [[`${part} accuracy`, percentText(accuracy)]];
}
