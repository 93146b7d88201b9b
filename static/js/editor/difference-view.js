import { cleanups, el } from "../shared/dom/elements.js";
import { counted } from "../shared/plural.js";

const MOST = 40; // lines that are shown

/**
 * What the page has changed in the program, line by line, with its way back.
 * @param {HTMLElement} root @param {() => void} undone
 */
export function mountDifference(root, undone) {
  const undo = cleanups();
  const hide = () => void (root.hidden = true);
  undo.on(root, "click", ({ target }) => {
    const act = target.closest("[data-act]")?.dataset.act;
    if (!act) return;
    hide();
    if (act === "undo") undone();
  });
  return {
    /** @param {string} before @param {string} now */
    show(before, now) {
      const lines = changedLines(before.split("\n"), now.split("\n"));
      root.hidden = lines.length === 0;
      const rows = lines
        .slice(0, MOST)
        .map(({ sign, text }) =>
          el("div", { class: sign === "+" ? "is-new" : "is-old" }, el("span", {}, sign), el("code", {}, text)),
        );
      const more = lines.length > MOST ? [el("p", {}, `and ${counted(lines.length - MOST, "line")} more`)] : [];
      root.replaceChildren(head(lines.length), el("div", { class: "lines" }, ...rows, ...more));
    },
    hide,
    unmount: undo.run,
  };
}

/** @param {number} count */
function head(count) {
  return el(
    "p",
    { class: "said" },
    `Changed: ${counted(count, "line")}. `,
    el("button", { type: "button", class: "link", "data-act": "undo" }, "Undo"),
    el("button", { type: "button", class: "link", "data-act": "close" }, "Close"),
  );
}

/**
 * @param {string[]} before @param {string[]} now
 * @returns {{sign: "+"|"−", text: string}[]} lines that went and lines that came, those that stay left out
 */
export function changedLines(before, now) {
  const length = before.map(() => new Array(now.length + 1).fill(0));
  length.push(new Array(now.length + 1).fill(0));
  for (let i = before.length - 1; i >= 0; i -= 1)
    for (let j = now.length - 1; j >= 0; j -= 1)
      length[i][j] = before[i] === now[j] ? length[i + 1][j + 1] + 1 : Math.max(length[i + 1][j], length[i][j + 1]);
  /** @type {{sign: "+"|"−", text: string}[]} */
  const found = [];
  let [i, j] = [0, 0];
  while (i < before.length || j < now.length) {
    if (i < before.length && j < now.length && before[i] === now[j]) [i, j] = [i + 1, j + 1];
    else if (j >= now.length || (i < before.length && length[i + 1][j] >= length[i][j + 1]))
      found.push({ sign: "−", text: before[i++] });
    else found.push({ sign: "+", text: now[j++] });
  }
  return found;
}
