import { byId, cleanups } from "../shared/dom/elements.js";
import { restoredBoxes } from "../progress/progress-storage-controller.js";
import { mountCopyLink } from "../shell/copy-link-controller.js";
import { mountLoading } from "../shell/loading-controller.js";
import { mountShell } from "../shell/shell-controller.js";
import { addressOf, askedIn } from "./address.js";
import { mountBoxesMenu } from "./boxes-menu-controller.js";
import { mountDeck } from "./deck-controller.js";
import { requestDrills } from "./drills-api.js";
import { showPart } from "./part-view.js";
import { fillSetup } from "./setup-view.js";
/** @typedef {import("./address.js").Asked} Asked */
/** @typedef {import("./drills-api.js").Drills} Drills */

const SEEDS = 1_000_000;

/** The page of drills: a choice of rules, then one short drill at a time. */
export function mountDrillsPage() {
  const undo = cleanups();
  const shell = undo.part(mountShell());
  const asked = askedIn(new URL(location.href));
  let begun = cleanups();

  undo.part(mountCopyLink(shell.notice, "this deck, without your answers"));
  undo.add(() => begun.run());
  undo.part(
    mountLoading(byId("drills"), {
      hint: "Reload it: what you answered stays.",
      ask: (signal) => requestDrills(asked.seed ?? 0, asked.seed === null ? [] : asked.groups, signal),
      arrived(found) {
        begun.run();
        begun = cleanups();
        if (asked.seed === null) return begun.part(mountSetup(found, asked, shell.notice));
        begun.part(mountBoxesMenu(shell.notice, () => location.reload()));
        begun.part(mountDeck(found.drills, asked, shell));
      },
    }),
  );
  return { unmount: undo.run };
}

/**
 * The choice of rules, before a deck is begun.
 * @param {Drills} found @param {Asked} asked @param {import("../shell/notice-controller.js").Notice} notice
 */
function mountSetup({ groups, drills }, asked, notice) {
  const undo = cleanups();
  const form = /** @type {HTMLFormElement} */ (byId("setup"));
  const fill = () =>
    fillSetup(form, { groups, drills, boxes: restoredBoxes(), chosen: asked.groups, most: asked.most });

  undo.on(form, "submit", (event) => {
    event.preventDefault();
    const data = new FormData(form);
    const chosen = data.getAll("group").map(String);
    if (!chosen.length) return notice.show("Choose at least one kind of rule.", null, 4);
    const seed = Math.floor(Math.random() * SEEDS);
    const all = chosen.length === groups.length;
    location.assign(addressOf({ seed, groups: all ? [] : chosen, most: Number(data.get("most")) }));
  });
  fill();
  showPart("setup");
  undo.part(mountBoxesMenu(notice, fill));
  form.querySelector("button")?.focus({ preventScroll: true });
  return { unmount: undo.run };
}
