import { withChanges } from "../walk/changes.js";
import { withPlant } from "../walk/plant.js";
import { Store } from "../walk/store.js";
import { byId, cleanups } from "../shared/dom/elements.js";
import { showProblem } from "../shell/problem-view.js";
import { mountAddress } from "../page/address-controller.js";
import { firstState } from "../page/common-controller.js";
import { mountHeader } from "../page/header-controller.js";
import { mountWalkController } from "../page/walk-controller.js";
import { mountWalkShell } from "../page/walk-shell-controller.js";
import { mountWayBack } from "../page/way-back-view.js";
import { draftOf } from "./draft.js";
import { makeDraftStorage } from "./draft-storage-controller.js";
import { fillFirst, tellFirst } from "./first-draft-controller.js";
import { mountForm } from "./form-controller.js";
import { pack } from "./link.js";
import { makeLinkLoader } from "./link-loader.js";
import { mountMenu } from "./menu-view.js";
import { mountModes } from "./modes-controller.js";
import { mountPageMode } from "./page-mode-view.js";
import { makeProgramActs } from "./program-acts-controller.js";
import { loadStarts } from "./starts-loader.js";
import { mountStarts } from "./starts-view.js";
import { addressOf, isWalk, placeOf } from "./url.js";
import { parseNumbersAsText } from "./verbatim-json.js";
import { at } from "../shared/address.js";
/** @typedef {import("../shared/api.js").ApiError} ApiError */
/** @typedef {import("./modes-controller.js").Desk} Desk */
/** @typedef {ReturnType<typeof makeProgramActs>} ProgramActs */
/** @typedef {ReturnType<typeof mountModes>} Modes */

/** The page "Your code": a form and, of what it holds, the same walk as that of a lesson. */
export function mountCodePage() {
  const undo = cleanups();
  undo.part(mountWayBack());
  const desk = undo.part(
    mountDesk({
      returned: (place) => modes.returned(place),
      arrived: () => modes.enter(),
      failed: (error, keep) => failed(desk, modes, error, keep),
      open,
      own: () => acts.own(modes.backToDesk),
    }),
  );
  const acts = makeProgramActs(desk);
  const modes = undo.part(mountModes(desk, () => filled));
  const small = undo.part(mountSmallSteps(desk, acts, modes));
  undo.part(mountButtons(desk, acts, modes));
  const filled = fillFirst(desk, acts.complain);
  welcome();
  return { unmount: undo.run };

  /** @param {number} line @returns {Promise<boolean>} */
  function open(line) {
    return small.open(line);
  }

  /** Tells where the first draft comes from, and walks it if that is what the address shows. */
  async function welcome() {
    const first = await filled;
    tellFirst(desk, first, (words, seconds) => acts.offerUndo(words, () => acts.takeBack(modes), seconds));
    if (first.copy && first.asked?.line) await small.open(first.asked.line);
    if (isWalk(new URL(location.href))) await modes.walkIt({});
  }
}

/**
 * What the page is made of.
 * @param {{returned: (place: import("../page/address-controller.js").Visit) => void, arrived: () => void,
 *   failed: (error: ApiError, keep: (() => void)|null) => void, open: (line: number) => Promise<boolean>,
 *   own: () => void}} hears
 * @returns {Desk & import("../shell/types.js").Mounted}
 */
