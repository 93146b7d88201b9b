import { cleanups } from "../shared/dom/elements.js";
import { mountShell } from "../shell/shell-controller.js";
import { mountFinder } from "./finder-controller.js";
import { mountLive } from "./live-controller.js";

/** The reference: every operation, found by what is typed. @returns {import("../shell/types.js").Mounted} */
export function mountReferencePage() {
  const undo = cleanups();
  const shell = undo.part(mountShell());
  const finder = undo.part(mountFinder());
  undo.part(mountLive());
  undo.part(shell.listen("reference", { find: () => finder.focus() }));
  return { unmount: undo.run };
}
