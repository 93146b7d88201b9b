import { mountAddress } from "../page/address-controller.js";
import { byId, cleanups } from "../shared/dom/elements.js";
import { mountCopyLink } from "../shell/copy-link-controller.js";
import { mountLoading } from "../shell/loading-controller.js";
import { mountShell } from "../shell/shell-controller.js";
import { onTheme, shownTheme } from "../shell/theme-view.js";
import { addressOf, placeOf } from "../walk/side-by-side.js";
import { mountBeside } from "./beside-controller.js";
import { mountChoice } from "./choice-controller.js";
import { mountBesideKeys, makeVoice } from "./beside-keys-controller.js";
import { makeBesidePlayer } from "./player-controller.js";
import { loadPair } from "./pair-loader.js";
import { drawBesideTransport } from "./transport-view.js";
import { drawSides } from "./sides-view.js";
/** @typedef {import("../walk/side-by-side.js").Place} Place */

const LABELS = {
  short: ["left", "right"],
  phrase: /** @type {import("./likeness.js").Labels} */ (["on the left", "on the right"]),
};

/** The page of two walks side by side, in step. @returns {import("../shell/types.js").Mounted} */
export function mountComparePage() {
  const undo = cleanups();
  const place = placeOf(new URL(location.href));
  if (place.left && place.right) undo.part(mountPairPage(place));
  else undo.part(mountChoicePage(place));
  undo.on(window, "hashchange", () => location.reload());
  return { unmount: undo.run };
}

/** @param {Place} place of which a side is open */
function mountChoicePage(place) {
  const undo = cleanups();
  const choice = undo.part(mountChoice(byId("choice"), place));
  const projected = (/** @type {boolean} */ projector) => {
    history.replaceState(null, "", addressOf(Object.assign(place, { projector })));
    choice.lead();
  };
  const shell = undo.part(mountShell({ projected }));
  undo.part(shell.listen("choice", {}));
  byId("sides").after(byId("projector")); // beside the steps of both, which are not there yet, nobody would see it
  shell.projector.wear(place.projector);
  byId("compare").setAttribute("aria-busy", "false");
  return { unmount: undo.run };
}

/** @param {Place} place */
function mountPairPage(place) {
  const undo = cleanups();
  /** @type {ReturnType<typeof mountBeside>|null} */
  let beside = null;
  const say = makeVoice(byId("announcer"));
  const visit = (/** @type {Partial<Place>} */ next) => ({ ...Object.assign(place, next), trail: [] });
  const address = undo.part(
    mountAddress(/** @type {any} */ ({ addressOf, placeOf }), (was) => beside?.go(/** @type {any} */ (was).moment)),
  );
  const projected = (/** @type {boolean} */ projector) => {
    address.replace(/** @type {any} */ (visit({ projector })));
    beside?.draw();
  };
  const shell = undo.part(mountShell({ lists: ["compare"], projected }));
  shell.projector.wear(place.projector);
  const look = { theme: shownTheme, projector: () => shell.projector.on, say };
  const player = undo.part(makeBesidePlayer(() => beside, redrawn));
  undo.add(onTheme(() => beside?.draw()));
  undo.part(mountCopyLink(shell.notice, "both walks at this moment"));
  undo.part(mountBesideKeys(shell, () => beside, player));
  undo.add(() => beside?.unmount());
  undo.part(
    mountLoading(byId("compare"), {
      hint: "Reload it; if that does not help, the page and the server are of different versions.",
      ask: (signal) => loadPair([place.left, place.right], signal),
      arrived,
    }),
  );
  return { unmount: undo.run };

  /** @param {import("./pair-loader.js").Pair} pair */
  function arrived(pair) {
    const failed = (/** @type {import("../shared/api.js").ApiError} */ { problem }) =>
      shell.notice.show(problem.message, { label: "Try again", act: () => beside?.draw() }, 20);
    drawSides(byId("sides"), [place.left, place.right], pair);
    byId("pace").hidden = false;
    beside = mountBeside(byId("beside"), pair, LABELS, look, { moved, failed });
    beside.go(new URL(location.href).searchParams.has("at") ? place.moment : beside.begin);
  }

  /** @param {number} moment */
  function moved(moment) {
    address.step(/** @type {any} */ (visit({ moment })));
    redrawn();
  }

  function redrawn() {
    if (beside) drawBesideTransport(beside, player.playing);
  }
}
