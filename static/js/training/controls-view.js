import { byId, el, icon } from "../shared/dom/elements.js";
import { alertsOf } from "./alerts.js";
import { goButton, isLost, partsShown } from "./controls.js";
import { standsWords } from "./pair-words.js";
/** @typedef {import("./controls.js").Shown} Shown */

/** The buttons of the runs, where they stand, and what went wrong with them. */
export function mountControls() {
  const go = /** @type {HTMLButtonElement} */ (byId("go"));
  const bar = /** @type {HTMLProgressElement} */ (byId("bar"));
  const words = el("span", {});
  let signed = "";
  let alerted = "";

  /** @param {Shown} shown */
  function drawGo(shown) {
    const { sign, label, disabled } = goButton(shown);
    go.hidden = !label;
    go.disabled = disabled;
    words.textContent = label;
    if (signed === sign || !sign) return;
    signed = sign;
    go.replaceChildren(icon(sign), words);
  }

  /** @param {Shown} shown */
  function drawAlert({ runs, names }) {
    const alerts = alertsOf(runs, names);
    const told = JSON.stringify(alerts);
    if (alerted === told) return;
    alerted = told;
    byId("alert").hidden = alerts.length === 0;
    byId("alert").replaceChildren(...alerts.map(([title, more]) => el("p", {}, el("b", {}, title), ` ${more}`)));
  }

  return {
    /** @param {Shown} now */
    update(now) {
      const { status, runs, names, shown } = now;
      byId("train").dataset.status = status;
      drawGo(now);
      for (const [id, there] of Object.entries(partsShown(now))) byId(id).hidden = !there;
      for (const id of ["walk-step", "compare", "sample"])
        byId(id).toggleAttribute("disabled", shown !== null && isLost(shown.run));
      drawAlert(now);
      byId("stand").textContent = standsWords(runs, names);
      bar.max = runs[0]?.start?.steps ?? 1;
      bar.value = Math.min(...runs.map(({ taken }) => taken), bar.max);
    },
    unmount() {}, // all that it draws is in the template
  };
}
