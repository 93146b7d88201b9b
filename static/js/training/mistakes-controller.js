import { asApiError } from "../shared/api.js";
import { byId, cleanups } from "../shared/dom/elements.js";
import { prose } from "../shared/prose-view.js";
import { makeMistakesLoader } from "./mistakes-loader.js";
import { mountMistakes } from "./mistakes-view.js";
/** @typedef {import("../walk/plant.js").Plant} Plant */

const HINT = "Reload the page.";

/**
 * What goes wrong on purpose in the second run: chosen in a dialog, and told beside the form.
 * @param {{request: () => Promise<string>, chosen: () => Plant|null,
 *   take: (step: number, mistake: string) => void}} acts
 */
export function mountMistakesController({ request, chosen, take }) {
  const undo = cleanups();
  const loader = makeMistakesLoader(request);
  const [button, says] = ["beside-choose", "beside-says"].map(byId);
  let told = "";
  const view = mountMistakes(
    /** @type {HTMLDialogElement} */ (byId("mistakes-dialog")),
    { lines: byId("mistakes-lines"), choices: byId("mistakes-choices") },
    { look, take },
  );
  /** @param {unknown} error */
  const failed = (error) => view.fail(asApiError(error, HINT).problem);

  /** @param {number} step */
  function look(step) {
    const plant = chosen();
    view.looking(step);
    loader.choices(step, {
      arrived: (choices) => view.choices(choices, plant?.step === step ? mistakeOf(plant) : ""),
      failed,
    });
  }

  function open() {
    const step = chosen()?.step ?? null;
    view.open();
    loader.lines({
      arrived(lines) {
        view.lines(lines, step);
        const first = step ?? lines[0]?.step;
        if (first !== undefined) look(first);
      },
      failed,
    });
  }
  undo.on(button, "click", open);

  return {
    open,
    /** Say which mistake it is. @param {boolean} used whether there is a second run with one */
    draw(used) {
      const plant = used ? chosen() : null;
      const wanted = plant ? `${plant.step} ${mistakeOf(plant)}` : "";
      button.textContent = plant ? "Choose another…" : "Choose a line…";
      if (told === wanted) return;
      told = wanted;
      says.replaceChildren();
      if (!plant) return;
      loader.choices(plant.step, {
        arrived({ mistakes }) {
          const mistake = mistakes.find(({ mistake }) => mistake === mistakeOf(plant));
          if (told !== wanted) return;
          const words = mistake ? `${mistake.label}: \`${mistake.code}\`` : "this line can’t have that mistake.";
          says.replaceChildren(...prose(`Step ${plant.step + 1}, ${words}`));
        },
        failed: () => (told = ""),
      });
    },
    unmount() {
      undo.run();
      loader.unmount();
      view.unmount();
    },
  };
}

/** @param {Plant} plant */
const mistakeOf = (plant) => ("mistake" in plant ? plant.mistake : "");
