import { Checking } from "./checking-controller.js";
import { beginningOf, scopeAt } from "./contribution.js";
import { answerTools, button, feedback, placeTools } from "./feedback-view.js";
import { mountField } from "./field-view.js";
import { replyWords } from "./spoken-reply.js";
import { shapeText } from "../shared/format.js";
import { spoken } from "../shared/prose.js";
import { cleanups, el } from "../shared/dom/elements.js";
/** @typedef {import("../walk/frame.js").Frame} Frame */
/** @typedef {import("../walk/types.js").BackwardStep} BackwardStep */
/** @typedef {import("../walk/walk.js").Walk} Walk */
/** @typedef {import("./writings.js").Writings} Writings */
/** @typedef {{step: BackwardStep, field: ReturnType<typeof mountField>}} Open */
/**
 * `done`: the line takes its place, `walkOn` walks with a wrong one, `hold` puts the field into the listing if it is
 * there.
 * @typedef {{done: () => void, walkOn: (step: number, code: string) => void, say: (words: string) => void,
 *   hold: (field: HTMLElement) => boolean}} Acts
 */

/** Where fingers write, a keyboard that comes up by itself hides half of the page. */
const TOUCH = matchMedia("(hover: none) and (pointer: coarse)");

/**
 * The line that the reader writes at a backward step: its field, in the listing or above what is said of it.
 * @param {HTMLElement} panel @param {Walk} walk @param {Writings} writings @param {Acts} acts
 */
export function mountWriting(panel, walk, writings, acts) {
  const writing = new Writing(panel, walk, writings, acts);
  return {
    /** @param {Frame} next */
    update: (next) => writing.update(next),
    unmount: writing.undo.run,
  };
}

class Writing {
  /** @param {HTMLElement} panel @param {Walk} walk @param {Writings} writings @param {Acts} acts */
  constructor(panel, walk, writings, acts) {
    this.panel = panel;
    this.walk = walk;
    this.writings = writings;
    this.acts = acts;
    this.checking = new Checking({ draw: () => this.draw(), say: acts.say });
    this.place = el("div", { class: "writing-field" });
    this.tools = el("div", { class: "blank-tools" });
    this.says = el("div", { class: "blank-foot" });
    this.prompt = el("p", { class: "prompt" });
    panel.replaceChildren(this.prompt, this.place, this.tools, this.says);
    /** @type {Open|null} */
    this.open = null;
    /** @type {Frame|null} */
    this.frame = null;
    this.undo = cleanups();
    this.undo.on(this.tools, "click", (event) => this.act(event.target.closest("[data-act]")?.dataset.act));
    this.undo.on(document, "keydown", (event) => this.comeBack(event));
    this.undo.add(() => this.shut());
  }

  /** @param {string|undefined} name a button's */
  act(name) {
    const { open } = this;
    if (!open || !name) return;
    const acts = {
      check: () => this.check(open),
      hint: () => this.hint(open),
      show: () => this.show(open.step),
      // all that comes after runs with the reader's own line; Back returns to the field
      walkOn: () => this.acts.walkOn(open.step.index, open.field.area.value.trim()),
      cancel: () => this.checking.cancel(),
    };
    acts[/** @type {keyof typeof acts} */ (name)]();
  }

  /** @param {KeyboardEvent & {target: HTMLElement}} event Enter, where nothing else takes it */
  comeBack(event) {
    const free = event.target === document.body || event.target.id === "step";
    if (event.key !== "Enter" || !free || !this.open || document.querySelector("dialog[open]")) return;
    event.preventDefault();
    this.open.field.area.focus();
  }

  /**
   * @param {BackwardStep} step @param {string} answer @param {number} hints
   * @param {(reply: import("./attempts.js").Reply) => void} arrived
   */
  ask(step, answer, hints, arrived) {
    this.checking.ask(this.walk.request, { target: step.node, step: step.index, answer, hints }, arrived);
  }

