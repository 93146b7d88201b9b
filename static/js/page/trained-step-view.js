import { el } from "../shared/dom/elements.js";
import { counted } from "../shared/plural.js";

/**
 * The walk of a lesson at a step of its training: its title says so, and in the place of the seed stands which step.
 * @param {number} taken steps before it
 */
export function showTrainedStep(taken) {
  const step = `step ${taken.toLocaleString("en")}`;
  const title = document.title.split(" · ");
  document.title = [title[0], `training ${step}`, ...title.slice(1)].join(" · ");
  const form = document.getElementById("seed-form");
  if (form && !form.hasAttribute("data-words")) form.hidden = true;
  const says = `The numbers are those after ${counted(taken, "step")} of training`;
  const words = [el("span", { class: "long-word" }, "training "), step];
  document.querySelector(".controls")?.prepend(el("span", { class: "trained-step", title: says }, ...words));
}
