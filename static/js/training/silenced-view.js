import { numberText } from "../shared/format.js";
import { numberIn } from "../shared/json-number.js";
import { byId, el } from "../shared/dom/elements.js";
/** @typedef {import("./readings.js").Reading} Reading */

const ALL = "This minibatch is silenced: its loss is above the limit, so its gradient is 0.";

/** What a clipped loss silences of the minibatch of the step that is shown. */
export function mountSilenced() {
  const root = byId("silenced");
  const words = el("p", {});
  const examples = el("ul", { class: "silenced-examples", "aria-label": "Silenced examples, each with its loss" });
  root.replaceChildren(words, examples);

  return {
    /** @param {Reading} reading */
    update({ report, run: { silenced } }) {
      const told = /** @type {any} */ (report?.silenced ?? null);
      root.hidden = !told;
      if (!told) return;
      const often =
        silenced > 1 ? ` Something was silenced at ${silenced.toLocaleString("en")} of the steps shown.` : "";
      words.textContent = `${told.says ?? ALL}${often}`;
      examples.hidden = !told.examples?.length;
      examples.replaceChildren(
        ...(told.examples ?? []).map((/** @type {any} */ { text, loss }) =>
          el("li", {}, el("code", {}, text), ` ${numberText(numberIn(loss), 3)}`),
        ),
      );
    },
    unmount: () => root.replaceChildren(),
  };
}
