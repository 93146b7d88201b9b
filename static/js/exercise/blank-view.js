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

/** @typedef {{uses: string[], about: Omit<About, "theme"|"width">, theme: () => About["theme"]}} Subject */
/** @typedef {{check: (text: string) => void, typed: (text: string) => void}} Acts */

/**
 * One gradient of the exercise: its name, the field, and once it was checked what is to be said of it.
 * @param {Task} task @param {Subject} subject @param {Acts} acts
 */
export function mountBlank(task, subject, acts) {
  return new Blank(task, subject, acts);
}

class Blank {
  /** @param {Task} task @param {Subject} subject @param {Acts} acts */
  constructor(task, { uses, about, theme }, acts) {
    this.task = task;
    this.about = about;
    this.theme = theme;
    this.drawn = "";
    this.field = mountField({ label: `${task.name}, ${shapeText(task.shape)}`, beginning: `${task.name} = ` }, acts);
    this.glyph = el("span", { class: "glyph", "aria-hidden": "true" });
    this.outcome = el("span", { class: "outcome" });
    this.foot = el("div", { class: "blank-foot", id: `${this.field.area.id}-says` });
    this.tools = el("div", { class: "blank-tools" });
    this.zero = el("p", { class: "blank-zero" });
    const given = task.closed ? closedWords(task) : usedWords(uses);
    this.more = el("div", { class: "blank-more" }, given, this.tools, this.foot);
    this.element = el("li", { class: "blank", "data-task": keyOf(task) }, this.glyph, headOf(task), this.field.root);
    this.element.append(this.outcome, this.zero, this.more);
    this.field.area.setAttribute("aria-describedby", this.foot.id);
    this.field.scope(task.given);
    this.unmount = this.field.unmount;
  }

  focus() {
    this.field.area.focus();
  }

  /** @param {Look} look */
  update(look) {
    const { attempt, reply, busy, current } = look;
    const wrong = !busy && reply !== null && !reply.correct;
    this.field.place(attempt.text);
    this.field.mark(wrong ? (reply.diagnosis?.where ?? null) : null);
    this.field.area.setAttribute("aria-invalid", String(wrong));
    this.stand(look);
    const key = JSON.stringify([current, busy, look.problem, attempt, reply?.correct, look.link, this.theme()]);
    if (key === this.drawn) return;
    this.drawn = key;
    if (current) this.draw(look);
    else this.foot.replaceChildren();
  }

  /** How it stands. @param {Look} look */
  stand(look) {
    const { element } = this;
    const state = stateOf(look);
    element.dataset.state = state;
    element.classList.toggle("current", look.current);
    element.setAttribute("aria-busy", String(look.busy));
    this.glyph.textContent = GLYPHS[state];
    this.outcome.replaceChildren(outcomeWords(look, state), levelWords(look, state));
    const truth = !look.current && state === "right" ? (look.reply?.zero ?? "") : "";
    this.zero.replaceChildren(...(truth ? prose(truth) : []));
  }

  /** @param {Look} look */
  draw(look) {
    const { task, about, tools, field } = this;
    const walk = look.link ? [el("a", { class: "link", href: look.link }, "this step in the walk")] : [];
    const { reply, busy } = look;
    // a line that gives the right shape runs on in the place of the true one
    const runs = !busy && reply !== null && !reply.correct && Boolean(reply.gradient?.difference);
    const downhill = runs && look.link ? [button("downhill", "Ten steps downhill")] : [];
    const own = answerTools(look, !task.closed || task.closed_hints);
    placeTools(tools, [...own, ...downhill, ...walk], field.area);
    const width = Math.min(760, Math.max(220, this.more.clientWidth - 4));
    this.foot.replaceChildren(...feedback(look, { ...about, theme: this.theme(), width }));
  }
}

/** @param {Task} task */
function headOf({ name, shape }) {
  const size = el("span", { class: "size" }, shapeText(shape));
  return el("div", { class: "blank-head" }, el("b", { class: "blank-name" }, name), size);
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
