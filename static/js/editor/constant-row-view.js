import { el, icon } from "../shared/dom/elements.js";
import { prose } from "../shared/prose-view.js";
import { blame, fill, input } from "./field-view.js";
/** @typedef {import("./draft.js").ConstantRow} ConstantRow */

/** One constant: name = number. @param {number} id */
export function constantRowView(id) {
  const name = input(id, "name", "Name", { class: "name-field", placeholder: "n", maxlength: 64 });
  const value = input(id, "value", "Value", { class: "value-field", placeholder: "32", inputmode: "decimal" });
  const drop = el("button", { type: "button", class: "quiet drop", "data-act": "drop", "data-row": id }, icon("close"));
  const says = el("p", { class: "row-says", id: `row-says-${id}` });
  const element = el(
    "div",
    { class: "constant-row", "data-id": id, role: "group" },
    name,
    el("span", { class: "equals", "aria-hidden": "true" }, "="),
    value,
    drop,
    says,
  );
  return {
    element,
    /** @param {ConstantRow} row @param {{field: string, message: string}[]} mistakes @param {boolean} unused */
    update(row, mistakes, unused) {
      fill(element, row);
      const called = row.name || "the new number";
      element.setAttribute("aria-label", `Number ${called}`);
      value.setAttribute("aria-label", `Value of ${called}`);
      name.setAttribute("aria-label", `Name of ${called}`);
      drop.setAttribute("aria-label", `Remove ${called}`);
      drop.setAttribute("title", `Remove ${called}`);
      element.classList.toggle("unused", unused);
      blame(element, says, mistakes);
      element.classList.toggle("guessed", row.guess !== "");
      const guess = row.guess ? `A guess. ${row.guess}` : "";
      const told = mistakes.map(({ message }) => message).join(" ") || guess;
      says.replaceChildren(...prose(told));
      says.hidden = !told;
      says.classList.toggle("wrong", mistakes.length > 0);
    },
  };
}
