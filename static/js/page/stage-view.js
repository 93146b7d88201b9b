import { button } from "../shared/dom/button.js";
import { hasJacobian } from "../jacobian/jacobian.js";
import { el } from "../shared/dom/elements.js";
import { mountEquation } from "../equation/equation-view.js";
import { answerLine, questionBox } from "../quiz/question-view.js";
import { drawAnswer } from "../lens/highlights-view.js";
import { mountLate } from "./late-view.js";
import { mountRoom } from "./picture-room-view.js";
import { isPiece, offersAt, placeOf, titleOf } from "../pieces/pieces.js";
import { prose } from "../shared/prose-view.js";
import { watchWidth } from "../shared/dom/watch-width.js";
import { at } from "../shared/address.js";
/** @typedef {import("../walk/frame.js").Frame} Frame */
/**
 * @typedef {{answer: (choice: number) => void, view: (view: string|null) => void, cell: (cell: number[]) => void,
 *   writing: {show: (root: HTMLElement) => void, written: (frame: Frame) => HTMLElement|null},
 *   pieces: ReturnType<typeof import("../pieces/pieces-loader.js").makePiecesLoader>,
 *   jacobians: ReturnType<typeof import("../jacobian/jacobian-loader.js").makeJacobianLoader>, row: (row: number)
 *   => void, maps: import("../lens/pickable-cells-view.js").Acts, missing: () => void}} Acts `missing`: code that is
 *   wanted did not arrive
 */
/**
 * @typedef {{update: (frame: Frame) => void, unmount: () => void, point?: ReturnType<typeof mountEquation>["point"],
 *   answer?: ReturnType<typeof mountEquation>["answer"], play?: ReturnType<typeof mountEquation>["play"],
 *   repaint?: ReturnType<typeof mountEquation>["repaint"], marks?: ReturnType<typeof mountEquation>["marks"]}} View
 */

/** Height of what stands above the picture, with the gap below it. */
const HEAD = 32;
const ANSWERED = 30;

/** What the advice below the tug-of-war takes, with the gap above it. */
const HINT = 38;

/**
 * Where a picture is drawn, and what there is for it.
 * @typedef {{body: HTMLElement, space: import("../equation/equation-view.js").Space, acts: Acts}} Place
 */

/** What can stand there at once, by its kind. @type {Record<string, (place: Place) => View>} */
const KINDS = {
  writing: ({ body, acts }) => written(body, () => acts.writing.show(body)),
  question: ({ body, acts }) => written(body, (frame) => body.replaceChildren(questionBox(frame, acts.answer))),
  lost: ({ body }) =>
    written(body, (frame) => body.replaceChildren(el("p", { class: "lost" }, ...prose(lostAt(frame))))),
  picture: ({ body, space, acts }) => mountEquation(body, space, acts.maps),
};

/** What a first screen hasn't got. @type {Record<string, () => Promise<(place: Place) => View>>} */
const LATER = {
  jacobian: async () => {
    const { mountJacobian } = await import("../jacobian/jacobian-view.js");
    return ({ body, space, acts }) => mountJacobian(body, space, acts);
  },
  piece: async () => {
    const { mountPiece } = await import("../pieces/piece-view.js");
    return ({ body, acts }) => mountPiece(body, acts.pieces, acts.view);
  },
  tug: async () => {
    const { mountTugOfWar } = await import("../tug-of-war/tug-of-war-view.js");
    return ({ body, space, acts }) =>
      mountTugOfWar(body, { ...space, height: () => space.height() - HINT }, { ...acts, outline: drawAnswer });
  },
};

/** @param {HTMLElement} body @param {(frame: Frame) => void} update @returns {View} */
function written(body, update) {
  return { update, unmount: () => body.replaceChildren() };
}

/**
 * The place of the picture: the question while one is open, then the equation, the tug-of-war or the local Jacobian.
 * @param {HTMLElement} root @param {Acts} acts
 */
