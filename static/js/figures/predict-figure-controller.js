import { shapeBoxes } from "../quiz/mistake-view.js";
import { el } from "../shared/dom/elements.js";
import { need, UNDONE } from "./drawing.js";
import { answered, revealed } from "./question.js";
import { mountQuestion } from "./question-view.js";
/** @typedef {import("./block.js").Choice} Choice */
/** @typedef {import("./drawing.js").Context} Context */
/** @typedef {import("./drawing.js").Deed} Deed */
/** @typedef {import("./drawing.js").Figure} Figure */

/** A question whose answers stand in the chapter, or were made for it. @param {Context} context @returns {Figure} */
export function drawChoices({ body, block, deed: begun, done, say }) {
  const { choices } = block;
  const right = need(
    choices.find((choice) => choice.right),
    block,
  );
  let deed = begun;
  const question = mountQuestion("Choose an answer", {
    choose(key) {
      set(answered(deed, key, key === right.text));
      say(question.root.querySelector(".answer-says")?.textContent ?? "");
    },
    show: () => set(revealed(deed, right.text)),
    again: () => set(UNDONE),
  });
  body.replaceChildren(question.root);

  /** @param {Deed} next */
  function set(next) {
    deed = next;
    done(deed);
    draw();
  }

  function draw() {
    const answers = choices.map(({ text, answer }) => ({ key: text, words: () => copies(answer) }));
    question.update(answers, right.text, deed, wordsOf(choices, right, deed));
  }
  draw();
  return { update: () => {}, redraw: draw, unmount: question.unmount };
}

/** @param {Choice[]} choices @param {Choice} right @param {Deed} deed @returns {Node[]} what is said of the answer */
function wordsOf(choices, right, deed) {
  if (deed.outcome)
    return [el("div", {}, ...(right.why.length ? copies(right.why) : ["It is ", ...copies(right.answer)]))];
  const chosen = choices.find(({ text }) => text === deed.given);
  if (!chosen) return [];
  const own = chosen.why.length > 0 && textOf(chosen.why) !== textOf(right.why);
  const words = own
    ? copies(chosen.why)
    : ["Not ", ...copies(chosen.answer), ". Choose again, or have the answer shown."];
  return [el("div", {}, ...words), ...boxes(chosen, right)];
}

/** @param {Choice} chosen @param {Choice} right @returns {HTMLElement[]} their shapes, where both give a tensor */
function boxes(chosen, right) {
  const [one, other] = [chosen, right].map(({ shape }) => ({ code: "", words: "", why: "", shape: shape ?? null }));
  const drawn = shapeBoxes(one, other);
  return drawn ? [drawn] : [];
}

/** @param {Node[]} nodes @returns {Node[]} */
function copies(nodes) {
  return nodes.map((node) => node.cloneNode(true));
}

/** @param {Node[]} nodes */
function textOf(nodes) {
  return nodes.map((node) => node.textContent).join("");
}
