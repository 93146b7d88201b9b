import { UNTRIED, checked, hinted, isBlank, shown, stands, typed } from "../practice/attempts.js";
import { answerTools, feedback, placeTools } from "../practice/feedback-view.js";
import { makeCheckLoader } from "../practice/check-loader.js";
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
/** @typedef {import("../walk/types.js").Problem} Problem */
/** @typedef {import("./drawing.js").Context} Context */
/** @typedef {import("./drawing.js").Figure} Figure */

/**
 * Write this line: checked, diagnosed and hinted as on the page of exercises.
 * @param {Context} context @returns {Figure}
 */
export function drawWrite({ body, block, program, walk, deed, done, theme, say }) {
  const undo = cleanups();
  const target = need(nodeOf(walk, block.argument.replace(/^d(?=\w)/, "")), block);
  const node = walk.node(target);
  const name = `d${node.variable}`;
  const step = need(stepAt(walk, "backward", target), block);
  const loader = makeCheckLoader();
  const stop = new AbortController();
  const lines = (walk.backwardIndex.get(target) ?? []).map((index) => walk.steps[index].code).join("\n");
  /** @type {Attempt} */
  let attempt = { ...UNTRIED, text: deed.given, outcome: deed.outcome, accepted: deed.outcome ? deed.given : "" };
  /** @type {Reply|null} */
  let reply = null;
  /** @type {Problem|null} */
  let problem = null;
  let busy = false;
  const field = mountField(
    { label: `${name}, ${shapeText(node.shape)}`, beginning: `${name} = ` },
    {
      check,
      typed(text) {
        if (text === attempt.text) return;
        attempt = typed(attempt, text);
        if (!stands(attempt)) reply = null;
        keep();
        draw();
      },
    },
  );
  const tools = el("div", { class: "blank-tools" });
  const foot = el("div", { class: "blank-foot" });
  const glyph = el("span", { class: "glyph", "aria-hidden": "true" });
  const root = el("div", { class: "writing write-it" }, glyph, field.root, tools, foot);
  body.replaceChildren(root);
  field.scope(scopeAt(walk, step));
  undo.on(tools, "click", ({ target: pressed }) => {
    const act = /** @type {Element} */ (pressed).closest("[data-act]")?.getAttribute("data-act") ?? "";
    ({ check: () => check(), hint, show, cancel })[/** @type {"check"} */ (act)]?.();
  });
  undo.add(field.unmount);
  undo.add(loader.cancel);
  undo.add(() => stop.abort());

  function keep() {
    const tries = attempt.mistakes;
    done({ outcome: attempt.outcome, tries, given: attempt.outcome ? attempt.accepted : attempt.text });
  }

  /** @param {string} answer @param {number} hints @param {(reply: Reply) => void} arrived */
  function ask(answer, hints, arrived) {
    [busy, problem] = [true, null];
    draw();
    loader.check(
      program.request,
      { target, answer, hints },
      {
        arrived(made) {
          busy = false;
          arrived(made);
          keep();
          draw();
        },
        failed(why) {
          [busy, problem] = [false, why];
          draw();
          say(`${why.message} ${why.hint ?? ""}`);
        },
      },
    );
  }

  function check() {
    if (isBlank(attempt, name)) return say(`Write ${name} first.`);
    const { text, hints } = attempt;
    ask(text, hints.length, (made) => {
      attempt = checked(attempt, text, made);
      if (attempt.text === text) reply = made;
      say(replyWords(name, made));
    });
  }

  function hint() {
    const wanted = attempt.hints.length + 1;
    ask(attempt.text.trim() || `${name} = 0`, wanted, ({ hints }) => {
      attempt = hinted(attempt, hints.slice(0, wanted));
      say(hints[wanted - 1] ?? "There is no further hint.");
    });
  }

  function show() {
    attempt = shown(attempt, lines);
    reply = null;
    keep();
    draw();
    say(`Shown: ${lines}`);
  }

  function cancel() {
    loader.cancel();
    busy = false;
    draw();
  }

  function draw() {
    const wrong = !busy && reply !== null && !reply.correct;
    field.place(attempt.text);
    field.mark(wrong ? (reply?.diagnosis?.where ?? null) : null);
    field.area.setAttribute("aria-invalid", String(wrong));
    root.setAttribute("aria-busy", String(busy));
    const state = wrong ? "not" : attempt.outcome && stands(attempt) ? attempt.outcome : "open";
    root.dataset.state = state;
    glyph.textContent = { not: "✕", right: "✓", shown: "▸", open: "" }[state] ?? "";
    const standing = { attempt, reply, busy, problem };
    placeTools(tools, answerTools(standing), field.area);
    const { labels } = walk.document;
    const width = Math.max(220, Math.min(760, body.clientWidth - 8));
    foot.replaceChildren(
      ...feedback(standing, { name: node.variable, dims: node.dims, labels, theme: theme(), width }),
    );
  }
  draw();
  requestTasks(program.request, stop.signal)
    .then((tasks) => {
      const task = tasks.find((one) => one.target === target && !one.closed);
      if (task) field.scope(task.given);
    })
    .catch(() => undefined); // names are still offered, in another order
  return { update: () => {}, redraw: draw, spot: () => ({ step }), unmount: undo.run };
}