export function mountStage(root, acts) {
  const head = el("div", { class: "picture-head" });
  const body = el("div", { class: "picture-body" });
  root.replaceChildren(head, body);
  /** @type {Frame|null} */
  let last = null;
  /** What is left for a picture, less what stands above it. */
  let height = 0;
  const room = mountRoom(root);
  const late = Object.entries(LATER).map(
    ([kind, bring]) => /** @type {const} */ ([kind, mountLate(bring, acts.missing)]),
  );
  const kinds = { ...KINDS, ...Object.fromEntries(late.map(([kind, { draw: begin }]) => [kind, begin])) };
  const width = watchWidth(root, () => last && draw(last));
  const space = { width: () => width.now, height: () => height };
  /** @type {{kind: string, view: View}|null} */
  let shown = null;

  /** What stands above the picture. @param {Frame} frame */
  function update(frame) {
    const answered = frame.asking ? null : (answerLine(frame) ?? acts.writing.written(frame));
    const tabs = viewTabs(frame, kindOf(frame, acts.pieces), acts);
    head.replaceChildren(...[answered, tabs].filter((part) => part !== null));
    room.clear();
  }

  /** The picture, as large as what was begun and all that is around it leave room for. @param {Frame} frame */
  function finish(frame) {
    last = frame;
    const taken = heightOf(head);
    height = room.measure(frame) - taken;
    const kind = kindOf(frame, acts.pieces);
    if (shown?.kind !== kind) {
      shown?.view.unmount();
      shown = { kind, view: kinds[kind]({ body, space, acts }) };
    }
    shown.view.update(frame);
  }

  /** @param {Frame} frame */
  function draw(frame) {
    update(frame);
    finish(frame);
  }

  return {
    update,
    finish,
    draw,
    /** The same step with other numbers. @param {Frame} frame */
    follow(frame) {
      if (shown?.kind !== kindOf(frame, acts.pieces) || !shown.view.repaint?.(frame)) return draw(frame);
      last = frame;
    },
    /** Further views of the step are known now: the picture stays as it is. @param {Frame} frame */
    offer(frame) {
      const tabs = head.querySelector(".view-tabs");
      if (!tabs || shown?.kind !== kindOf(frame, acts.pieces)) return draw(frame);
      tabs.replaceWith(...[viewTabs(frame, shown.kind, acts)].filter((made) => made !== null));
    },
    /** @type {NonNullable<View["point"]>} */
    point: (...pointed) => shown?.view.point?.(...pointed),
    /** @type {NonNullable<View["answer"]>} */
    answer: (pointed) => shown?.view.answer?.(pointed),
    marks: () => shown?.view.marks?.() ?? [],
    /** @type {NonNullable<View["play"]>} */
    play: (how) => shown?.view.play?.(how),
    unmount() {
      width.unmount();
      for (const [, one] of late) one.unmount();
      shown?.view.unmount();
      root.replaceChildren();
    },
  };
}

/** @param {HTMLElement} head @returns {number} what the tabs take, and what is said of an answer */
function heightOf(head) {
  if (!head.childElementCount || !head.checkVisibility()) return 0;
  return HEAD + (head.querySelector(".answered") ? ANSWERED : 0);
}

/** @param {Frame} frame @param {Acts["pieces"]} pieces */
function kindOf(frame, pieces) {
  if (frame.writing) return "writing";
  if (frame.asking) return "question";
  if (lostAt(frame)) return "lost";
  if (frame.state.view === "jacobian" && hasJacobian(frame)) return "jacobian";
  if (studying(frame, pieces)) return "piece";
  return frame.tug && frame.state.view !== "equation" ? "tug" : "picture";
}

/** @param {Frame} frame @returns {string} why the step can't be computed behind a planted line; empty else */
function lostAt({ step, inspecting }) {
  return step.direction === "backward" && !inspecting && step.lost ? `This line can’t be run. ${step.lost}` : "";
}

/** @param {import("../walk/types.js").Step} step @returns {HTMLElement[]} to the rules that its line is made of */
function ruleLinks(step) {
  if (step.direction === "forward" || !step.rules.length) return [];
  const links = step.rules.map((name) => el("a", { href: at(`/reference#${name}`), class: "link" }, name));
  const words = step.rules.length === 1 ? "rule " : "rules ";
  return [el("span", { class: "rule-links" }, words, ...links.flatMap((link, i) => (i ? [", ", link] : [link])))];
}

/**
 * @param {Frame} frame @param {Acts["pieces"]} pieces
 * @returns {boolean} whether the place of the picture belongs to a piece: also while it is not known if there is one
 */
export function studying(frame, pieces) {
  const { view } = frame.state;
  if (!isPiece(view) || frame.asking || frame.inspecting || lostAt(frame)) return false;
  return pieces.offers === null || offersAt(pieces.offers, frame).some(({ kind }) => kind === placeOf(view).kind);
}

/** @param {Frame} frame @param {string} kind @param {Acts} acts */
function viewTabs(frame, kind, acts) {
  if (frame.asking || frame.inspecting || lostAt(frame)) return null;
  const pieces = offersAt(acts.pieces.offers, frame);
  // while they are on their way, a step that may have some keeps their room
  const awaited = acts.pieces.offers === null && frame.step.direction === "forward" && frame.step.views;
  if (frame.step.direction === "forward" && pieces.length === 0 && !awaited) return null;
  const shown = kind === "piece" ? placeOf(frame.state.view).kind : kind;
  const tabs = [
    ...(frame.tug ? [["tug", "tug-of-war", null]] : []),
    ["picture", "equation", frame.tug ? "equation" : null],
    ...(hasJacobian(frame) ? [["jacobian", "local Jacobian", "jacobian"]] : []),
    ...pieces.map((offer) => [offer.kind, titleOf(offer), offer.kind]),
  ];
  return el(
    "div",
    { class: "view-tabs", role: "group", "aria-label": "How to show this step" },
    ...tabs.map(([own, title, view]) =>
      button({ "aria-pressed": String(shown === own) }, () => acts.view(view), title),
    ),
    ...ruleLinks(frame.step),
  );
}
