import { runsOfHtml } from "../shared/simple-html.js";
import { cleanups, el } from "../shared/dom/elements.js";
import { UNDONE } from "./drawing.js";
import { drawPredict } from "./choices-figure-controller.js";
import { answered, outcomeWords, revealed } from "./question.js";
import { makeQuizLoader } from "./quiz-loader.js";
import { tapeTable } from "./tape-view.js";
/** @typedef {import("./drawing.js").Context} Context */
/** @typedef {import("./drawing.js").Figure} Figure */

const ASKED = /** @type {Record<string, [string, string]>} */ ({
  number: ["Your number", "a number"],
  shape: ["Your shape", "a shape, such as (3, 2)"],
  expression: ["Your expression", "an expression"],
  blank: ["Your line", "write here"],
});

const AS_TYPED = { spellcheck: "false", autocomplete: "off", autocapitalize: "off" };

/** A question whose answer is written, and judged by the engine. @param {Context} context @returns {Figure} */
export function drawQuiz(context) {
  if (context.block.choices.length) return drawPredict(context);
  const quiz = new Quiz(context);
  return { update: () => {}, redraw: () => quiz.draw(), unmount: quiz.unmount };
}

class Quiz {
  /** @param {Context} context */
  constructor({ body, block, chapter, deed, done, say }) {
    this.done = done;
    this.say = say;
    this.deed = deed;
    this.loader = makeQuizLoader(chapter, block.id);
    /** @type {Node[]} what is said of the answer that stands there */
    this.said = [];
    this.input = inputOf(block.asks);
    this.check = el("button", { type: "submit", class: "button" }, "Check");
    this.says = el("div", { class: "answer-says", role: "status" });
    this.reveal = linkButton("show the answer");
    this.again = linkButton("try it again");
    this.outcome = el("span", { class: "outcome" });
    this.form = el("form", { class: "asked quiz", novalidate: true }, framed(block, this.input), this.check);
    const tools = el("p", { class: "question-tools" }, this.outcome, this.reveal, this.again);
    body.replaceChildren(this.form, this.says, tools);
    this.unmount = this.listen();
    this.input.value = deed.given;
    this.recall();
    this.draw();
  }

  /** @returns {() => void} */
  listen() {
    const undo = cleanups();
    undo.add(this.loader.unmount);
    undo.on(this.form, "submit", (event) => {
      event.preventDefault();
      if (!this.deed.outcome) this.judge(this.input.value.trim());
    });
    undo.on(this.reveal, "click", () => this.show());
    undo.on(this.again, "click", () => {
      this.said = [];
      this.set(UNDONE);
      this.input.focus();
    });
    return undo.run;
  }

  /** What an earlier visit ended with is said again. */
  recall() {
    const hears = {
      arrived: (/** @type {import("./quiz-loader.js").ChapterAnswer} */ judged) => {
        this.tell(judged);
        this.draw();
      },
      failed: () => undefined,
    };
    if (this.deed.outcome === "right") this.loader.judge(this.deed.given, hears);
    if (this.deed.outcome === "shown") this.loader.show(hears);
  }

  /** @param {string} given */
  judge(given) {
    if (!given) return this.say("Write an answer first.");
    this.form.setAttribute("aria-busy", "true");
    this.loader.judge(given, {
      arrived: (judged) => {
        this.tell(judged);
        this.set(answered(this.deed, given, judged.right));
        this.say(textOf(judged.message));
      },
      failed: this.failed,
    });
  }

  show() {
    this.form.setAttribute("aria-busy", "true");
    this.loader.show({
      arrived: (judged) => {
        this.tell(judged);
        const given = textOf(judged.answer);
        this.input.value = given;
        this.set(revealed(this.deed, given));
        this.again.focus();
        this.say(`${given}. ${textOf(judged.message)}`);
      },
      failed: this.failed,
    });
  }

  /** @param {import("./quiz-loader.js").ChapterAnswer} judged */
  tell({ message, tape }) {
    this.said = message ? [el("p", {}, ...nodesOf(message))] : [];
    if (tape.length) this.said.push(tapeTable(tape));
  }

  /** @type {(problem: import("../walk/types.js").Problem) => void} */
  failed = ({ message, hint }) => {
    this.said = [el("p", {}, `${message} ${hint ?? ""}`)];
    this.draw();
  };

  /** @param {import("./drawing.js").Deed} next */
  set(next) {
    this.deed = next;
    this.done(next);
    this.draw();
  }

  draw() {
    const { deed, input, said } = this;
    const over = deed.outcome !== "";
    this.form.setAttribute("aria-busy", "false");
    if (document.activeElement !== input) input.value = deed.given;
    input.readOnly = over;
    input.setAttribute("aria-invalid", String(!over && deed.tries.length > 0 && said.length > 0));
    this.check.hidden = over;
    this.reveal.hidden = over || !deed.tries.length;
    this.again.hidden = !over;
    this.says.className = `answer-says${over ? " right" : ""}`;
    this.says.replaceChildren(...said);
    this.outcome.textContent = outcomeWords(deed);
    this.form.dataset.outcome = deed.outcome;
  }
}

/** @param {string} asks */
function inputOf(asks) {
  const [label, placeholder] = ASKED[asks] ?? ASKED.expression;
  const props = { type: "text", class: "quiz-answer", "aria-label": label, placeholder };
  return el("input", { ...props, ...AS_TYPED, enterkeyhint: "go" });
}

/**
 * The field, and of a blank the lines around it.
 * @param {import("./block.js").Block} block @param {HTMLElement} input
 */
function framed({ asks, props }, input) {
  return asks === "blank" ? el("div", { class: "around-blank" }, props.before, input, props.after) : input;
}

/** @param {string} words */
function linkButton(words) {
  return el("button", { type: "button", class: "link", hidden: true }, words);
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
