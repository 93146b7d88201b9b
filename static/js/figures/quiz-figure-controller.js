import { runsOfHtml } from "../shared/simple-html.js";
import { cleanups, el } from "../shared/dom/elements.js";
import { UNDONE } from "./drawing.js";
import { drawPredict } from "./choices-figure-controller.js";
import { answered, outcomeWords, revealed } from "./question.js";
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
  const [show, again] = ["show the answer", "try it again"].map((words) =>
    el("button", { type: "button", class: "link", hidden: true }, words),
  );
  const outcome = el("span", { class: "outcome" });
  const form = el("form", { class: "asked quiz", novalidate: true }, input, check);
  body.replaceChildren(form, says, el("p", { class: "question-tools" }, outcome, show, again));
  undo.add(loader.unmount);
  undo.on(form, "submit", (event) => {
    event.preventDefault();
    if (deed.outcome) return;
    const given = input.value.trim();
    if (!given) return say("Write an answer first.");
    form.setAttribute("aria-busy", "true");
    loader.judge(given, {
      arrived({ right, message }) {
        tell(message);
        set(answered(deed, given, right));
        say(says.textContent ?? "");
      },
      failed,
    });
  });
  undo.on(show, "click", () => {
    form.setAttribute("aria-busy", "true");
    loader.show({
      arrived({ message, answer }) {
        tell(message);
        const given = textOf(answer);
        input.value = given;
        set(revealed(deed, given));
        again.focus();
        say(`${given}. ${says.textContent}`);
      },
      failed,
    });
  });
  undo.on(again, "click", () => {
    said = [];
    set(UNDONE);
    input.focus();
  });
  input.value = deed.given;
  // what an earlier visit ended with is said again
  const told = {
    /** @param {{message: string}} judged */
    arrived({ message }) {
      tell(message);
      draw();
    },
    failed: () => undefined,
  };
  if (deed.outcome === "right") loader.judge(deed.given, told);
  if (deed.outcome === "shown") loader.show(told);

  /** @param {string} message */
  function tell(message) {
    said = message ? [el("p", {}, ...nodesOf(message))] : [];
  }

  /** @param {import("../walk/types.js").Problem} problem */
  function failed({ message, hint }) {
    said = [el("p", {}, `${message} ${hint ?? ""}`)];
    draw();
  }

  /** @param {import("./drawing.js").Deed} next */
  function set(next) {
    deed = next;
    done(deed);
    draw();
  }

  function draw() {
    const over = deed.outcome !== "";
    form.setAttribute("aria-busy", "false");
    if (document.activeElement !== input) input.value = deed.given;
    input.readOnly = over;
    input.setAttribute("aria-invalid", String(!over && deed.tries.length > 0 && said.length > 0));
    check.hidden = over;
    show.hidden = over || !deed.tries.length;
    again.hidden = !over;
    says.className = `answer-says${over ? " right" : ""}`;
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

/** @param {string} html @returns {string} */
function textOf(html) {
  return runsOfHtml(html)
    .map(({ text }) => text)
    .join("");
}
