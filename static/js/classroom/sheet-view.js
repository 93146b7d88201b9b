import { sliderOf } from "../changes/sliders.js";
import { el } from "../shared/dom/elements.js";
import { prose } from "../shared/prose-view.js";
import { barsView } from "./bars-view.js";
import { wallView } from "./wall-view.js";
/** @typedef {import("./types.js").OwnQuestion} OwnQuestion */
/** @typedef {import("./outbox.js").Sent} Sent */

/** @type {Record<string, string[]>} what is hard to find on a phone's keyboard */
const SIGNS = {
  gradient: [".sum(", ".T", " @ ", " * ", " / ", "(", ")", "0", "1", ", keepdim=True"],
  shape: ["(", ", ", ")"],
  number: ["−", ".", "e"],
  drag: [],
};
const SAID = /** @type {const} */ ({
  kept: "Kept on this phone. It is sent as soon as the class can be reached.",
  received: "Received. You may change it while the question is open.",
  closed: "Received.",
  late: "Received, after the question was closed.",
  refused: "Not taken.",
  elsewhere: "Answered in another tab.",
});

/**
 * The question that is open, below the walk on a student's screen.
 * @param {HTMLElement} sheet @param {(answer: Sent) => void} send
 * @param {(value: number) => void} drag what is seen in the walk at once
 */
export function mountSheet(sheet, send, drag) {
  /** @type {OwnQuestion|null} */
  let question = null;
  let drawn = "";
  let revision = 0;
  const says = el("p", { class: "sheet-says", role: "status" });
  const result = el("div", { class: "sheet-result" });

  /** @param {OwnQuestion|null} next */
  function show(next) {
    question = next;
    sheet.hidden = !next;
    if (!next) return;
    const key = `${next.question}:${next.round}`;
    if (key !== drawn) draw(next, key);
    for (const control of sheet.querySelectorAll(".sheet-answer :is(button, input)"))
      /** @type {HTMLButtonElement} */ (control).disabled = next.closed;
    sheet.dataset.closed = String(next.closed);
    if (next.closed && says.textContent === SAID.received) says.textContent = SAID.closed;
    const wall = wallView(next.wall);
    const counts = next.counts ? [barsView([next.counts.bars], next.counts.waiting)] : [];
    const answer = next.answer ? answerNodes(next.answer) : [];
    result.replaceChildren(...counts, ...answer, ...(wall ? [wall] : []));
  }

  /** @param {OwnQuestion} next @param {string} key */
  function draw(next, key) {
    drawn = key;
    revision = next.mine ? next.mine.revision + 1 : 0;
    says.textContent = next.mine ? SAID.received : "";
    result.replaceChildren();
    const choices = next.ask.choices;
    const form = choices ? choicesForm(choices, says, give) : textForm(next, says, give);
    const again = next.round > 1 ? el("p", { class: "sheet-again" }, "Asked again: what do you say now?") : null;
    if (next.ask.drag) form.prepend(gripOf(next.ask.drag, form, drag));
    sheet.replaceChildren(el("h2", {}, ...prose(next.ask.prompt)), ...(again ? [again] : []), form, result);
    if (next.mine) mark(next.mine.value);
  }

  /** @param {number|string} value */
  function give(value) {
    if (!question) return;
    mark(value);
    says.textContent = "Sending…";
    send({ question: question.question, round: question.round, revision: revision++, value });
  }

  /** @param {number|string} value what was chosen, or written here or in another tab */
  function mark(value) {
    sheet.querySelectorAll("[data-choice]").forEach((button, place) => {
      button.setAttribute("aria-pressed", String(place === value));
    });
    const field = sheet.querySelector("form input[type=text]");
    if (field && field !== document.activeElement) /** @type {HTMLInputElement} */ (field).value = String(value);
  }

  return {
    show,
    /** @param {{answer: Sent, status: import("./sending-controller.js").Status, message: string}} told */
    sent({ answer, status, message }) {
      if (!question || answer.question !== question.question || answer.round !== question.round) return;
      if (answer.revision >= revision) {
        revision = answer.revision + 1;
        mark(answer.value);
      }
      says.textContent = `${SAID[status]} ${status === "refused" ? message : ""}`.trim();
      says.dataset.status = status;
    },
    unmount: () => sheet.replaceChildren(),
  };
}

/**
 * @param {import("./types.js").OfferedChoice[]} choices @param {HTMLElement} says what became of the answer
 * @param {(value: number) => void} give @returns {HTMLElement}
 */
function choicesForm(choices, says, give) {
  const buttons = choices.map((choice, place) => {
    const button = el("button", { type: "button", "data-choice": place, "aria-pressed": "false" });
    button.append(choice.code ? el("code", {}, choice.code) : choice.words);
    button.addEventListener("click", () => give(place));
    return button;
  });
  return el("div", { class: "sheet-answer choices", role: "group", "aria-label": "Answers" }, ...buttons, says);
}

/**
 * @param {OwnQuestion} asked @param {HTMLElement} says what became of the answer
 * @param {(value: string) => void} give @returns {HTMLElement}
 */
function textForm({ ask, mine }, says, give) {
  const field = el("input", {
    ...{ type: "text", "aria-label": "Your answer", autocomplete: "off", autocapitalize: "off", spellcheck: "false" },
    ...{ value: mine ? String(mine.value) : "", maxlength: 2000, enterkeyhint: "send" },
    ...(ask.kind === "number" || ask.kind === "drag" ? { inputmode: "decimal" } : {}),
  });
  const keys = [...SIGNS[ask.kind], ...[...(ask.names ?? [])].reverse()].map((text) => {
    const key = el("button", { type: "button", class: "sheet-key" }, text.trim());
    key.addEventListener("click", () => insert(field, text));
    return key;
  });
  const board = keys.length
    ? el("div", { class: "sheet-keys", role: "group", "aria-label": "Names and signs" }, ...keys)
    : null;
  const form = el("form", { class: "sheet-answer" }, field, el("button", { class: "button" }, "Send"), says, board);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (field.value.trim()) give(field.value);
  });
  return form;
}

/**
 * What a number is dragged by; where it is stands in the field, ready to be sent.
 * @param {import("./types.js").Dragged} dragged @param {HTMLElement} form @param {(value: number) => void} drag
 */
function gripOf({ tensor, index, value }, form, drag) {
  const { least, greatest, step } = sliderOf({ tensor, index, value });
  const name = index.length ? `${tensor}[${index.join(", ")}]` : tensor;
  const grip = el("input", { type: "range", class: "sheet-grip", min: least, max: greatest, step, "aria-label": name });
  grip.value = String(value);
  grip.addEventListener("input", () => {
    /** @type {HTMLInputElement} */ (form.querySelector("input[type=text]")).value = grip.value;
    drag(Number(grip.value));
  });
  return grip;
}

/** @param {HTMLInputElement} field @param {string} text */
function insert(field, text) {
  field.setRangeText(text, field.selectionStart ?? field.value.length, field.selectionEnd ?? field.value.length, "end");
  field.focus();
}

/** @param {{value: string, because: string}} answer */
function answerNodes({ value, because }) {
  return [
    el("p", { class: "sheet-right" }, "The answer: ", el("code", {}, value)),
    ...(because ? [el("p", {}, ...prose(because))] : []),
  ];
}
