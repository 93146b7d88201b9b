import { outcomeText } from "./attempts.js";
import { makeCheckLoader } from "./check-loader.js";
import { beginningOf, scopeAt } from "./contribution.js";
import { answerTools, button, feedback, placeTools } from "./feedback-view.js";
import { mountField } from "./field-view.js";
import { replyWords } from "./spoken-reply.js";
import { shapeText } from "../shared/format.js";
import { spoken } from "../shared/prose.js";
import { cleanups, el } from "../shared/dom/elements.js";
/** @typedef {import("../walk/frame.js").Frame} Frame */
/** @typedef {import("../walk/types.js").BackwardStep} BackwardStep */
/** @typedef {import("../walk/types.js").Problem} Problem */
/** @typedef {import("./writings.js").Writings} Writings */
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
 * @param {import("../walk/walk.js").Walk} walk @param {Writings} writings @param {Acts} acts
 */
export function mountWriting(walk, writings, acts) {
  const undo = cleanups();
  const loader = makeCheckLoader();
  const place = el("div", { class: "writing-field" });
  const tools = el("div", { class: "blank-tools" });
  const says = el("div", { class: "blank-foot" });
  const panel = el("div", { class: "writing" }, el("p", { class: "prompt" }), place, tools, says);
  /** @type {{step: BackwardStep, field: ReturnType<typeof mountField>}|null} */
  let open = null;
  /** @type {Frame|null} */
  let frame = null;
  let busy = false;
  /** @type {Problem|null} */
  let problem = null;

  /** @param {BackwardStep} step @param {string} answer @param {number} hints */
  function ask(step, answer, hints, /** @type {(reply: import("./attempts.js").Reply) => void} */ arrived) {
    [busy, problem] = [true, null];
    draw();
    loader.check(
      walk.request,
      { target: step.node, step: step.index, answer, hints },
      {
        arrived(reply) {
          busy = false;
          arrived(reply);
        },
        failed(found) {
          [busy, problem] = [false, found];
          draw();
          acts.say(spoken(`${found.message} ${found.hint ?? ""}`));
        },
      },
    );
  }

  function check() {
    if (!open) return;
    const { step, field } = open;
    const text = field.area.value;
    const name = `d${walk.node(step.node).variable}`;
    if (text.trim() === "" || text === beginningOf(step, walk.node(step.node).variable))
      return acts.say(`Write ${name} first.`);
    ask(step, text, writings.at(step).hints.length, (reply) => {
      writings.answer(step, text, reply);
      if (reply.correct) acts.done();
      else draw();
      acts.say(replyWords(name, reply));
    });
  }

  function hint() {
    if (!open) return;
    const { step, field } = open;
    const wanted = writings.at(step).hints.length + 1;
    ask(step, field.area.value.trim() || step.code, wanted, ({ hints }) => {
      writings.hint(step, hints.slice(0, wanted));
      draw();
      acts.say(spoken(hints[wanted - 1] ?? "There is no further hint."));
    });
  }

  function show() {
    if (!open) return;
    writings.show(open.step);
    acts.done();
  }

  /** All that comes after runs with the reader's own line; Back returns to the field. */
  function walkOn() {
    if (open) acts.walkOn(open.step.index, open.field.area.value.trim());
  }

  function cancel() {
    loader.cancel();
    busy = false;
    draw();
  }

  function shut() {
    loader.cancel();
    [busy, problem] = [false, null];
    open?.field.unmount();
    open?.field.root.remove();
    open = null;
  }

  /** @param {BackwardStep} step */
  function begin(step) {
    shut();
    const { variable, shape } = walk.node(step.node);
    const field = mountField(
      { label: `d${variable}, ${shapeText(shape)}`, beginning: beginningOf(step, variable) },
      {
        check,
        typed: (text) => {
          const had = writings.replyTo(step);
          writings.type(step, text);
          if (had) draw();
        },
        leave: () => document.getElementById("step")?.focus({ preventScroll: true }),
      },
    );
    field.scope(scopeAt(walk, step.index));
    field.place(writings.at(step).text);
    open = { step, field };
  }

  /** What is said of the line, below its field. */
  function draw() {
    if (!open || !frame) return;
    const { step, field } = open;
    const { variable, dims } = walk.node(step.node);
    const reply = writings.replyTo(step);
    const standing = { attempt: writings.at(step), reply, busy, problem };
    field.mark(busy || reply?.correct ? null : (reply?.diagnosis?.where ?? null));
    field.area.setAttribute("aria-invalid", String(reply !== null && !reply.correct));
    const runs = !busy && reply !== null && !reply.correct && reply.gradient !== null;
    const more = runs ? [button("walkOn", "Walk on with it")] : [];
    placeTools(tools, [...answerTools(standing), ...more], field.area);
    const about = { name: variable, dims, labels: walk.document.labels, theme: frame.state.theme };
    says.replaceChildren(...feedback(standing, { ...about, width: Math.min(720, panel.clientWidth || 480) }));
  }

  /** @param {Frame} next the field goes where the line will stand, or where there is no listing, above the words */
  function put(next) {
    const field = /** @type {NonNullable<typeof open>} */ (open).field.root;
    const held = !next.state.projector && listed() && acts.hold(field);
    if (!held && field.parentElement !== place) place.append(field);
    const prompt = /** @type {HTMLElement} */ (panel.firstElementChild);
    prompt.textContent = promptOf(/** @type {NonNullable<typeof open>} */ (open).step);
  }

  undo.on(tools, "click", (event) => {
    const act = event.target.closest("[data-act]")?.dataset.act;
    if (act) ({ check, hint, show, walkOn, cancel })[/** @type {"check"} */ (act)]();
  });
  undo.on(document, "keydown", (event) => {
    const free = event.target === document.body || event.target.id === "step";
    if (event.key !== "Enter" || !free || !open || document.querySelector("dialog[open]")) return;
    event.preventDefault();
    open.field.area.focus();
  });
  undo.add(shut);
  return {
    panel,
    /** @param {Frame} next */
    update(next) {
      frame = next;
      if (!next.writing) return shut();
      const fresh = open?.step !== next.step;
      if (fresh) begin(/** @type {BackwardStep} */ (next.step));
      put(next);
      draw();
      if (fresh && !TOUCH.matches && !next.state.playing) open?.field.area.focus({ preventScroll: true });
    },
    unmount: undo.run,
  };
}

