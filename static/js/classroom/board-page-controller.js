import { byId, cleanups, el } from "../shared/dom/elements.js";
import { prose } from "../shared/prose-view.js";
import { mountPlainPage } from "../shell/shell-controller.js";
import { barsView } from "./bars-view.js";
import { enterClass } from "./class-api.js";
import { classPath } from "./class-path.js";
import { showJoining } from "./joining-view.js";
import { keyOf, nameInPath } from "./link-controller.js";
import { followTogether } from "../shared/shared-stream-controller.js";
import { wallView } from "./wall-view.js";
/** @typedef {import("./types.js").ClassPicture} ClassPicture */

/**
 * The letters of the wall, whether its sentences are left out, and whether its rows stand close, the best first.
 * @type {[string, boolean, boolean][]}
 */
const FITS = [
  ["", false, false],
  ["", true, false],
  ["", true, true],
  ["1.375rem", true, true],
  ["1.125rem", true, true],
];

/** What stands on the wall: where to join, what is asked, how many have answered. Never what is right, unasked. */
export function mountBoardPage() {
  const undo = cleanups();
  undo.part(mountPlainPage());
  const name = nameInPath();
  let seen = 0;
  void begin();

  async function begin() {
    const key = keyOf();
    try {
      if (key) await enterClass(name, key);
    } catch {
      return say("This link is not, or no longer, one of a class.");
    }
    undo.part(
      followTogether(`${name}:wall`, () => classPath(name, `/board?part=board&after=${seen}`), {
        heard(/** @type {ClassPicture} */ picture, number) {
          seen = number;
          showJoining(name, picture);
          show(picture);
        },
        connected: (on) => (byId("board").dataset.connected = String(on)),
        over: ended,
      }),
    );
  }
  undo.on(window, "resize", fit);
  return { unmount: undo.run };
}

/** Nobody is here any more, and nobody can join. */
function ended() {
  byId("board").dataset.over = "";
  say("The class has ended.");
}

/** @param {string} text */
function say(text) {
  byId("asked").replaceChildren(el("h1", { class: "board-says" }, text));
  byId("counting").replaceChildren();
}

/** @param {ClassPicture} picture */
function show({ ended: isOver, present, question }) {
  if (isOver) return ended();
  byId("present").textContent = present === 1 ? "1 is here" : `${present} are here`;
  byId("counting").replaceChildren(...(question ? counting(question, present) : []));
  byId("asked").replaceChildren(
    ...(question ? asked(question) : [el("h1", { class: "board-says" }, "Look at the walk.")]),
  );
  fit();
}

/** All that is asked is in sight, in letters for the last row: only where names alone don't fit are they smaller. */
function fit() {
  const board = byId("board");
  for (const [letters, brief, close] of FITS) {
    board.style.fontSize = letters;
    board.toggleAttribute("data-brief", brief);
    board.toggleAttribute("data-close", close);
    if (document.documentElement.scrollHeight <= innerHeight) return;
  }
}

/** @param {import("./types.js").QuestionStanding} question @param {number} present */
function counting({ answered, closed }, present) {
  const of = closed ? "answered" : `of ${Math.max(present, answered)} have answered`;
  return [el("b", {}, String(answered)), el("span", {}, of)];
}

/** @param {import("./types.js").QuestionStanding} question @returns {HTMLElement[]} */
function asked({ ask, rounds, waiting, wall, answer }) {
  const shown = wallView(wall);
  const open = (ask.choices ?? []).map((choice) =>
    el("li", {}, choice.code ? el("code", {}, choice.code) : choice.words),
  );
  return [
    el("h1", {}, ...prose(ask.prompt)),
    ...(rounds
      ? [
          barsView(
            rounds,
            waiting,
            wall.map(({ message }) => message),
          ),
        ]
      : open.length
        ? [el("ul", { class: "board-choices" }, ...open)]
        : []),
    ...(answer ? [el("p", { class: "sheet-right" }, "The answer: ", el("code", {}, answer.value))] : []),
    ...(shown ? [shown] : []),
  ];
}