  /** @param {Open} open */
  check({ step, field }) {
    const { variable } = this.walk.node(step.node);
    const text = field.area.value;
    if (text.trim() === "" || text === beginningOf(step, variable)) return this.acts.say(`Write d${variable} first.`);
    this.ask(step, text, this.writings.at(step).hints.length, (reply) => {
      this.writings.answer(step, text, reply);
      if (reply.correct) this.acts.done();
      else this.draw();
      this.acts.say(replyWords(`d${variable}`, reply));
    });
  }

  /** @param {Open} open */
  hint({ step, field }) {
    const wanted = this.writings.at(step).hints.length + 1;
    this.ask(step, field.area.value.trim() || step.code, wanted, ({ hints }) => {
      this.writings.hint(step, hints.slice(0, wanted));
      this.draw();
      this.acts.say(spoken(hints[wanted - 1] ?? "There is no further hint."));
    });
  }

  /** @param {BackwardStep} step */
  show(step) {
    this.writings.show(step);
    this.acts.done();
  }

  shut() {
    this.checking.stop();
    this.open?.field.unmount();
    this.open?.field.root.remove();
    this.open = null;
  }

  /** @param {BackwardStep} step @returns {Open} */
  begin(step) {
    this.shut();
    const { variable, shape } = this.walk.node(step.node);
    const field = mountField(
      { label: `d${variable}, ${shapeText(shape)}`, beginning: beginningOf(step, variable) },
      {
        check: () => this.act("check"),
        typed: (text) => this.typed(step, text),
        leave: () => document.getElementById("step")?.focus({ preventScroll: true }),
      },
    );
    field.scope(scopeAt(this.walk, step.index));
    field.place(this.writings.at(step).text);
    return (this.open = { step, field });
  }

  /** @param {BackwardStep} step @param {string} text */
  typed(step, text) {
    const had = this.writings.replyTo(step);
    this.writings.type(step, text);
    if (had) this.draw();
  }

  /** What is said of the line, below its field. */
  draw() {
    if (!this.open || !this.frame) return;
    const { step, field } = this.open;
    const { busy, problem } = this.checking;
    const reply = this.writings.replyTo(step);
    const standing = { attempt: this.writings.at(step), reply, busy, problem };
    field.mark(busy || reply?.correct ? null : (reply?.diagnosis?.where ?? null));
    field.area.setAttribute("aria-invalid", String(reply !== null && !reply.correct));
    const runs = !busy && reply !== null && !reply.correct && reply.gradient !== null;
    const more = runs ? [button("walkOn", "Walk on with it")] : [];
    placeTools(this.tools, [...answerTools(standing), ...more], field.area);
    this.says.replaceChildren(...feedback(standing, this.about(step, this.frame)));
  }

  /** @param {BackwardStep} step @param {Frame} frame */
  about(step, frame) {
    const { variable, dims } = this.walk.node(step.node);
    const width = Math.min(720, this.panel.clientWidth || 480);
    return { name: variable, dims, labels: this.walk.document.labels, theme: frame.state.theme, width };
  }

  /** The field goes where the line will stand, or where there is no listing, above the words. */
  put(/** @type {Open} */ { step, field }, /** @type {Frame} */ { state }) {
    const held = !state.projector && listed() && this.acts.hold(field.root);
    if (!held && field.root.parentElement !== this.place) this.place.append(field.root);
    this.prompt.textContent = promptOf(step);
  }

  /** @param {Frame} next */
  update(next) {
    this.frame = next;
    if (!next.writing) return this.shut();
    const fresh = this.open?.step !== next.step;
    const open = fresh || !this.open ? this.begin(/** @type {BackwardStep} */ (next.step)) : this.open;
    this.put(open, next);
    this.draw();
    if (fresh && !TOUCH.matches && !next.state.playing) open.field.area.focus({ preventScroll: true });
  }
}

/** @param {BackwardStep} step */
function promptOf({ mode }) {
  return mode === "+="
    ? "A second path leads to this gradient: what does it add?"
    : "Write the line that computes this gradient.";
}

/** @returns {boolean} whether the listing is in sight beside what is said */
function listed() {
  return matchMedia("(min-width: 641px)").matches;
}
