import { ApiError } from "../shared/api.js";
import { cleanups } from "../shared/dom/elements.js";
import { sendAnswer } from "./class-api.js";
import { makeOutbox } from "./outbox.js";
/** @typedef {import("./outbox.js").Sent} Sent */
/** @typedef {"kept"|"received"|"late"|"refused"|"elsewhere"} Status */

/** Milliseconds between two tries. */
const SOON = 1000;
const LATEST = 8000;
/** What sending again would not mend. */
const FINAL = new Set([401, 404, 409, 422]);
/** Said of an answer that was faster than the stream, which mends it. */
const NOT_HERE = "not-here";

/**
 * Sends answers until each is acknowledged; until then the browser keeps them.
 * @param {string} name of the class @param {(status: {answer: Sent, status: Status, message: string}) => void} tell
 */
export function mountSending(name, tell) {
  const undo = cleanups();
  const outbox = makeOutbox(localStorage, name);
  let busy = false;
  let tries = 0;
  /** @type {ReturnType<typeof setTimeout>|undefined} */
  let timer;

  async function sendAll() {
    clearTimeout(timer);
    if (busy) return;
    busy = true;
    for (let answer = outbox.next(); answer; answer = outbox.next()) if (!(await sendOne(answer))) break;
    busy = false;
    if (outbox.next()) timer = setTimeout(() => void sendAll(), Math.min(LATEST, SOON * ++tries));
    else tries = 0;
  }

  /** @param {Sent} answer @returns {Promise<boolean>} whether it has left the outbox */
  async function sendOne(answer) {
    try {
      const { late } = await sendAnswer(name, answer);
      outbox.take(answer);
      tell({ answer, status: late ? "late" : "received", message: "" });
      return true;
    } catch (error) {
      const final = error instanceof ApiError && FINAL.has(error.status) && error.problem.code !== NOT_HERE;
      if (final) outbox.take(answer);
      const message = error instanceof ApiError ? error.problem.message : "";
      tell({ answer, status: final ? "refused" : "kept", message });
      return final;
    }
  }
  /** What another tab of this browser answers, it answers for all: they have one seat. @param {StorageEvent} event */
  function heardOf({ key }) {
    for (const answer of outbox.heard(key)) tell({ answer, status: "elsewhere", message: "" });
  }
  undo.on(window, "storage", heardOf);
  undo.add(() => clearTimeout(timer));
  void sendAll();
  return {
    /** @param {Sent} answer */
    send(answer) {
      outbox.put(answer);
      void sendAll();
    },
    again: () => void sendAll(),
    unmount: undo.run,
  };
}
