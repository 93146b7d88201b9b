import { makePiecesLoader } from "../pieces/pieces-loader.js";
import { DRAW } from "../pieces/piece-view.js";
import { el } from "../shared/dom/elements.js";
import { prose } from "../shared/prose-view.js";
import { nodeOf } from "./block.js";
/** @typedef {import("./drawing.js").Context} Context */
/** @typedef {import("./drawing.js").Figure} Figure */
/** @typedef {import("../pieces/piece-view.js").Drawn} Drawn */

/**
 * A piece that the walk has, too: a closed form, the order of the search, three ways, saturation, through time.
 * @param {Context} context @returns {Figure}
 */
export function drawPiece({ body, block, walk: first, theme }) {
  const { kind, argument } = block;
  const name = nodeOf(first, argument) ?? nodeOf(first, argument.replace(/^d(?=\w)/, "")) ?? first.document.loss.name;
  const question = { tensor: name };
  let walk = first;
  let loader = makePiecesLoader(walk);
  /** @type {number|undefined} where a reader has gone in it; else where it begins by itself */
  let place;
  /** @type {Drawn|null} */
  let drawn = null;
  body.setAttribute("aria-busy", "true");
  load();

  function load() {
    if (!DRAW[kind]) return failed({ code: "piece", message: "This page cannot draw that.", hint: "" });
    const known = loader.known(kind, question);
    if (known) return draw(known);
    loader.load(kind, question, { arrived: draw, failed });
  }

  /** @param {any} made */
  function draw(made) {
    body.setAttribute("aria-busy", "false");
    drawn?.unmount();
    place ??= begins(made);
    drawn = DRAW[kind](body, made, { theme: theme(), place, moved: (to) => (place = to) });
  }

  /** @param {any} made @returns {number|undefined} the place of the scale that the chapter wants to be seen first */
  function begins({ scales }) {
    return block.props.scale === undefined ? undefined : scales.indexOf(block.props.scale) + 1;
  }

  /** @param {import("../walk/types.js").Problem} problem */
  function failed({ message, hint }) {
    const again = el("button", { type: "button", class: "button" }, "Try again");
    again.addEventListener("click", load);
    body.setAttribute("aria-busy", "false");
    body.replaceChildren(
      el("div", { class: "figure-failed", role: "status" }, el("p", {}, ...prose(`${message} ${hint ?? ""}`)), again),
    );
  }

  return {
    update(next, rests) {
      if (!rests || next === walk) return;
      walk = next;
      loader.unmount();
      loader = makePiecesLoader(walk);
      load();
    },
    redraw: load,
    spot() {
      const step = walk.backwardIndex.get(name)?.at(-1);
      return step === undefined ? null : { step, view: kind };
    },
    unmount() {
      loader.unmount();
      drawn?.unmount();
    },
  };
}