function mountDesk({ returned, arrived, failed, open, own }) {
  const undo = cleanups();
  const store = new Store(firstState(placeOf(new URL(location.href))));
  const [links, mode] = [makeLinkLoader(), undo.part(mountPageMode())];
  const address = undo.part(mountAddress({ addressOf: (place) => addressOf(place, mode.walking), placeOf }, returned));
  const shell = undo.part(mountWalkShell(store, address, ["code", "desk"]));
  const storage = makeDraftStorage((hash) => {
    if (mode.walking) return;
    store.set({ lesson: hash });
    address.replace(store.state);
  }, links.open);
  undo.add(storage.stop);
  const form = undo.part(
    mountForm({
      changed(draft) {
        storage.keep(draft);
        shell.notice.hide(); // what it offers to undo is no longer the last change
      },
      open,
      walk: () => byId("walk-it").click(),
    }),
  );
  const walk = undo.part(
    mountWalkController(store, address, shell.notice, {
      question: ({ lesson, exact, changes, plant }) => ({ lesson, exact, changes, plant }),
      request: ({ exact, changes, plant }) => withChanges(withPlant(form.body(exact) ?? "{}", plant), changes),
      walkStep: async (_, request) =>
        location.assign(at(`/code?step=1${await pack(draftOf(parseNumbersAsText(request)))}`)),
      train: (run) => at(`/train?run=${run}${store.state.lesson}`),
      arrived,
      settled: () => byId("walk-it").setAttribute("aria-disabled", "false"),
      failed,
    }),
  );
  const header = undo.part(mountHeader(store, { ...walk, own }));
  return { store, shell, address, mode, links, storage, form, walk, header, unmount: undo.run };
}

/** @param {Desk} desk @param {Modes} modes @param {ApiError} error @param {(() => void)|null} keep */
function failed({ store, shell, address, mode, form, walk }, { leave }, error, keep) {
  const refused = error.status >= 400 && error.status < 500;
  const { exact } = store.state;
  if (!mode.walking || refused) {
    leave();
    address.replace(store.state);
    return form.refuse(error);
  }
  if (keep) {
    keep();
    const again = { label: "Try again", act: () => walk.ask({ exact }) };
    return shell.notice.show(`${error.problem.message} This is the walk from before.`, again);
  }
  byId("story").hidden = true;
  return showProblem(byId("problem"), error.problem, [{ label: "Try again", act: walk.load }]);
}

/**
 * A line that is written in its small steps, in the form and in the walk itself, which goes on with the first of them.
 * @param {Desk} desk @param {ProgramActs} acts @param {Modes} modes
 */
function mountSmallSteps({ mode, form }, acts, modes) {
  const undo = cleanups();
  const tell = (/** @type {number} */ line) =>
    acts.offerUndo(`Line ${line} is written in its small steps now.`, () => acts.takeBack(modes));

  /** @param {number} line @returns {Promise<boolean>} whether it was opened */
  async function open(line) {
    const opened = await acts.open(line);
    if (opened && !mode.walking) {
      form.focus();
      tell(line);
    }
    return opened;
  }

  /** @param {number} line @param {number} step */
  async function openWalked(line, step) {
    if (await open(line)) await modes.walkFrom(step, () => tell(line));
  }
  undo.on(byId("forward"), "click", ({ target }) => {
    const button = target.closest("[data-open]");
    if (button) openWalked(Number(button.dataset.open), Number(button.dataset.step));
  });
  return { open, unmount: undo.run };
}

/** @param {Desk} desk @param {ProgramActs} acts @param {Modes} modes */
function mountButtons({ mode, storage, form }, acts, modes) {
  const undo = cleanups();
  undo.on(byId("walk-it"), "click", () => byId("walk-it").getAttribute("aria-disabled") !== "true" && modes.walkIt());
  undo.on(byId("copy-link"), "click", acts.copyLink);
  for (const page of ["practise", "train"])
    undo.on(byId(`${page}-it`), "click", async () => location.assign(at(`/${page}${await storage.settle()}`)));
  undo.on(byId("to-editor"), "click", modes.backToDesk);
  undo.on(byId("skip"), "click", (event) => {
    event.preventDefault(); // the fragment of this page's address is the program
    if (mode.walking) byId("step").focus();
    else form.focus();
  });
  undo.part(
    mountStarts({
      load: async () => [...storage.earlier(), ...(await loadStarts())],
      choose: (start) => acts.begin(start, () => acts.takeBack(modes)),
    }),
  );
  undo.part(mountMenu(byId("export-menu"), acts.save));
  return { unmount: undo.run };
}
