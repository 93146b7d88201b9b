import { requestOf } from "../subject/request-loader.js";
import { byId, cleanups } from "../shared/dom/elements.js";
import { addressOf } from "./address.js";
import { besidePlant } from "./beside.js";
import { mountMistakesController } from "./mistakes-controller.js";
import { LOOPS } from "./options.js";
import { USUAL_RATES } from "./settings.js";
import { mountSetup } from "./setup-view.js";
/** @typedef {import("./asked.js").Asked} Asked */
/** @typedef {import("./settings.js").Fields} Fields */

const USUAL = new Set(Object.values(USUAL_RATES));

/**
 * The form of the settings, and the address that holds them.
 * @param {Asked} asked
 * @param {{changed: () => void, start: () => void, drawn: () => void}} hears `changed`: to settings that may be tried
 */
export function mountSetupController(asked, { changed, start, drawn }) {
  const undo = cleanups();
  const { subject } = asked;
  const view = undo.part(mountSetup());
  const mistakes = undo.part(
    mountMistakesController({
      request: () => requestOf({ ...subject, seed: null }),
      chosen: () => besidePlant(asked.fields),
      take: (step, mistake) => edit({ ...view.read(), besideStep: String(step), besideMistake: mistake }),
    }),
  );

  function draw() {
    const runs = asked.runs();
    const over = runs.some((run) => run.over);
    view.show(asked.fields, { drawn: asked.drawn, run: asked.starting || runs.length > 0, over });
    mistakes.draw(asked.fields.beside === "mistake", asked.starting || runs.length > 0);
    drawn();
  }

  function keepAddress() {
    subject.settings = asked.said;
    history.replaceState(null, "", addressOf(subject));
  }

  /** @param {Fields} next */
  function edit(next) {
    asked.fields = next;
    const { mistake } = asked;
    // what is still to be chosen is no mistake before the start
    view.complain(mistake?.field === "besideMistake" ? null : mistake);
    draw();
    keepAddress();
    if (!mistake) changed();
  }

  undo.on(view.form, "change", ({ target: { name } }) => {
    if (!name) return; // a list that writes into fields by itself
    edit(withUsualRate(name, withNeeds(name, view.read())));
    if (name === "beside") byId("setup-beside").scrollIntoView({ block: "nearest" });
  });
  undo.on(view.form, "submit", (event) => event.preventDefault());
  undo.on(view.form, "keydown", (event) => {
    if (event.key !== "Enter" || event.target.tagName !== "INPUT") return;
    event.preventDefault();
    edit(view.read());
    start();
  });
  return {
    draw,
    /** What an address says of a second run stands last in the form, which may be longer than the window. */
    showBeside() {
      if (asked.fields.beside !== "none") view.form.scrollTop = view.form.scrollHeight;
    },
    keepAddress,
    /** @returns {boolean} whether a run can begin with what is written; else it says why not */
    holds() {
      const { mistake } = asked;
      view.complain(mistake);
      if (mistake) view.focus(mistake.field);
      return !mistake;
    },
    unmount: undo.run,
  };
}

/** @param {string} name of the changed field @param {Fields} fields @returns {Fields} as the mistake needs them */
function withNeeds(name, fields) {
  if (fields.beside !== "loop" || !["beside", "besideLoop"].includes(name)) return fields;
  return { ...fields, ...LOOPS[fields.besideLoop].needs };
}

/** @param {string} name of the field that was changed @param {Fields} fields @returns {Fields} */
function withUsualRate(name, fields) {
  const { lr, besideRate, optimiser, besideOptimiser } = fields;
  // a rate that was never touched follows the optimiser
  if ((name === "optimiser" || name === "besideLoop") && USUAL.has(lr))
    return { ...fields, lr: USUAL_RATES[optimiser] };
  if (name === "besideOptimiser" && USUAL.has(besideRate))
    return { ...fields, besideRate: USUAL_RATES[besideOptimiser] };
  return fields;
}
