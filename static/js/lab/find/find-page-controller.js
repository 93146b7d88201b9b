import { byId, cleanups } from "../../shared/dom/elements.js";
import { mountCopyLink } from "../../shell/copy-link-controller.js";
import { mountLoading } from "../../shell/loading-controller.js";
import { mountShell } from "../../shell/shell-controller.js";
import { askedIn } from "./address.js";
import { requestBug } from "./bug-api.js";
import { mountGame } from "./game-controller.js";
import { keptGames } from "./games-storage-controller.js";
import { drawRecords } from "./setup-view.js";

/**
 * Find the bug: a choice of network and seed, then a network with one line wrong.
 * @returns {import("../../shell/types.js").Mounted}
 */
export function mountFindPage() {
  const undo = cleanups();
  const shell = undo.part(mountShell());
  const asked = askedIn(new URL(location.href));
  undo.part(shell.listen("plain", {}));
  if (asked.seed === null) {
    drawRecords(byId("setup"), keptGames());
    byId("find").setAttribute("aria-busy", "false");
    return { unmount: undo.run };
  }
  byId("setup").hidden = true;
  byId("game").hidden = false;
  undo.part(mountCopyLink(shell.notice, "this bug, without your looks"));
  undo.part(
    mountLoading(byId("find"), {
      hint: "Reload it: what you have found stays.",
      ask: (signal) => requestBug(asked, signal),
      arrived: (bug) => undo.part(mountGame(bug, asked, shell.notice)),
    }),
  );
  return { unmount: undo.run };
}
