import { cleanups, el } from "../shared/dom/elements.js";
import { prose } from "../shared/prose-view.js";
/** @typedef {import("./diagnosis.js").Diagnosis} Diagnosis */

/**
 * What is wrong and what to write instead, beside the line that it is about.
 * @param {HTMLElement} root @param {{go: () => boolean, retry: () => void, mend: (text: string) => void}} acts
 */
export function mountComplaint(root, acts) {
  const undo = cleanups();
  /** @type {HTMLElement|null} */
  let beside = null;

  function align() {
    if (beside) root.style.setProperty("--top", `${beside.offsetTop}px`);
  }
  undo.on(root, "click", (event) => {
    const button = event.target.closest("button");
    if (button?.dataset.mend) acts.mend(button.dataset.mend);
    else if (button) (button.dataset.act === "retry" ? acts.retry : acts.go)();
  });
  const watch = new ResizeObserver(align);
  watch.observe(root.parentElement ?? root);
  undo.add(() => watch.disconnect());
  return {
    /**
     * @param {Diagnosis|null} diagnosis @param {HTMLElement|null} line
     * @param {string|null} mend what may be written in the marked place
     */
    update(diagnosis, line, mend) {
      beside = line;
      root.hidden = diagnosis === null;
      root.classList.toggle("beside", line !== null);
      const key = JSON.stringify([diagnosis, mend]);
      if (diagnosis && root.dataset.key !== key) root.replaceChildren(...contents(diagnosis, mend));
      root.dataset.key = key;
      align();
    },
    reveal: () => root.scrollIntoView({ block: "nearest" }),
    unmount: undo.run,
  };
}

/** @param {Diagnosis} diagnosis @param {string|null} mend */
function contents({ problem, span }, mend) {
  const go = span
    ? el("button", { type: "button", class: "link", "data-act": "go" }, `line ${span.line}, column ${span.from + 1}`)
    : null;
  const write = mend
    ? el("button", { type: "button", class: "button", "data-mend": mend }, "write ", el("code", {}, mend))
    : null;
  const retry =
    !span && problem.code !== "form"
      ? el("button", { type: "button", class: "link", "data-act": "retry" }, "try again")
      : null;
  return [
    el("p", { class: "says" }, ...prose(problem.message)),
    ...(problem.hint ? [el("p", { class: "hint-text" }, ...prose(problem.hint))] : []),
    ...(write ? [el("p", { class: "mend" }, write)] : []),
    ...(go || retry ? [el("p", { class: "place" }, go, go && el("kbd", {}, "F8"), retry)] : []),
  ];
}
