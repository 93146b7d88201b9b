import { cleanups, el } from "../shared/dom/elements.js";
import { labelOf } from "../shell/keys.js";
import { shapeText } from "../shared/format.js";
import { counted } from "../shared/plural.js";
import { prose } from "../shared/prose-view.js";
import { markShown } from "../shared/dom/shown.js";
/** @typedef {import("./diagnosis.js").Diagnosis} Diagnosis */
/** @typedef {import("../walk/found-types.js").Need} Need */
/**
 * @typedef {{faults: Diagnosis[], at: number, missing: string|null, need: Need|undefined}} Told the faults and the one
 *   that is told; the tensor that it lacks, and what is known of it
 * @typedef {{go: () => boolean, retry: () => void, fix: (faults: Diagnosis[]) => void, add: (name: string) => void,
 *   show: (at: number) => void}} Acts
 */

/**
 * What is wrong and what to write instead, beside the line that it is about; of several faults each can be chosen.
 * @param {HTMLElement} root @param {Acts} acts
 */
export function mountComplaint(root, acts) {
  const undo = cleanups();
  /** @type {HTMLElement|null} */
  let beside = null;
  let [at, count] = [0, 0];
  /** @type {Diagnosis[]} */
  let faults = [];

  function align() {
    if (beside) root.style.setProperty("--top", `${beside.offsetTop}px`);
  }
  undo.on(root, "click", (event) => {
    const button = event.target.closest("button");
    if (!button) return;
    const { add, at: chosen, act } = button.dataset;
    if (act === "fix") acts.fix([faults[at]]);
    else if (act === "fix-all") acts.fix(faults.filter(isSure));
    else if (add) acts.add(add);
    else if (chosen) acts.show(Number(chosen));
    else (act === "retry" ? acts.retry : acts.go)();
  });
  undo.on(root, "keydown", (event) => {
    const step = Number(event.key === "ArrowDown") - Number(event.key === "ArrowUp");
    if (!step || count < 2) return;
    event.preventDefault();
    acts.show((at + step + count) % count);
    /** @type {HTMLElement|null} */ (root.querySelector("[aria-current]"))?.focus();
  });
  const watch = new ResizeObserver(align);
  watch.observe(root.parentElement ?? root);
  undo.add(() => watch.disconnect());
  return {
    /** @param {Told} told @param {HTMLElement|null} line */
    update(told, line) {
      beside = line;
      [at, count, faults] = [told.at, told.faults.length, told.faults];
      root.hidden = count === 0;
      root.classList.toggle("beside", line !== null);
      if (markShown(root, told) && count) root.replaceChildren(...contents(told));
      align();
    },
    reveal: () => root.scrollIntoView({ block: "nearest" }),
    unmount: undo.run,
  };
}

/** @param {Told} told */
function contents({ faults, at, missing, need }) {
  const { problem, span } = faults[at];
  const go = span
    ? el("button", { type: "button", class: "link", "data-act": "go" }, `line ${span.line}, column ${span.from + 1}`)
    : null;
  const retry =
    !span && problem.code !== "form"
      ? el("button", { type: "button", class: "link", "data-act": "retry" }, "try again")
      : null;
  const hint = need?.because ?? problem.hint;
  const button = problem.fix ? fixButton(problem.fix.label) : missing ? addButton(missing, need) : null;
  const sure = faults.filter(isSure).length;
  return [
    el("p", { class: "says" }, ...prose(problem.message)),
    ...(hint ? [el("p", { class: "hint-text" }, ...prose(hint))] : []),
    ...(button ? [el("p", { class: "mend" }, button)] : []),
    ...(sure > 1 ? [el("p", { class: "mend" }, allButton(sure))] : []),
    ...(go || retry ? [el("p", { class: "place" }, go, go && el("kbd", {}, labelOf("mistake")), retry)] : []),
    ...(faults.length > 1 ? [list(faults, at)] : []),
  ];
}

/** @param {Diagnosis} fault @returns {boolean} whether its fix is what is meant */
function isSure({ problem }) {
  return problem.fix?.sure ?? false;
}

/** @param {string} label */
function fixButton(label) {
  return el("button", { type: "button", class: "button", "data-act": "fix" }, ...prose(label));
}

/** @param {number} count */
function allButton(count) {
  return el("button", { type: "button", class: "button", "data-act": "fix-all" }, `make it walk: ${count} changes`);
}

/** @param {string} name @param {Need|undefined} need */
function addButton(name, need) {
  const shape = need?.shape ? ` ${shapeText(need.shape)}` : "";
  return el("button", { type: "button", class: "button", "data-add": name }, "add ", el("code", {}, name), shape);
}

/** @param {Diagnosis[]} faults @param {number} at */
function list(faults, at) {
  const entries = faults.map(({ problem, span }, i) => {
    const text = problem.where?.text ?? "";
    const entry = el(
      "button",
      {
        type: "button",
        class: "fault",
        "data-at": i,
        "aria-label": `line ${span?.line}: ${problem.message.replaceAll("`", "")}`,
      },
      el("span", {}, `${span?.line ?? ""}`),
      el("code", {}, text),
    );
    if (i === at) entry.setAttribute("aria-current", "true");
    return el("li", {}, entry);
  });
  return el(
    "div",
    { class: "faults" },
    el("p", {}, `fault ${at + 1} of ${faults.length}`),
    el("ol", { "aria-label": counted(faults.length, "fault") }, ...entries),
  );
}
