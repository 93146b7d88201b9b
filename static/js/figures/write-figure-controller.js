import { UNTRIED, checked, hinted, isBlank, shown, stands, typed } from "../practice/attempts.js";
import { answerTools, feedback, placeTools } from "../practice/feedback-view.js";
import { Checking } from "../practice/checking-controller.js";
import { mountField } from "../practice/field-view.js";
import { requestTasks } from "../practice/practice-api.js";
import { replyWords } from "../practice/spoken-reply.js";
import { scopeAt } from "../practice/contribution.js";
import { shapeText } from "../shared/format.js";
import { cleanups, el } from "../shared/dom/elements.js";
import { nodeOf, stepAt } from "./block.js";
import { need } from "./drawing.js";
/** @typedef {import("../practice/attempts.js").Attempt} Attempt */
/** @typedef {import("../practice/attempts.js").Reply} Reply */
/** @typedef {import("./drawing.js").Context} Context */
/** @typedef {import("./drawing.js").Figure} Figure */

const GLYPHS = { not: "✕", right: "✓", shown: "▸", open: "" };

/**
 * Write this line: checked, diagnosed and hinted as on the page of exercises.
 * @param {Context} context @returns {Figure}
 */
export function drawWrite(context) {
  const line = new Line(context);
  return { update: () => {}, redraw: () => line.draw(), spot: () => ({ step: line.step }), unmount: line.unmount };
}

/** The line that is written, and what was said of it. */
class Line {
  /** @param {Context} context */
  constructor(context) {
    const { body, block, walk, deed } = context;
    this.context = context;
    this.target = need(nodeOf(walk, block.argument.replace(/^d(?=\w)/, "")), block);
    this.node = walk.node(this.target);
    this.name = `d${this.node.variable}`;
    this.step = need(stepAt(walk, "backward", this.target), block);
    this.checking = new Checking({ draw: () => this.draw(), say: context.say });
    /** @type {Attempt} */
    this.attempt = { ...UNTRIED, text: deed.given, outcome: deed.outcome, accepted: deed.outcome ? deed.given : "" };
    /** @type {Reply|null} */
    this.reply = null;
    this.field = mountField(
      { label: `${this.name}, ${shapeText(this.node.shape)}`, beginning: `${this.name} = ` },
      { check: () => this.check(), typed: (text) => this.typed(text) },
    );
    this.field.scope(scopeAt(walk, this.step));
    this.tools = el("div", { class: "blank-tools" });
    this.foot = el("div", { class: "blank-foot" });
    this.glyph = el("span", { class: "glyph", "aria-hidden": "true" });
    this.root = el("div", { class: "writing write-it" }, this.glyph, this.field.root, this.tools, this.foot);
    body.replaceChildren(this.root);
    this.unmount = this.listen();
    this.draw();
  }

  /** @returns {() => void} */
  listen() {
    const undo = cleanups();
    const stop = new AbortController();
    const acts = {
      check: () => this.check(),
      hint: () => this.hint(),
      show: () => this.show(),
      cancel: () => this.checking.cancel(),
    };
    undo.on(this.tools, "click", ({ target }) => {
      const act = target.closest("[data-act]")?.getAttribute("data-act") ?? "";
      acts[/** @type {keyof typeof acts} */ (act)]?.();
    });
    undo.add(this.field.unmount);
    undo.add(() => this.checking.stop());
    undo.add(() => stop.abort());
    this.nameScope(stop.signal).catch(() => undefined); // names are still offered, in another order
    return undo.run;
  }

  /** @param {AbortSignal} signal */
  async nameScope(signal) {
    const tasks = await requestTasks(this.context.program.request, signal);
    const task = tasks.find((one) => one.target === this.target && !one.closed);
    if (task) this.field.scope(task.given);
  }

  keep() {
    const { outcome, mistakes, accepted, text } = this.attempt;
    this.context.done({ outcome, tries: mistakes, given: outcome ? accepted : text });
  }

  /** @param {string} text */
  typed(text) {
    if (text === this.attempt.text) return;
    this.attempt = typed(this.attempt, text);
    if (!stands(this.attempt)) this.reply = null;
    this.keep();
    this.draw();
  }

  /** @param {string} answer @param {number} hints @param {(reply: Reply) => void} arrived */
  ask(answer, hints, arrived) {
    this.checking.ask(this.context.program.request, { target: this.target, answer, hints }, (made) => {
      arrived(made);
      this.keep();
      this.draw();
    });
  }

  check() {
    const { name, context } = this;
    if (isBlank(this.attempt, name)) return context.say(`Write ${name} first.`);
    const { text, hints } = this.attempt;
    this.ask(text, hints.length, (made) => {
      this.attempt = checked(this.attempt, text, made);
      if (this.attempt.text === text) this.reply = made;
      context.say(replyWords(name, made));
    });
  }

  hint() {
    const wanted = this.attempt.hints.length + 1;
    this.ask(this.attempt.text.trim() || `${this.name} = 0`, wanted, ({ hints }) => {
      this.attempt = hinted(this.attempt, hints.slice(0, wanted));
      this.context.say(hints[wanted - 1] ?? "There is no further hint.");
    });
  }

  show() {
    const { walk, say } = this.context;
    const lines = (walk.backwardIndex.get(this.target) ?? []).map((index) => walk.steps[index].code).join("\n");
    this.attempt = shown(this.attempt, lines);
    this.reply = null;
    this.keep();
    this.draw();
    say(`Shown: ${lines}`);
  }

  draw() {
    const { attempt, reply, field } = this;
    const { busy, problem } = this.checking;
    const wrong = !busy && reply !== null && !reply.correct;
    field.place(attempt.text);
    field.mark(wrong ? (reply?.diagnosis?.where ?? null) : null);
    field.area.setAttribute("aria-invalid", String(wrong));
    this.root.setAttribute("aria-busy", String(busy));
    const state = wrong ? "not" : attempt.outcome && stands(attempt) ? attempt.outcome : "open";
    this.root.dataset.state = state;
    this.glyph.textContent = GLYPHS[state];
    const standing = { attempt, reply, busy, problem };
    placeTools(this.tools, answerTools(standing), field.area);
    this.foot.replaceChildren(...feedback(standing, this.about()));
  }

  about() {
    const { walk, theme, body } = this.context;
    const width = Math.max(220, Math.min(760, body.clientWidth - 8));
    return { name: this.node.variable, dims: this.node.dims, labels: walk.document.labels, theme: theme(), width };
  }
}
