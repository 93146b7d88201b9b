import { byId, el } from "../shared/dom/elements.js";
import { otherLinesWord } from "./beside.js";
import { prose } from "../shared/prose-view.js";
import { LOOPS } from "./options.js";
import { fieldsInUse } from "./settings.js";
/** @typedef {import("./settings.js").Fields} Fields */

/** What may be changed while a run is under way. */
const FREE = new Set(["lr", "schedule", "factor", "every", "warmup", "clip", "limit", "besideRate"]);
/** Fields without a place of their own to write in: the list that they are chosen from. */
const CHOSEN = /** @type {Record<string, string>} */ ({ besideStep: "beside-line", besideMistake: "beside-kind" });

/** The form of a run's settings: of each what means something now, and what may still be changed. */
export function mountSetup() {
  const form = /** @type {HTMLFormElement} */ (byId("setup"));
  const says = byId("setup-says");

  /** @param {string} name @returns {HTMLInputElement} or a select, which is read and written alike */
  const field = (name) => /** @type {any} */ (form.elements.namedItem(name));
  const placeOf = (/** @type {string} */ name) => (name in CHOSEN ? byId(CHOSEN[name]) : field(name));

  return {
    form,
    /** @returns {Fields} */
    read() {
      // a field's set stands among its elements, too, and has no name
      const named = /** @type {any[]} */ ([...form.elements]).filter(({ name }) => name);
      return /** @type {any} */ (Object.fromEntries(named.map(({ name, value }) => [name, value])));
    },
    /** @param {Fields} fields @param {{drawn: boolean, run: boolean, over: boolean}} about */
    show(fields, { drawn, run, over }) {
      const used = new Set(/** @type {string[]} */ (fieldsInUse(fields, drawn)));
      for (const [name, value] of Object.entries(fields)) {
        const one = field(name);
        if (one !== document.activeElement && one.value !== value) one.value = value;
        one.disabled = run && !FREE.has(name);
        const label = /** @type {HTMLElement|null} */ (one.closest("label"));
        if (label) label.hidden = !used.has(name);
      }
      byId("beside-mistake").hidden = !used.has("besideMistake");
      const loop = used.has("besideLoop") ? LOOPS[fields.besideLoop].says : "";
      byId("loop-says").hidden = !loop;
      byId("loop-says").replaceChildren(el("span", {}, ...prose(loop)));
      byId("beside-lines").textContent = otherLinesWord(fields);
      byId("setup-note").textContent = over
        ? "Restart begins again with these rates and the same seed."
        : run
          ? "Rate and clipping may be changed while it trains: from the next step on."
          : "";
    },
    /** @param {{field: string, message: string}|null} mistake */
    complain(mistake) {
      for (const one of form.querySelectorAll("[aria-invalid]")) one.removeAttribute("aria-invalid");
      says.hidden = mistake === null;
      says.textContent = mistake?.message ?? "";
      if (mistake) placeOf(mistake.field).setAttribute("aria-invalid", "true");
    },
    /** @param {string} name */
    focus(name) {
      says.scrollIntoView({ block: "nearest" });
      placeOf(name).focus();
    },
    unmount() {}, // all that it draws is in the template
  };
}
