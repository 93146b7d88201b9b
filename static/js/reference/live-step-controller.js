import { makeProgram } from "../figures/program-loader.js";
import { drawStep } from "../figures/step-figure-controller.js";
import { UNDONE } from "../figures/drawing.js";
import { asApiError } from "../shared/api.js";
import { cleanups, el } from "../shared/dom/elements.js";
import { showProblem } from "../shell/problem-view.js";
import { onTheme, shownTheme } from "../shell/theme-view.js";
import { requestLive } from "./live-api.js";
/** @typedef {import("../figures/drawing.js").Figure} Figure */
/** @typedef {import("../walk/walk.js").Walk} Walk */

const HINT = "Reload the page.";

/**
 * An operation at work on a few numbers: its forward step, and one for each gradient that goes back through it.
 * @param {HTMLElement} box @param {string} operation @param {(words: string) => void} say
 */
export function mountLiveStep(box, operation, say) {
  const undo = cleanups();
  const stop = new AbortController();
  const problem = el("div", { class: "problem", hidden: true });
  const tabs = el("div", { class: "live-steps", role: "group", "aria-label": `Steps of ${operation}` });
  const stage = el("div", { class: "stage" });
  const link = el("a", { class: "into-walk", hidden: true }, "Open in the walk");
  box.replaceChildren(tabs, stage, el("p", { class: "block-foot" }, link), problem);
  /** @type {Figure|null} */
  let figure = null;

  async function load() {
    box.setAttribute("aria-busy", "true");
    problem.hidden = true;
    try {
      const live = await requestLive(operation, stop.signal);
      const still = { moved: () => {}, failed: () => {}, needs: () => ({ steps: [], nodes: [] }) };
      const program = makeProgram("", live.request, still);
      undo.add(program.unmount);
      const walk = await program.ready();
      if (stop.signal.aborted) return;
      const show = (/** @type {string} */ step) => draw(walk, program, step, live.link);
      tabs.replaceChildren(...live.steps.map((step) => tab(step, show)));
      show(live.steps[1]);
      say(`${operation}: ${live.steps.length} steps.`);
    } catch (error) {
      if (stop.signal.aborted) return;
      const failed = asApiError(error, HINT);
      showProblem(problem, failed.problem, failed.status === 422 ? [] : [{ label: "Try again", act: load }]);
    }
    box.removeAttribute("aria-busy");
  }

  /**
   * @param {Walk} walk @param {import("../figures/program-loader.js").Program} program @param {string} step
   * @param {(step: number) => string} linkTo
   */
  function draw(walk, program, step, linkTo) {
    figure?.unmount();
    const block = { id: operation, kind: "step", argument: step, program: "", props: {}, choices: [], asks: "" };
    const look = { theme: shownTheme, projector: () => false, say };
    figure = drawStep({ body: stage, block, chapter: "", program, walk, deed: UNDONE, done: () => {}, ...look });
    link.hidden = false;
    link.href = linkTo(figure.spot?.()?.step ?? 0);
    for (const one of tabs.children) one.setAttribute("aria-pressed", String(one.getAttribute("data-step") === step));
  }

  undo.add(onTheme(() => figure?.redraw()));
  undo.add(() => figure?.unmount());
  undo.add(() => stop.abort());
  load();
  return { unmount: undo.run };
}

/** @param {string} step such as `backward x` @param {(step: string) => void} show */
function tab(step, show) {
  const [direction, name] = step.split(" ");
  const made = el(
    "button",
    { type: "button", "data-step": step },
    el("code", {}, direction === "backward" ? `d${name}` : name),
  );
  made.addEventListener("click", () => show(step));
  return made;
}
