import { likenessSigns } from "./likeness.js";
import { cleanups, el } from "../shared/dom/elements.js";
import { roving } from "../shared/dom/roving-focus.js";
/** @typedef {import("./moments.js").Moment} Moment */

const SAID = { same: "the same", numbers: "other numbers", line: "another line", alone: "on one side only" };
const GLYPHS = { same: "", numbers: "≠", line: "≠", alone: "±" };

/**
 * Both programs in one list, moment by moment: a line that both have stands once, one that differs twice.
 * @param {HTMLElement} root @param {Moment[]} moments @param {string[]} labels of the sides, in a word or two
 * @param {(at: number) => void} go
 */
export function mountBothListings(root, moments, labels, go) {
  const undo = cleanups();
  const parts = /** @type {const} */ (["given", "forward", "backward"]).flatMap((part) => {
    const rows = moments.flatMap((moment, at) => (moment.part === part ? [el("li", {}, row(moment, at, labels))] : []));
    return rows.length ? [el("h2", { class: `both-part is-${part}` }, part), el("ol", {}, ...rows)] : [];
  });
  root.replaceChildren(...parts);
  const focus = roving(root, "button");
  const rows = /** @type {HTMLButtonElement[]} */ ([...root.querySelectorAll("button")]);
  undo.add(focus.unmount);
  undo.on(root, "click", ({ target }) => {
    const chosen = target.closest("button");
    if (chosen) go(Number(chosen.dataset.at));
  });
  return {
    /** @param {number} at the moment that is shown */
    update(at) {
      rows.forEach((one, i) => one.toggleAttribute("aria-current", i === at));
      rows[at]?.setAttribute("aria-current", "step");
      focus.setCurrent(rows[at] ?? null);
      keepInSight(root, rows[at]);
    },
    unmount() {
      undo.run();
      root.replaceChildren();
    },
  };
}

/** @param {Moment} moment @param {number} at @param {string[]} labels */
function row({ part, code, apart, likeness }, at, labels) {
  return el(
    "button",
    { type: "button", class: `both-row is-${part} ${apart}`, "data-at": at },
    el("span", { class: "both-mark", "aria-hidden": "true" }, GLYPHS[apart]),
    el("span", { class: "both-code" }, ...lines(code, labels)),
    el("span", { class: "both-signs", "aria-hidden": "true" }, apart === "same" ? "" : likenessSigns(likeness)),
    el("span", { class: "unseen" }, `, ${SAID[apart]}`),
  );
}

/** @param {(string|null)[]} code @param {string[]} labels */
function lines([left, right], labels) {
  if (left === right) return [el("code", {}, left ?? "")];
  return [left, right].flatMap((text, i) =>
    text === null
      ? []
      : [el("code", { class: i ? "of-right" : "of-left" }, el("span", { class: "of" }, labels[i]), text)],
  );
}

/** @param {HTMLElement} root that scrolls @param {HTMLElement|undefined} one */
function keepInSight(root, one) {
  if (!one) return;
  const top = one.offsetTop - root.offsetTop;
  if (top < root.scrollTop + one.offsetHeight) root.scrollTop = Math.max(0, top - 2 * one.offsetHeight);
  else if (top + 2 * one.offsetHeight > root.scrollTop + root.clientHeight)
    root.scrollTop = top + 3 * one.offsetHeight - root.clientHeight;
}
