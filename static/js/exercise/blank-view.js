import { outcomeText, stands } from "../practice/attempts.js";
import { answerTools, button, feedback, placeTools } from "../practice/feedback-view.js";
import { kindText } from "../practice/mistake-kinds.js";
import { mountField } from "../practice/field-view.js";
import { shapeText } from "../shared/format.js";
import { prose } from "../shared/prose-view.js";
import { LEVELS } from "../walk/verdict-levels.js";
import { el } from "../shared/dom/elements.js";
import { keyOf } from "../progress/progress.js";
/** @typedef {import("../practice/feedback-view.js").Standing} Standing */
/** @typedef {import("../practice/feedback-view.js").About} About */
/** @typedef {import("./tasks.js").Task} Task */
/** @typedef {Standing & {current: boolean, link: string|null}} Look `link`: to the step in the walk */

/**
 * One gradient of the exercise: its name, the field, and once it was checked what is to be said of it.
 * @param {Task} task
 * @param {{uses: string[], about: Omit<About, "theme"|"width">, theme: () => About["theme"]}} subject
 * @param {{check: (text: string) => void, typed: (text: string) => void}} acts
 */
export function mountBlank(task, { uses, about, theme }, acts) {
  const field = mountField({ label: `${task.name}, ${shapeText(task.shape)}`, beginning: `${task.name} = ` }, acts);
  const glyph = el("span", { class: "glyph", "aria-hidden": "true" });
  const outcome = el("span", { class: "outcome" });
  const foot = el("div", { class: "blank-foot", id: `${field.area.id}-says` });
  const tools = el("div", { class: "blank-tools" });
  const zero = el("p", { class: "blank-zero" });
  const given = task.closed ? closedWords(task) : usedWords(uses);
  const element = el(
    "li",
    { class: "blank", "data-key": keyOf(task) },
    glyph,
    el(
      "div",
      { class: "blank-head" },
      el("b", { class: "blank-name" }, task.name),
      el("span", { class: "size" }, shapeText(task.shape)),
    ),
    field.root,
    outcome,
    zero,
    el("div", { class: "blank-more" }, given, tools, foot),
  );
  field.area.setAttribute("aria-describedby", foot.id);
  field.scope(task.given);
  let drawn = "";

  return {
    element,
    task,
    focus: () => field.area.focus(),
    /** @param {Look} look */
    update(look) {
      const { attempt, reply, busy, current } = look;
      field.place(attempt.text);
      const wrong = !busy && reply !== null && !reply.correct;
      field.mark(wrong ? (reply.diagnosis?.where ?? null) : null);
      field.area.setAttribute("aria-invalid", String(wrong));
      const state = stateOf(look);
      element.dataset.state = state;
      element.classList.toggle("current", current);
      element.setAttribute("aria-busy", String(busy));
      glyph.textContent = GLYPHS[state];
      outcome.replaceChildren(outcomeWords(look, state), levelWords(look, state));
      const truth = !current && state === "right" ? (reply?.zero ?? "") : "";
      zero.replaceChildren(...(truth ? prose(truth) : []));
      const key = JSON.stringify([current, busy, look.problem, attempt, reply?.correct, look.link, theme()]);
      if (key === drawn) return;
      drawn = key;
      if (current) draw(look);
      else foot.replaceChildren();
    },
    unmount: field.unmount,
  };

  /** @param {Look} look */
  function draw(look) {
    const walk = look.link && el("a", { class: "link", href: look.link }, "this step in the walk");
    const { reply, busy } = look;
    // a line that gives the right shape runs on in the place of the true one
    const runs = !busy && reply !== null && !reply.correct && Boolean(reply.gradient?.difference);
    const downhill = runs && look.link ? [button("downhill", "Ten steps downhill")] : [];
    placeTools(
      tools,
      [...answerTools(look, !task.closed || task.closed_hints), ...downhill, ...(walk ? [walk] : [])],
      field.area,
    );
    const width = Math.max(220, (element.querySelector(".blank-more")?.clientWidth ?? 600) - 4);
    foot.replaceChildren(...feedback(look, { ...about, theme: theme(), width: Math.min(760, width) }));
  }
}

/**
 * @param {Look} look @param {keyof typeof GLYPHS} state
 * @returns {string} how it stands; of a wrong one what is wrong
 */
function outcomeWords({ attempt }, state) {
  if (state === "open" || state === "changed") return state === "open" ? "" : "changed";
  const kind = state === "not" && !attempt.outcome ? kindText(attempt.mistakes.at(-1) ?? "unknown") : "";
  if (kind && kind !== kindText("unknown")) return kind;
  return state === "not" && attempt.outcome ? "right before" : outcomeText(attempt);
}

/** @param {Look} look @param {keyof typeof GLYPHS} state how it compares with autograd's */
function levelWords({ reply }, state) {
  const word = LEVELS[reply?.verdict?.level ?? ""]?.[1];
  return el("span", { class: "level" }, state === "right" && word ? ` · ${word}` : "");
}

const GLYPHS = { open: "", right: "✓", shown: "▸", not: "✕", changed: "" };

/** @param {Look} look @returns {keyof typeof GLYPHS} */
function stateOf({ attempt, reply }) {
  if (reply && !reply.correct) return "not";
  if (attempt.outcome && stands(attempt)) return attempt.outcome;
  if (attempt.outcome) return "changed";
  return "open";
}

/** @param {string[]} uses */
function usedWords(uses) {
  return el(
    "p",
    { class: "given uses" },
    "used in ",
    ...uses.flatMap((line, i) => [i ? ", " : "", el("code", {}, line)]),
  );
}

/** @param {Task} task */
function closedWords({ given }) {
  const [latest] = given.filter(({ gradient }) => gradient);
  return el(
    "p",
    { class: "given" },
    "from values and ",
    el("code", {}, latest.name),
    ", without the gradients between",
  );
}
