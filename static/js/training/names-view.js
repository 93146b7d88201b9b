import { numberText } from "../shared/format.js";
import { numberIn } from "../shared/json-number.js";
import { counted } from "../shared/plural.js";
import { byId, el } from "../shared/dom/elements.js";
/** @typedef {import("./run.js").Run} Run */

/** Names as the network makes them up, and, once training has ended, the losses of the whole splits. */
export function mountNames() {
  /** @type {unknown} */
  let shown = null;
  return {
    /** @param {Run} run */
    update({ names, splits, start }) {
      byId("names-part").hidden = !start?.data.examples;
      byId("sample").hidden = splits !== null; // twenty are there already
      const told = splits ?? names;
      if (told === shown) return;
      shown = told;
      byId("names-at").textContent = splits ? "at the end" : names ? `after ${counted(names.step, "step")}` : "";
      byId("names").replaceChildren(...(told?.names ?? []).map((name) => el("li", {}, name || "·")));
      const list = byId("splits");
      list.hidden = !splits;
      list.replaceChildren(
        ...Object.entries(splits?.losses ?? {}).map(([part, loss]) =>
          el("div", {}, el("dt", {}, `${part} loss`), el("dd", {}, numberText(numberIn(loss), 5))),
        ),
      );
    },
  };
}
