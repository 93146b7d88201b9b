import { ApiError } from "../shared/api.js";
import { byId, cleanups } from "../shared/dom/elements.js";
import { mountPlainPage } from "../shell/shell-controller.js";
import { joinClass, sentence, stateOf, stateSince } from "./class-api.js";
import { classPath } from "./class-path.js";
import { stateAfter } from "./class-state.js";
import { stepOf } from "./pace.js";
import { mountSeatWalk } from "./seat-walk-controller.js";
import { mountSending } from "./sending-controller.js";
import { followTogether } from "../shared/shared-stream-controller.js";
import { mountWhereabouts } from "./whereabouts-controller.js";
import { mountSheet } from "./sheet-view.js";
/** @typedef {import("./types.js").ClassState} ClassState */

const SEAT = "gradwalk:seat";
const ENDED = "The class has ended. What you wrote is gone from here, too.";
const NOT_IN_TIME = "This phone was away before it had taken its seat. Join again.";
/** @type {Record<string, string>} */
const WORDS = {
  follow: "Following",
  free: "Looking around",
  away: "Reconnecting. What you write is kept on this phone.",
};

/** Joins a class by its code, follows it, and answers. @returns {import("../shell/types.js").Mounted} */
export function mountStudentPage() {
  const undo = cleanups();
  undo.part(mountPlainPage());
  const form = /** @type {HTMLFormElement} */ (byId("join"));
  const code = /** @type {HTMLInputElement} */ (byId("code"));
  const given = /^\/c\/([^/]+)$/.exec(location.pathname);
  if (given) code.value = decodeURIComponent(given[1]);

  async function join() {
    byId("join-says").textContent = "";
    try {
      const typed = tidied(code.value);
      await begin((await seatOf(typed)) || (await joinClass(typed)), typed);
    } catch (error) {
      byId("join-says").textContent = sentence(error);
      code.select();
    }
  }

  /** @param {string} name @param {string} typed the code by which one has joined */
  async function begin(name, typed) {
    const state = await stateOf(name);
    remember(`${name} ${typed}`);
    byId("joining").hidden = true;
    byId("seat").hidden = false;
    undo.part(mountSeat(name, state, (status) => leave(status === 401 ? NOT_IN_TIME : ENDED)));
  }

  /** @param {string} why */
  function leave(why) {
    remember("");
    byId("seat").hidden = true;
    byId("joining").hidden = false;
    byId("join-says").textContent = why;
  }
  undo.on(form, "submit", (event) => {
    event.preventDefault();
    void join();
  });
  const [seat, by] = remembered(() => sessionStorage);
  if (seat && !given) begin(seat, by).catch(() => leave(""));
  else if (given) void join();
  else code.focus();
  return { unmount: undo.run };
}

/** @param {string} code as somebody types it @returns {string} */
function tidied(code) {
  return code.toUpperCase().replace(/[^A-Z\d]/g, "");
}

/**
 * @param {string} code
 * @returns {Promise<string>} the class of that code where this browser has a seat in it, though it has another by now
 */
async function seatOf(code) {
  const [name, by] = remembered(() => localStorage);
  if (!name) return "";
  try {
    const state = await stateOf(name);
    return [by, state.code].includes(code) ? name : "";
  } catch {
    return "";
  }
}

/**
 * @param {() => Storage} place of this tab, or of the browser
 * @returns {string[]} the class that one has a seat in, and the code by which one has joined it
 */
function remembered(place) {
  try {
    return (place().getItem(SEAT) ?? "").split(" ");
  } catch {
    return [""];
  }
}

/** @param {string} seat the class and the code; empty for none */
function remember(seat) {
  for (const place of [() => sessionStorage, () => localStorage]) {
    try {
      place().setItem(SEAT, seat);
    } catch {
      // a tab that may keep nothing asks for the code again
    }
  }
}

/** @param {ClassState} state */
function standing({ pace, address }) {
  return pace === "upto" ? `Up to step ${stepOf(address)}` : WORDS[pace];
}

/**
 * A seat in a class, from a state on.
 * @param {string} name @param {ClassState} first @param {(status?: number) => void} over
 */
function mountSeat(name, first, over) {
  const undo = cleanups();
  const walk = undo.part(mountSeatWalk());
  const whereabouts = undo.part(mountWhereabouts(name));
  const sheet = undo.part(
    mountSheet(
      byId("sheet"),
      (answer) => sending.send(answer),
      (to) => walk.drag(to),
    ),
  );
  const sending = undo.part(mountSending(name, (status) => sheet.sent(status)));
  let state = first;
  let connected = true;
  let renewing = false;
  let latest = 0;

  function show() {
    byId("standing").textContent = connected ? standing(state) : WORDS.away;
    byId("standing").dataset.connected = String(connected);
    walk.show(state);
    sheet.show(state.question);
  }

  /** Asks for the whole state: what came between can't be had any more. */
  async function renew() {
    if (renewing) return;
    renewing = true;
    try {
      state = await stateSince(name, () => latest);
      show();
    } catch (error) {
      if (error instanceof ApiError && [401, 404].includes(error.status)) over(error.status);
    }
    renewing = false;
  }
  undo.part(
    followTogether(name, () => classPath(name, `/events?after=${state.number}`), {
      heard(/** @type {import("./types.js").ClassTold} */ event, number) {
        if (event.kind === "missed" || event.kind === "reset") {
          state = { ...state, number: 0 };
          latest = 0;
          return void renew();
        }
        latest = Math.max(latest, number);
        if (number <= state.number) return;
        if (number > state.number + 1) return void renew(); // another tab was told of what comes before
        state = { ...stateAfter(state, event), number };
        if (state.ended) over();
        else show();
      },
      connected(on) {
        connected = on;
        show();
        if (!on) return;
        sending.again();
        whereabouts.again();
      },
      over: (error) => over(error.status),
    }),
  );
  show();
  return { unmount: undo.run };
}
