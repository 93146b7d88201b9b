import { FILLS, ROLES, ROLE_WORDS, WHOLES } from "./draft.js";
import { shapeOfRow, valuesOf } from "./request.js";
import { rowSummary } from "./row-summary.js";
import { shapeText } from "../shared/format.js";
import { el, icon } from "../shared/dom/elements.js";
import { prose } from "../shared/prose-view.js";
import { blame, choice, fill, input } from "./field-view.js";
import { markShown } from "../shared/dom/shown.js";
/** @typedef {import("./draft.js").TensorRow} TensorRow */
/** @typedef {{field: string, message: string}} Mistake */
/** @typedef {import("../walk/found-types.js").Need} Need */

const WHOLE_WORDS = ["as the program uses them", "as decimals", "as whole numbers"];
const PASTED = {
  "aria-label": "Values",
  rows: 4,
  spellcheck: "false",
  autocapitalize: "off",
  autocomplete: "off",
  placeholder: "Paste a list, a NumPy or PyTorch print-out, or CSV",
};

/** One tensor of the table. @param {number} id */
export function tensorRowView(id) {
  return new TensorRowView(id);
}

class TensorRowView {
  /** @param {number} id */
  constructor(id) {
    this.id = id;
    this.open = false;
    this.called = "";
    this.name = input(id, "name", "Name", { class: "name-field", placeholder: "name", maxlength: 64 });
    this.role = choice(id, "role", "Role", ROLES);
    this.readout = el("span", { class: "shape-readout" });
    this.summary = this.button("more", { class: "summary" });
    this.more = this.button("more", { class: "quiet more", "aria-expanded": "false" }, icon("down"));
    this.drop = this.button("drop", { class: "quiet drop" }, icon("close"));
    this.values = el("textarea", { ...PASTED, "data-row": id, "data-field": "values" });
    this.valuesBox = el("div", { class: "values-box" }, this.values);
    this.wholes = wholesBox(id);
    this.says = el("p", { class: "row-says", id: `row-says-${id}` });
    this.details = el("div", { class: "row-details", id: `row-details-${id}` });
    this.details.append(this.valuesBox, this.wholes, axesBox(id));
    this.more.setAttribute("aria-controls", this.details.id);
    const { name, role, more, drop, details, says } = this;
    const parts = [name, role, this.shapeCell(), this.recipe(), more, drop, details, says];
    this.element = el("div", { class: "tensor-row", "data-id": id }, ...parts);
    this.element.setAttribute("role", "group");
  }

  /** @param {string} act @param {Record<string, string>} props @param {...Node} content */
  button(act, props, ...content) {
    return el("button", { type: "button", ...props, "data-act": act, "data-row": this.id }, ...content);
  }

  shapeCell() {
    const shape = input(this.id, "shape", "Shape", { class: "shape-field", placeholder: "3, 4" });
    return el("span", { class: "shape-cell" }, shape, this.readout);
  }

  recipe() {
    const filled = choice(this.id, "fill", "Filled with", FILLS);
    return el("div", { class: "recipe" }, filled, ...recipeFields(this.id), this.summary);
  }

  toggle(wanted = !this.open) {
    this.open = wanted;
  }

  /**
   * @param {TensorRow} row @param {Mistake[]} mistakes @param {boolean} unused
   * @param {Set<string>} indices names that the program picks places with
   * @param {Need|undefined} need what its use tells of its shape
   */
  update(row, mistakes, unused, indices, need) {
    fill(this.element, row);
    this.name.title = row.name; // a long one is cut
    this.role.title = ROLE_WORDS[row.role];
    this.element.dataset.fill = row.fill;
    this.element.classList.toggle("unused", unused);
    this.call(row.name || "the new tensor");
    const size = shapeOfRow(row);
    this.readout.textContent = size ? shapeText(size) : "–";
    this.summary.textContent = rowSummary(row, mistakes.length > 0, indices);
    this.showDetails(row, mistakes);
    blame(this.element, this.says, mistakes);
    const lacking = need && row.fill !== "values" && !row.shape.trim() ? need : null;
    this.element.classList.toggle("guessed", row.guess !== "");
    this.tell(
      mistakes.map(({ message }) => message),
      lacking,
      row.guess,
    );
  }

  /** @param {TensorRow} row @param {Mistake[]} mistakes */
  showDetails(row, mistakes) {
    const shown = this.open || mistakes.some(({ field }) => field === "values" || field === "axes");
    const values = row.fill === "values" ? valuesOf(row) : "";
    this.details.hidden = !shown;
    this.valuesBox.hidden = row.fill !== "values";
    this.wholes.hidden = typeof values === "string" || !values.whole;
    this.more.setAttribute("aria-expanded", String(shown));
  }

  /** @param {string[]} wrong @param {Need|null} lacking @param {string} guess why it is as it is */
  tell(wrong, lacking, guess) {
    const { says } = this;
    const guessed = guess && !wrong.length ? `A guess. ${guess}` : "";
    const text = prose([...wrong, lacking?.because, guessed].filter(Boolean).join(" "));
    // a button that has the focus stays the one it is
    if (markShown(says, wrong, lacking, guess))
      says.replaceChildren(...text, ...(lacking?.shape ? [" ", this.takeButton(lacking.shape)] : []));
    says.hidden = !text.length;
    says.classList.toggle("wrong", wrong.length > 0);
  }

  /** @param {number[]} shape that is offered */
  takeButton(shape) {
    const button = this.button("take", { class: "link" });
    button.append(`make it ${shapeText(shape)}`);
    return button;
  }

  /** @param {string} called */
  call(called) {
    if (this.called === called) return;
    this.called = called;
    this.element.setAttribute("aria-label", `Tensor ${called}`);
    this.drop.setAttribute("aria-label", `Remove ${called}`);
    this.drop.setAttribute("title", `Remove ${called}`);
    this.more.setAttribute("aria-label", `Values and axis names of ${called}`);
    this.more.setAttribute("title", "Values and axis names");
    for (const field of this.element.querySelectorAll("[data-field]")) {
      const label = (field.getAttribute("aria-label") ?? "").split(" of ")[0];
      field.setAttribute("aria-label", `${label} of ${called}`);
    }
  }
}

/** @param {number} id */
function wholesBox(id) {
  const kinds = choice(id, "whole", "Whole numbers", WHOLES);
  [...kinds.options].forEach((option, i) => (option.textContent = WHOLE_WORDS[i]));
  return el("label", { class: "wholes-box" }, el("span", {}, "whole numbers"), kinds);
}

/** @param {number} id */
function axesBox(id) {
  const names = input(id, "axes", "Axis names", { placeholder: "example, feature" });
  return el("label", { class: "axes-box" }, el("span", {}, "axis names"), names);
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
