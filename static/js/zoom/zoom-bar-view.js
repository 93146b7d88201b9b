import { button } from "../shared/dom/button.js";
import { el } from "../shared/dom/elements.js";
/** @typedef {import("./viewport.js").Sheet} Sheet */
/** @typedef {import("./pooling.js").Pooling} Pooling */
/**
 * @typedef {{closer: (factor: number) => void, whole: () => void, pool: (pooling: Pooling) => void, jump: (row: number,
 *   col: number) => void}} Acts
 */

const FACES = /** @type {[Pooling, string][]} */ ([
  ["mean", "mean"],
  ["min", "least"],
  ["max", "greatest"],
]);

/** The buttons above a picture that can be zoomed. @param {Acts} acts */
export function zoomBar(acts) {
  const faces = FACES.map(([pooling, name]) =>
    button({ "aria-pressed": "false", "data-pooling": pooling }, () => acts.pool(pooling), name),
  );
  const pools = el("div", { class: "tabs", role: "group", "aria-label": "What a block shows of its cells" }, ...faces);
  const [closer, away, all] = [
    tool("+", "closer", () => acts.closer(2)),
    tool("−", "further away", () => acts.closer(0.5)),
    tool("whole", "all of it", acts.whole),
  ];
  const [row, col] = [field("row"), field("column")];
  const jump = el(
    "form",
    { class: "jump", novalidate: true },
    el("label", {}, "row ", row),
    el("label", {}, "column ", col),
    el("button", { type: "submit", class: "button" }, "go"),
  );
  jump.addEventListener("submit", (event) => {
    event.preventDefault();
    acts.jump(Number(row.value) || 0, Number(col.value) || 0);
  });
  const words = el("span", { class: "zoom-words" });
  let troubled = false;
  const root = el(
    "div",
    { class: "zoom-bar" },
    el("div", { class: "pair", role: "group", "aria-label": "Zoom" }, away, closer, all),
    pools,
    words,
    jump,
  );
  return {
    root,
    /** @param {Sheet} sheet */
    begin({ rows, cols }) {
      troubled = false;
      row.max = String(rows - 1);
      col.max = String(cols - 1);
    },
    /** @param {string} text @param {boolean} exact @param {Pooling} pooling @param {boolean} whole */
    update(text, exact, pooling, whole) {
      if (!troubled) words.textContent = text;
      pools.classList.toggle("idle", exact);
      faces.forEach((face) => {
        face.setAttribute("aria-pressed", String(!exact && face.dataset.pooling === pooling));
        face.setAttribute("aria-disabled", String(exact));
      });
      all.setAttribute("aria-disabled", String(whole));
      away.setAttribute("aria-disabled", String(whole));
    },
    /** What went wrong stays until it is asked again. @param {string} message @param {() => void} again */
    complain(message, again) {
      const ask = () => {
        troubled = false;
        again();
      };
      const retry = button({ class: "link" }, ask, "ask again");
      troubled = true;
      words.replaceChildren(el("span", { class: "broken" }, `${message} `), retry);
    },
  };
}

/** @param {string} sign @param {string} words @param {() => void} act */
function tool(sign, words, act) {
  return button({ class: "button", "aria-label": words, title: words }, act, sign);
}

/** @param {string} name */
function field(name) {
  return el("input", { type: "number", inputmode: "numeric", min: 0, name, placeholder: "0", autocomplete: "off" });
}
