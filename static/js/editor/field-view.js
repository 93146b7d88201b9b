import { el } from "../shared/dom/elements.js";

/**
 * A field of the form with its label for voices; `data-field` and `data-row` say what it edits.
 * @param {number} row @param {string} field @param {string} label
 * @param {Record<string, string|number|boolean|null>} [props]
 */
export function input(row, field, label, props = {}) {
  return el("input", {
    "aria-label": label,
    "data-row": row,
    "data-field": field,
    autocomplete: "off",
    autocapitalize: "off",
    spellcheck: "false",
    ...props,
  });
}

/** @param {number} row @param {string} field @param {string} label @param {readonly string[]} choices */
export function choice(row, field, label, choices) {
  return el(
    "select",
    { "aria-label": label, "data-row": row, "data-field": field, autocomplete: "off" },
    ...choices.map((value) => el("option", { value }, value)),
  );
}

/**
 * @param {HTMLElement} root the row
 * @param {Record<string, any>} row its data: only what differs is written, so that carets stay
 */
export function fill(root, row) {
  for (const field of /** @type {NodeListOf<HTMLInputElement>} */ (root.querySelectorAll("[data-field]"))) {
    const value = row[field.dataset.field ?? ""];
    if (value !== undefined && field.value !== value) field.value = value;
  }
}

/**
 * Marks the fields that are wrong and says why under the row.
 * @param {HTMLElement} root @param {HTMLElement} says @param {{field: string, message: string}[]} mistakes
 */
export function blame(root, says, mistakes) {
  for (const field of root.querySelectorAll("[data-field]")) {
    const wrong = mistakes.some((mistake) => mistake.field === /** @type {HTMLElement} */ (field).dataset.field);
    field.toggleAttribute("data-wrong", wrong);
    if (wrong) {
      field.setAttribute("aria-invalid", "true");
      field.setAttribute("aria-describedby", says.id);
    } else {
      field.removeAttribute("aria-invalid");
      field.removeAttribute("aria-describedby");
    }
  }
}
