import { el } from "../../shared/dom/elements.js";
import { button } from "../../shared/dom/button.js";
import { numberText, shapeText } from "../../shared/format.js";
import { numberIn } from "../../shared/json-number.js";
import { prose } from "../../shared/prose-view.js";
import { formulaParts } from "../../lens/sum-view.js";
import { shownTheme } from "../../shell/theme-view.js";
import { ACCUSED, LOOKS, NAMED, isDone, keyOf } from "./game.js";
import { nudgeWords, runWords, unnudgedWords } from "./spoken.js";
import { gradientSheet } from "./gradient-view.js";
/** @typedef {import("./board-view.js").Acts} Acts */
/** @typedef {import("./board-view.js").Frame} Frame */
/** @typedef {import("./game.js").Deed} Deed */
/** @typedef {import("./game.js").Look} Look */
/** @typedef {import("../types.js").Bug} Bug */
/** @typedef {import("../types.js").BugLine} BugLine */

const WORDS = {
  gradient: "Look at this gradient",
  nudge: "Nudge this cell",
  lens: "Open this cell",
  run: "Train with this line put right",
};

/**
 * What can be asked about a line, and what was told of it.
 * @param {HTMLElement} root keeps the cell that is chosen @param {Bug} bug @param {BugLine} line @param {Frame} frame
 * @param {Acts} acts
 */
export function fillBench(root, bug, line, frame, acts) {
  const { told, found, game } = frame;
  const seen = told.get(`gradient ${line.line}`);
  const held = root.contains(document.activeElement) ? focusedIn(root) : "";
  const cell = () => JSON.parse(root.dataset.cell ?? "null") ?? line.shape.map(() => 0);
  const asks = asking(bug, line, frame, acts, cell);
  const sheet =
    seen &&
    gradientSheet(seen, { theme: shownTheme(), cell: cell(), width: Math.max(200, root.clientWidth - 24) }, (index) => {
      root.dataset.cell = JSON.stringify(index);
      fillBench(root, bug, line, frame, acts);
    });
  root.replaceChildren(
    el("p", { class: "bench-about" }, ...prose(`\`${line.name}\` is ${shapeText(line.shape)}.`)),
    ...(seen ? [sheet] : []),
    el("div", { class: "bench-tools" }, ...asks),
    ...answers(line, frame, bug),
    ...(found === line.line && !game.over ? [naming(line, frame, acts)] : []),
  );
  if (held) focusBench(root, held);
}

/** @param {HTMLElement} root */
function focusedIn(root) {
  const focused = /** @type {HTMLElement|null} */ (document.activeElement?.closest("[data-do]"));
  return focused && root.contains(focused) ? (focused.dataset.do ?? "") : "";
}

/** @param {HTMLElement} root @param {string} what was done: its button, else the next thing to do */
export function focusBench(root, what) {
  const at = (/** @type {string} */ name) =>
    /** @type {HTMLElement|null} */ (root.querySelector(`[data-do="${name}"]`));
  const next = what === "gradient" ? at("cells") : what === "accuse" ? at("name") : null;
  (next ?? at(what) ?? at("cells") ?? root.querySelector("button"))?.focus();
}

/**
 * @param {Bug} bug @param {BugLine} of @param {Frame} frame @param {Acts} acts @param {() => number[]} cell
 */
function asking(bug, of, frame, acts, cell) {
  const { line } = of;
  const { told, game, asking: under, found } = frame;
  if (under?.line === line)
    return [
      el("p", { class: "bench-wait", role: "status" }, "Being computed…"),
      button({ class: "link", "data-do": "cancel" }, acts.cancel, "cancel"),
    ];
  const looked = told.has(`gradient ${line}`);
  const unnudged = unnudgedWords(bug, of);
  const tool = (/** @type {Look} */ what) => {
    const one = what === "nudge" || what === "lens";
    const deed = /** @type {Deed} */ ({ do: what, line, ...(one ? { cell: cell() } : {}) });
    return toolButton(deed, isDone(game, deed) && told.has(keyOf(deed)), () => acts.ask(deed));
  };
  const looks = [
    ...(looked ? [] : ["gradient"]),
    ...(looked && !unnudged ? ["nudge"] : []),
    ...(looked ? ["lens"] : []),
    "run",
  ];
  return [
    ...(game.over ? [] : looks.map((what) => tool(/** @type {Look} */ (what)))),
    ...(looked && unnudged ? [el("p", { class: "fact" }, unnudged)] : []),
    ...(found === null && !game.over && !isDone(game, { do: "accuse", line })
      ? [
          button(
            { class: "button accuse", "data-do": "accuse" },
            () => acts.ask({ do: "accuse", line }),
            "It is this line",
            el("span", { class: "cost" }, ` −${ACCUSED} if not`),
          ),
        ]
      : []),
  ];
}

/** @param {Deed} deed @param {boolean} done @param {() => void} act */
function toolButton(deed, done, act) {
  const what = /** @type {Look} */ (deed.do);
  const place = deed.cell?.length ? ` [${deed.cell.join(", ")}]` : "";
  return button(
    { class: "button", "data-do": what },
    act,
    `${WORDS[what]}${place}`,
    el("span", { class: "cost" }, done ? " done" : ` −${LOOKS[what]}`),
  );
}

/**
 * @param {BugLine} line @param {Frame} frame @param {Bug} bug
 * @returns {HTMLElement[]} what was told of this line, the latest first
 */
function answers({ line }, { told, game }, bug) {
  const known = game.deeds.filter((deed) => deed.line === line && told.has(keyOf(deed)));
  return known.reverse().flatMap((deed) => {
    const found = told.get(keyOf(deed));
    if (deed.do === "nudge") return [said(found.agrees ? "agrees" : "parts", ...prose(nudgeWords(found)))];
    if (deed.do === "lens") return [lensOf(found)];
    if (deed.do === "run") return [said("", ...prose(runWords(found, bug)))];
    return [];
  });
}

/** @param {string} how @param {...(Node|string)} words */
function said(how, ...words) {
  return el("p", { class: `told ${how}` }, ...words);
}

/** @param {import("../types.js").BugLens} lens */
function lensOf({ formula, numbers, cell, value }) {
  const terms = numbers?.terms.map((term) => ({ ...term, values: term.values.map(numberIn) }));
  const filled = numbers && { ...numbers, terms };
  const answer = /** @type {import("../../lens/lens.js").Answer} */ (
    /** @type {unknown} */ ({ formula, index: cell, numbers: filled })
  );
  const end = el("b", {}, numberText(numberIn(value), 5));
  const parts = formula
    ? formulaParts(answer, 90)
    : [el("span", {}, `[${cell.join(", ")}] has no formula in letters.`)];
  return el("p", { class: "told lens-told" }, ...parts, el("span", {}, "= ", end));
}

/** @param {BugLine} line @param {Frame} frame @param {Acts} acts */
function naming({ line }, { told, game }, acts) {
  const { mistakes } = told.get(`accuse ${line}`) ?? { mistakes: [] };
  return el(
    "div",
    { class: "naming", role: "group", "aria-label": "What is wrong with it?" },
    el("h3", {}, `It is line ${line + 1}. What is wrong with it?`),
    ...mistakes.map((/** @type {import("../types.js").BugMistake} */ { mistake, label }) =>
      button(
        { class: "choice", "data-do": "name", "aria-disabled": String(isDone(game, { do: "name", line, mistake })) },
        () => acts.ask({ do: "name", line, mistake }),
        ...prose(label),
      ),
    ),
    el("p", { class: "fact" }, `A wrong one costs ${NAMED}.`),
  );
}
