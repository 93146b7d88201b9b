import { asApiError } from "../shared/api.js";
import { byId, cleanups } from "../shared/dom/elements.js";
import { makeMistakesLoader } from "./mistakes-loader.js";
import { mountMistakes } from "./mistakes-view.js";
/** @typedef {import("../walk/plant.js").Plant} Plant */

const HINT = "Reload the page.";

/**
 * What goes wrong on purpose in the second run: chosen in the form, where its sentence and its line stand.
 * @param {{request: () => Promise<string>, chosen: () => Plant|null,
 *   take: (step: number, mistake: string) => void}} acts
 */
export function mountMistakesController({ request, chosen, take }) {
  const undo = cleanups();
  const loader = undo.part(makeMistakesLoader(request));
  const [line, kind] = ["beside-line", "beside-kind"].map((id) => /** @type {HTMLSelectElement} */ (byId(id)));
  const part = byId("setup-beside");
  const view = mountMistakes({ line, kind, says: byId("beside-says") });
  let offered = false;

  /** @param {unknown} error */
  function failed(error) {
    offered = false;
    const { message, hint } = asApiError(error, HINT).problem;
    view.lacks(`${message} ${hint ?? ""}`);
  }

  function offer() {
    offered = true;
    view.waits();
    loader.lines({
      arrived(lines) {
        view.lines(lines);
        const plant = chosen();
        const middle = lines[lines.length >> 1];
        if (plant) look(plant.step, mistakeOf(plant));
        else if (middle) look(middle.step);
      },
      failed,
    });
  }

  /** @param {number} step @param {string} [mistake] in it; the first on the list without one */
  function look(step, mistake) {
    view.looking(step);
    loader.choices(step, {
      arrived({ mistakes }) {
        const one = mistake ? mistakes.find((one) => one.mistake === mistake) : mistakes[0];
        view.kinds(mistakes, one);
        if (one) view.say(one);
        else view.lacks(mistake ? "This line can’t have that mistake." : "Nothing on the list can go wrong here.");
        if (!mistake) take(step, one?.mistake ?? "");
        if (part.contains(document.activeElement)) part.scrollIntoView({ block: "nearest" });
      },
      failed,
    });
  }

  undo.on(line, "change", () => {
    take(Number(line.value), "");
    look(Number(line.value));
  });
  undo.on(kind, "change", () => {
    take(Number(line.value), kind.value);
    look(Number(line.value), kind.value);
  });

  return {
    /** @param {boolean} used whether there is a second run with one @param {boolean} held whether it has begun */
    draw(used, held) {
      view.hold(held);
      if (used && !offered) offer();
    },
    unmount: undo.run,
  };
}

/** @param {Plant} plant */
const mistakeOf = (plant) => ("mistake" in plant ? plant.mistake : "");
