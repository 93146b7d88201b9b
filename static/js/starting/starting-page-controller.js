import { byId, cleanups } from "../shared/dom/elements.js";
import { mountPlainPage } from "../shell/shell-controller.js";
import { requestReadiness } from "./ready-api.js";

const PAUSE = 500;
const GONE = "The server does not answer. Start gradwalk again, and this page opens by itself.";

/** While the server starts: what was asked for opens as soon as it is there. */
export function mountStartingPage() {
  const undo = cleanups();
  const says = byId("says");
  const usual = says.textContent;
  /** @type {ReturnType<typeof setTimeout>|undefined} */
  let timer;

  async function look() {
    const found = await requestReadiness();
    if (found === "ready") return location.reload();
    const words = found === "unreachable" ? GONE : usual;
    if (says.textContent !== words) says.textContent = words;
    timer = setTimeout(look, PAUSE);
  }

  undo.part(mountPlainPage());
  undo.add(() => clearTimeout(timer));
  look();
  return { unmount: undo.run };
}
