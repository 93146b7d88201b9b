import { runsOfHtml } from "../shared/simple-html.js";
import { cleanups, el } from "../shared/dom/elements.js";
import { UNDONE } from "./drawing.js";
import { drawPredict } from "./choices-figure-controller.js";
import { answered, outcomeWords } from "./question.js";
import { makeQuizLoader } from "./quiz-loader.js";
/** @typedef {import("./drawing.js").Context} Context */
/** @typedef {import("./drawing.js").Figure} Figure */

const ASKED = /** @type {Record<string, [string, string]>} */ ({
  number: ["Your number", "a number"],
  shape: ["Your shape", "a shape, such as (3, 2)"],
  expression: ["Your expression", "an expression"],
});

/** A question whose answer is written, and judged by the engine. @param {Context} context @returns {Figure} */
export function drawQuiz(context) {
  const { body, block, chapter, deed: begun, done, say } = context;
  if (block.choices.length) return drawPredict(context);
  const undo = cleanups();
  const loader = makeQuizLoader(chapter, block.id);
  const [label, placeholder] = ASKED[block.asks] ?? ASKED.expression;
  let deed = begun;
  /** @type {Node[]} what is said of the answer that stands there */
  let said = [];
  const input = el("input", {
    type: "text",
    class: "quiz-answer",
    "aria-label": label,
    placeholder,
    spellcheck: "false",
  });
  for (const [name, value] of Object.entries({ autocomplete: "off", autocapitalize: "off", enterkeyhint: "go" }))
    input.setAttribute(name, value);
  const check = el("button", { type: "submit", class: "button" }, "Check");
  const says = el("div", { class: "answer-says", role: "status" });
  const again = el("button", { type: "button", class: "link", hidden: true }, "try it again");
  const outcome = el("span", { class: "outcome" });
  const form = el("form", { class: "asked quiz", novalidate: true }, input, check);
  body.replaceChildren(form, says, el("p", { class: "question-tools" }, outcome, again));
  undo.add(loader.unmount);
  undo.on(form, "submit", (event) => {
    event.preventDefault();
    if (deed.outcome) return;
    const given = input.value.trim();
    if (!given) return say("Write an answer first.");
    form.setAttribute("aria-busy", "true");
    loader.judge(given, {
      arrived({ right, message }) {
        said = [el("p", {}, ...nodesOf(message))];
        set(answered(deed, given, right));
        say(says.textContent ?? "");
      },
      failed({ message, hint }) {
        said = [el("p", {}, `${message} ${hint ?? ""}`)];
        draw();
      },
    });
  });
  undo.on(again, "click", () => {
    said = [];
    set(UNDONE);
    input.focus();
  });
  input.value = deed.given;
  // what was right in an earlier visit is said again
  if (deed.outcome)
    loader.judge(deed.given, {
      arrived({ message }) {
        said = [el("p", {}, ...nodesOf(message))];
        draw();
      },
      failed: () => undefined,
    });

  /** @param {import("./drawing.js").Deed} next */
  function set(next) {
    deed = next;
    done(deed);
    draw();
  }

  function draw() {
    const right = deed.outcome !== "";
    form.setAttribute("aria-busy", "false");
    if (document.activeElement !== input) input.value = deed.given;
    input.readOnly = right;
    input.setAttribute("aria-invalid", String(!right && deed.tries.length > 0 && said.length > 0));
    check.hidden = right;
    again.hidden = !right;
    says.className = `answer-says${right ? " right" : ""}`;
    says.replaceChildren(...said);
    outcome.textContent = outcomeWords(deed);
    form.dataset.outcome = deed.outcome;
  }
  draw();
  return { update: () => {}, redraw: draw, unmount: undo.run };
}

/** @param {string} html @returns {(Node|string)[]} */
function nodesOf(html) {
  return runsOfHtml(html).map(({ mark, text }) => (mark === "plain" ? text : el(mark, {}, text)));
}
