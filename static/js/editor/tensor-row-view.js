import { FILLS, ROLES, ROLE_WORDS, WHOLES } from "./draft.js";
import { asDecimals, shapeOfRow, valuesOf } from "./request.js";
import { numberText, shapeText } from "../shared/format.js";
import { el, icon } from "../shared/dom/elements.js";
import { prose } from "../shared/prose-view.js";
import { blame, choice, fill, input } from "./field-view.js";
/** @typedef {import("./draft.js").TensorRow} TensorRow */
/** @typedef {{field: string, message: string}} Mistake */

/** One tensor of the table. @param {number} id */
export function tensorRowView(id) {
  const name = input(id, "name", "Name", { class: "name-field", placeholder: "name", maxlength: 64 });
  const role = choice(id, "role", "Role", ROLES);
  const shape = input(id, "shape", "Shape", { class: "shape-field", placeholder: "3, 4" });
  const readout = el("span", { class: "shape-readout" });
  const more = el(
    "button",
    { type: "button", class: "quiet more", "data-act": "more", "data-row": id, "aria-expanded": "false" },
    icon("down"),
  );
  const drop = el("button", { type: "button", class: "quiet drop", "data-act": "drop", "data-row": id }, icon("close"));
  const recipe = el("div", { class: "recipe" }, choice(id, "fill", "Filled with", FILLS), ...recipeFields(id));
  const summary = el("button", { type: "button", class: "summary", "data-act": "more", "data-row": id });
  recipe.append(summary);
  const values = el("textarea", {
    "aria-label": "Values",
    "data-row": id,
    "data-field": "values",
    rows: 4,
    spellcheck: "false",
    autocapitalize: "off",
    autocomplete: "off",
    placeholder: "Paste a list, a NumPy or PyTorch print-out, or CSV",
  });
  const valuesBox = el("div", { class: "values-box" }, values);
  const kinds = choice(id, "whole", "Whole numbers", WHOLES);
  [...kinds.options].forEach(
    (option, i) => (option.textContent = ["as the program uses them", "as decimals", "as whole numbers"][i]),
  );
  const wholes = el("label", { class: "wholes-box" }, el("span", {}, "whole numbers"), kinds);
  const axes = el(
    "label",
    { class: "axes-box" },
    el("span", {}, "axis names"),
    input(id, "axes", "Axis names", { placeholder: "example, feature" }),
  );
  const says = el("p", { class: "row-says", id: `row-says-${id}` });
  const details = el("div", { class: "row-details", id: `row-details-${id}` }, valuesBox, wholes, axes);
  more.setAttribute("aria-controls", details.id);
  const element = el(
    "div",
    { class: "tensor-row", "data-id": id },
    name,
    role,
    el("span", { class: "shape-cell" }, shape, readout),
    recipe,
    more,
    drop,
    details,
    says,
  );
  element.setAttribute("role", "group");
  let open = false;
  let spoken = "";

  /** @param {TensorRow} row @param {Mistake[]} mistakes @param {Set<string>} indices */
  function summarise(row, mistakes, indices) {
    const values = row.fill === "values" ? valuesOf(row) : null;
    const size = shapeOfRow(row);
    readout.textContent = size ? shapeText(size) : "–";
    if (values === null || typeof values === "string")
      return (summary.textContent = mistakes.length ? "not readable" : "no numbers yet");
    const range =
      values.least === values.most
        ? numberText(values.least, 3)
        : `${numberText(values.least, 3)} to ${numberText(values.most, 3)}`;
    if (values.mask)
      return (summary.textContent =
        values.least === values.most ? `a mask, all ${values.least ? "true" : "false"}` : "a mask of true and false");
    const whole = values.whole && !asDecimals(row, indices) ? "whole, " : "";
    return (summary.textContent = `${whole}${range}${values.note ? ` · ${values.note}` : ""}`);
  }

  return {
    element,
    toggle(/** @type {boolean} */ wanted = !open) {
      open = wanted;
    },
    get open() {
      return open;
    },
    /**
     * @param {TensorRow} row @param {Mistake[]} mistakes @param {boolean} unused
     * @param {Set<string>} indices names that the program picks places with
     * @param {import("../walk/types.js").Need|undefined} need what its use tells of its shape
     */
    update(row, mistakes, unused, indices, need) {
      fill(element, row);
      name.title = row.name; // a long one is cut
      role.title = ROLE_WORDS[row.role];
      element.dataset.fill = row.fill;
      element.classList.toggle("unused", unused);
      const called = row.name || "the new tensor";
      if (spoken !== called) relabel((spoken = called));
      summarise(row, mistakes, indices);
      const wrongInside = mistakes.some(({ field }) => field === "values" || field === "axes");
      const shown = open || wrongInside;
      details.hidden = !shown;
      valuesBox.hidden = row.fill !== "values";
      const values = row.fill === "values" ? valuesOf(row) : "";
      wholes.hidden = typeof values === "string" || !values.whole;
      more.setAttribute("aria-expanded", String(shown));
      blame(element, says, mistakes);
      const told = mistakes.map(({ message }) => message);
      const lacking = need && row.fill !== "values" && !row.shape.trim() ? need : null;
      const text = prose([...told, lacking?.because].filter(Boolean).join(" "));
      const key = JSON.stringify([told, lacking]);
      // a button that has the focus stays the one it is
      if (says.dataset.key !== key)
        says.replaceChildren(...text, ...(lacking?.shape ? [" ", take(lacking.shape)] : []));
      says.dataset.key = key;
      says.hidden = !text.length;
      says.classList.toggle("wrong", mistakes.length > 0);
    },
  };

  /** @param {number[]} shape that is offered */
  function take(shape) {
    return el(
      "button",
      { type: "button", class: "link", "data-act": "take", "data-row": id },
      `make it ${shapeText(shape)}`,
    );
  }

  /** @param {string} called */
  function relabel(called) {
    element.setAttribute("aria-label", `Tensor ${called}`);
    drop.setAttribute("aria-label", `Remove ${called}`);
    drop.setAttribute("title", `Remove ${called}`);
    more.setAttribute("aria-label", `Values and axis names of ${called}`);
    more.setAttribute("title", "Values and axis names");
    for (const field of element.querySelectorAll("[data-field]")) {
      const label = (field.getAttribute("aria-label") ?? "").split(" of ")[0];
      field.setAttribute("aria-label", `${label} of ${called}`);
    }
  }
}

/** @param {number} id @returns {HTMLElement[]} what a filling asks for; style sheets show those that its kind has */
function recipeFields(id) {
  const short = { size: 4, inputmode: "decimal" };
  const labelled = (/** @type {string} */ kind, /** @type {string} */ sign, /** @type {HTMLElement} */ field) =>
    el("span", { class: `part ${kind}` }, el("span", { "aria-hidden": "true" }, sign), field);
  return [
    labelled("bounds", "from", input(id, "low", "Smallest", { ...short, placeholder: "0" })),
    labelled("bounds", "below", input(id, "high", "Below", { ...short })),
    labelled("scaling", "×", input(id, "scale", "Scale", { ...short, placeholder: "1" })),
    labelled("scaling", "+", input(id, "shift", "Shift", { ...short, placeholder: "0" })),
    labelled("seeded", "seed", input(id, "seed", "Seed", { size: 5, inputmode: "numeric", placeholder: "0" })),
  ];
}
