import { stands } from "../practice/attempts.js";
import { answerTools, button, feedback, placeTools } from "../practice/feedback-view.js";
import { mountField } from "../practice/field-view.js";
import { shapeText } from "../shared/format.js";
import { el } from "../shared/dom/elements.js";
import { shownTheme } from "../shell/theme-view.js";
/** @typedef {import("./deck.js").Drill} Drill */
/** @typedef {import("../practice/feedback-view.js").Standing} Standing */
/** @typedef {{check: (text: string) => void, typed: (text: string) => void}} Acts */

/** What the axes of a tensor are called, by how many there are. */
const SIDES = [[], ["cell"], ["row", "column"]];

/**
 * One drill: its lines, the field for its gradient, and what is said of the answer.
 * @param {HTMLElement} root @param {Drill} drill @param {Acts} acts
 */
export function mountDrill(root, { name, shape, lines, given }, acts) {
  const field = mountField({ label: `${name}, ${shapeText(shape)}`, beginning: `${name} = ` }, acts);
  const tools = el("div", { class: "blank-tools" });
  const foot = el("div", { class: "blank-foot", id: `${field.area.id}-says` });
  field.area.setAttribute("aria-describedby", foot.id);
  field.scope(given);
  root.replaceChildren(
    el("pre", { class: "drill-lines" }, ...lines.map((line) => el("code", {}, line))),
    el("p", { class: "drill-shapes" }, ...shapes(given.filter(({ gradient }) => !gradient))),
    el(
      "h2",
      { class: "drill-asks" },
      "Write ",
      el("code", {}, name),
      el("span", { class: "size" }, ` ${shapeText(shape)}`),
      el(
        "span",
        { class: "drill-given" },
        " from ",
        ...shapes(
          given.filter(({ gradient }) => gradient),
          " and ",
        ),
      ),
    ),
    field.root,
    tools,
    foot,
  );

  return {
    focus: () => field.area.focus({ preventScroll: true }),
    /** @param {Standing & {printed: string}} look `printed`: the line as gradwalk writes it; empty while unknown */
    update(look) {
      const { attempt, reply, busy, printed } = look;
      field.place(attempt.text);
      const wrong = !busy && reply !== null && !reply.correct;
      field.mark(wrong ? (reply.diagnosis?.where ?? null) : null);
      field.area.setAttribute("aria-invalid", String(wrong));
      root.setAttribute("aria-busy", String(busy));
      const onward = stands(attempt) ? button("next", "Next", "↵") : button("later", "Later");
      placeTools(tools, [...answerTools(look), ...(busy ? [] : [onward])], field.area);
      const width = Math.min(720, foot.clientWidth || 480);
      const dims = SIDES[shape.length] ?? [];
      const about = { name: name.slice(1), dims, labels: {}, theme: shownTheme(), width };
      foot.replaceChildren(...feedback(look, about), ...comparedWith(printed, attempt.text));
    },
    unmount: field.unmount,
  };
}

/** @param {Drill["given"]} named @param {string} [between] */
function shapes(named, between = ", ") {
  return named.flatMap(({ name, shape }, i) => [
    i ? between : "",
    el("code", {}, name),
    el("span", { class: "size" }, ` ${shapeText(shape ?? [])}`),
  ]);
}

/** @param {string} printed @param {string} text of the reader @returns {HTMLElement[]} nothing where both are one */
function comparedWith(printed, text) {
  const bare = (/** @type {string} */ line) => line.replace(/\s+/g, "");
  if (!printed || bare(printed) === bare(text)) return [];
  return [
    el("div", { class: "drill-printed" }, el("p", {}, "gradwalk writes"), el("pre", {}, el("code", {}, printed))),
  ];
}
