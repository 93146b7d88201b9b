import { numberIn } from "../shared/json-number.js";
import { shapeText, toldApart } from "../shared/format.js";
import { changeable } from "../changes/sliders.js";
import { levelAt } from "../walk/frame.js";
import { apartText, badgeExtra } from "../evidence/oracles.js";
import { placeWords } from "../walk/announcement.js";
import { badge } from "../walk/badge-view.js";
import { changeWords } from "../walk/changes.js";
import { mountMiniGraph } from "../graph/mini-graph-view.js";
import { prose } from "../shared/prose-view.js";
import { el } from "../shared/dom/elements.js";
import { labelOf } from "../shell/keys.js";
/** @typedef {import("../walk/frame.js").Frame} Frame */

/**
 * Kicker, name, shape and badge of the step, and the way to other numbers; on a projector where it is in the graph, or
 * what was changed by hand.
 * @param {HTMLElement} root @param {import("../walk/walk.js").Walk} walk @param {HTMLElement} example which is in focus
 * @param {() => void} change
 */
export function mountHeading(root, walk, example, change) {
  const graph = mountMiniGraph(walk);
  const button = el("button", {
    type: "button",
    class: "link change-open",
    "aria-haspopup": "dialog",
    "data-act": "change",
  });
  button.addEventListener("click", change);
  const loss = el("p", { class: "loss-now" });
  return {
    button,
    /** What changes that are only tried make of the loss, where the eyes are. @param {number} tried */
    tried: (tried) => loss.replaceChildren(...lossWords(walk, tried)),
    /** @param {Frame} frame */
    update(frame) {
      const backward = frame.step.direction === "backward" && !frame.inspecting;
      const name = el(
        "h1",
        { class: "name", id: "step-title" },
        `${backward ? "d" : ""}${frame.node.variable}`,
        " ",
        el("span", { class: "size" }, frame.asking && !frame.writing ? "(?)" : shapeText(frame.node.shape)),
      );
      const tensor = changeable(frame);
      button.replaceChildren(...(tensor ? ["change", el("span", { class: "of-what" }, " numbers")] : ["downhill"]));
      button.setAttribute(
        "aria-label",
        tensor ? `change numbers of ${frame.walk.node(tensor).variable}` : "downhill: step there",
      );
      const focused = [button, ...example.children].find((one) => one === document.activeElement);
      const above = el("div", { class: "above-step" }, kicker(frame), loss, example, button);
      const { changes, hand } = frame.state;
      loss.replaceChildren(...(changes.length || hand ? lossWords(walk, null) : []));
      const aside = frame.state.projector ? (changed(frame) ?? graph.at(frame)) : null;
      root.replaceChildren(
        ...[above, name, aside, badgeFor(frame), currentLine(frame)].filter((part) => part !== null),
      );
      if (focused instanceof HTMLElement) focused.focus({ preventScroll: true });
    },
    unmount: () => root.replaceChildren(),
  };
}

/**
 * @param {import("../walk/walk.js").Walk} walk @param {number|null} tried the loss that is tried
 * @returns {(HTMLElement|string)[]} "loss 3.34 → 3.338"
 */
function lossWords(walk, tried) {
  const loss = numberIn(walk.document.loss.value);
  const [own, now] = toldApart([loss, tried ?? loss]);
  return [`${walk.lossName} `, ...(tried === null ? [] : [`${own} → `]), el("b", {}, now)];
}

/** @param {Frame} frame @returns {HTMLElement} */
function kicker(frame) {
  const { step, node, walk } = frame;
  if (frame.inspecting)
    return el(
      "p",
      { class: "kicker" },
      el("span", { class: "phase is-forward" }, node.role),
      " used in ",
      el("code", {}, firstUse(frame)),
    );
  const [direction, place] = placeWords(frame).toLowerCase().split(", step ");
  const phase = el(
    "span",
    { class: `phase is-${step.direction}` },
    direction,
    el("span", { class: "of-steps" }, " · ", el("span", { class: "step-word" }, "step "), place),
  );
  if (step.direction === "forward") return el("p", { class: "kicker" }, phase, ...groupWords(frame));
  const through = step.through ? (walk.node(step.through).source ?? "").trim() : "";
  return el(
    "p",
    { class: "kicker", title: withoutComment(through) },
    phase,
    " ",
    through
      ? el("span", { class: "through" }, "through ", el("code", {}, lineOf(withoutComment(through), frame)))
      : el("span", { class: "through" }, "from the loss"),
  );
}

/**
 * @param {string} code @param {Frame} frame
 * @returns {string} what a line makes; where no listing marks it, the line itself
 */
function lineOf(code, { state }) {
  return state.projector ? code : code.replace(/\s*=(?!=)[^]*/, "");
}

/** @param {Frame} frame @returns {string} the line that first uses what is looked at */
function firstUse({ walk, node }) {
  const user = walk.document.nodes.find((other) => other.inputs.includes(node.name));
  return withoutComment(user?.source ?? node.source ?? "");
}

/** @param {string} code */
function withoutComment(code) {
  return code.replace(/\s*#.*$/, "");
}

/** @param {Frame} frame @returns {HTMLElement[]} */
function groupWords({ node }) {
  return node.group ? [el("span", { class: "of-steps" }, ` in ${node.group}`)] : [];
}

/** @param {Frame} frame @returns {HTMLElement|null} what the bar below the header says where there is a header */
function changed({ state: { changes } }) {
  if (changes.length === 0) return null;
  const words = changes.length === 1 ? prose(changeWords(changes[0])) : [`${changes.length} changes by hand`];
  return el("p", { class: "changed" }, ...words);
}

/** @param {Frame} frame @returns {HTMLElement} */
function badgeFor(frame) {
  const { node, walk, known, step } = frame;
  if (step.index === 0 && !frame.inspecting) return firstHint();
  if (step.direction === "forward" || (frame.inspecting && !node.gradient))
    return el("span", { class: "badge level-none", hidden: step.direction === "forward" || frame.inspecting }, "value");
  if (frame.hidesPaths) return badge("none", "");
  const level = levelAt(walk, node.name, known);
  if (level === "partial") {
    const { arrived, expected } = walk.gradientAt(node.name, known);
    return badge(level, `path ${arrived} of ${expected}`);
  }
  const verdict = node.gradient?.verdict;
  const made = badge(level, verdict && level !== "none" ? badgeExtra(verdict) : "");
  if (verdict && apartText(verdict)) made.title += `. ${apartText(verdict)}`;
  return made;
}

/** @returns {HTMLElement} the one line that says what to press */
function firstHint() {
  return el(
    "p",
    { class: "first-hint" },
    el(
      "span",
      { class: "with-keys" },
      "press ",
      el("kbd", {}, labelOf("next")),
      " for the next line, ",
      el("kbd", {}, labelOf("play")),
      " to play",
    ),
    el("span", { class: "with-taps" }, "tap › for the next line"),
  );
}

/** @param {Frame} frame @returns {HTMLElement} the line itself, shown large in projector mode */
function currentLine(frame) {
  const { step } = frame;
  const code = frame.inspecting ? firstUse(frame) : frame.asking ? `${step.code.split(/\s/)[0]} ?` : step.code;
  return el("p", { class: `current-line on-${step.direction}` }, withoutComment(code));
}