/** @param {BackwardStep} step */
function promptOf({ mode }) {
  return mode === "+="
    ? "A second path leads to this gradient: what does it add?"
    : "Write the line that computes this gradient.";
}

/** @param {string} code @returns {string} without its layout: the rows that a long line is broken into don't count */
function inOneRow(code) {
  return code
    .replace(/\s+/g, "")
    .replace(/,(?=[)\]])/g, "")
    .replace(/=\(([^]*)\)$/, "=$1");
}

/** @returns {boolean} whether the listing is in sight beside what is said */
function listed() {
  return matchMedia("(min-width: 641px)").matches;
}

/**
 * @param {Frame} frame @param {Writings} writings
 * @returns {HTMLElement|null} how a line came out, said above the picture
 */
export function writtenLine({ state, step, inspecting }, writings) {
  const attempt = writings.at(step);
  if (!state.writeIt || inspecting || !attempt.outcome) return null;
  const right = attempt.outcome === "right";
  const own = attempt.accepted.trim();
  const differs = right && inOneRow(own) !== inOneRow(step.code) && !own.includes("\n");
  return el(
    "p",
    { class: "answered" },
    el("span", { class: right ? "right" : "not" }, `${right ? "✓" : "▸"} ${outcomeText(attempt)}`),
    differs ? el("span", { class: "true-answer" }, "yours: ", el("code", {}, own)) : null,
    el("span", { class: "tally" }, `${writings.score} in this session`),
  );
}
