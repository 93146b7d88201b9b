import { byId, cleanups } from "../shared/dom/elements.js";
import { mountPlainPage } from "../shell/shell-controller.js";
import { beginClass, enterClass, sentence, tell } from "./class-api.js";
import { classPath } from "./class-path.js";
import { makeFrame } from "./frame-view.js";
import { keyOf, nameInPath } from "./link-controller.js";
import { makeRail } from "./rail-view.js";
import { onStanding } from "../shared/standing-controller.js";
import { showStrip } from "./strip-view.js";
import { followTogether } from "../shared/shared-stream-controller.js";
import { askAbout } from "./asking.js";
/** @typedef {import("./types.js").ClassPicture} ClassPicture */

/** Milliseconds between two looks at where the teacher's walk is. */
const LOOK = 300;
/** What a class begins with unless its teacher says otherwise. */
const FIRST = "/walk/makemore-mlp";

/** Begins a class, or teaches one. @returns {import("../shell/types.js").Mounted} */
export function mountTeacherPage() {
  const undo = cleanups();
  undo.part(mountPlainPage());
  const name = nameInPath();
  if (name) void enter();
  else {
    const chosen = startChoice();
    undo.on(byId("begin"), "click", () => void begin(chosen()));
  }

  /** @param {string} address */
  async function begin(address) {
    try {
      const { id, teacher } = await beginClass(address);
      location.assign(`/class/${id}#${teacher}`);
    } catch (error) {
      byId("begin-says").textContent = sentence(error);
    }
  }

  async function enter() {
    const key = keyOf();
    try {
      const { board } = key ? await enterClass(name, key) : kept(name);
      keep(name, board);
      byId("class").hidden = false;
      byId("beginning").hidden = true;
      undo.part(mountTeaching(name, board));
    } catch (error) {
      byId("begin-says").textContent = sentence(error);
    }
  }
  return { unmount: undo.run };
}

/** The list of what a class may begin with, and first in it the place that a link names. @returns {() => string} */
function startChoice() {
  const list = /** @type {HTMLSelectElement} */ (byId("begin-with"));
  const at = new URLSearchParams(location.search).get("at");
  if (at) list.prepend(new Option(at, at, true, true));
  else list.value = FIRST;
  return () => list.value;
}

/** @param {string} name @returns {{board: string}} the key of the board, which a page that is loaded again must know */
function kept(name) {
  try {
    return { board: sessionStorage.getItem(`gradwalk:board:${name}`) ?? "" };
  } catch {
    return { board: "" };
  }
}

/** @param {string} name @param {string} board */
function keep(name, board) {
  try {
    sessionStorage.setItem(`gradwalk:board:${name}`, board);
  } catch {
    // the link to the board is then the one that was open before
  }
}

/** @param {string} name @param {string} board its key */
function mountTeaching(name, board) {
  const undo = cleanups();
  const frame = makeFrame(/** @type {HTMLIFrameElement} */ (byId("place")));
  let shown = "";
  let seen = 0;
  /** @type {ClassPicture|null} */
  let last = null;
  /** @type {string[]} the gradients of the exercise in the frame */
  let names = [];
  const showWhere = () => showStrip(last?.strip, names, last?.present ?? 0);
  undo.part(
    onStanding((standing) => {
      names = standing.names;
      showWhere();
    }),
  );

  /** @param {object} command */
  async function say(command) {
    try {
      rail.problem("");
      await tell(name, command);
    } catch (error) {
      rail.problem(sentence(error));
    }
  }
  const rail = makeRail({
    name,
    board: `/class/${name}/board#${board}`,
    csv: classPath(name, "/answers.csv"),
    say,
    ask: async (kind) => {
      const ask = await askAbout(kind, frame.shown(), rail.named(), rail.until());
      if (ask) await say({ kind: "ask", ask });
      else rail.problem("Questions can be asked of the walks of lessons. Open one in the frame.");
    },
  });
  undo.part(rail);
  undo.part(
    followTogether(`${name}:teacher`, () => classPath(name, `/board?after=${seen}`), {
      heard(/** @type {ClassPicture} */ picture, number) {
        seen = number;
        if (!shown) {
          shown = picture.address;
          frame.show(picture.address);
        }
        rail.show(picture);
        last = picture;
        showWhere();
      },
      connected: rail.connected,
      over: () => rail.over(),
    }),
  );
  const looking = setInterval(() => {
    const now = frame.shown();
    if (!shown || !now || now === shown || now === "/") return;
    shown = now;
    void say({ kind: "show", address: now });
  }, LOOK);
  undo.add(() => clearInterval(looking));
  return { unmount: undo.run };
}
