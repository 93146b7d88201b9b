import { copyIn } from "../walk/lesson-copy.js";
import { isTrained, unpackStep } from "../walk/trained-step.js";
import { contentOf } from "./draft.js";
import { isPacked } from "./link.js";
import { withChanges } from "../walk/changes.js";
import { NOTHING } from "../walk/pick.js";
import { withPlant } from "../walk/plant.js";
import { Store } from "../walk/store.js";
import { ApiError, post } from "../shared/api.js";
import { retry } from "../shared/retry.js";
import { byId, cleanups } from "../shared/dom/elements.js";
import { mountMenu } from "./menu-view.js";
import { mountStarts } from "./starts-view.js";
import { mountNotice } from "../shared/notice-view.js";
import { showProblem } from "../shared/problem-view.js";
import { mountAddress } from "../page/address-controller.js";
import { mountHeader } from "../page/header-controller.js";
import { copyAddressBar, firstState, walkKeys } from "../page/common-controller.js";
import { mountKeyboard } from "../page/keyboard-controller.js";
import { mountAppearance } from "../page/appearance-controller.js";
import { mountBusyNotice } from "../page/busy-notice-controller.js";
import { mountWalkController } from "../page/walk-controller.js";
import { mountWayBack } from "../page/way-back-view.js";
import { addressOf, isWalk, placeOf } from "./url.js";
import { mountForm } from "./form-controller.js";
import { mountFormKeyboard } from "./form-keyboard-controller.js";
import { download } from "./download-controller.js";
import { makeDraftStorage } from "./draft-storage-controller.js";
import { makeLinkLoader } from "./link-loader.js";
import { mountPageMode } from "./page-mode-view.js";
import { loadCopy, loadProgram, loadStarts } from "./starts-loader.js";
/** @typedef {import("./draft.js").Draft} Draft */

const FIRST = "classifier";
const LONG_LINK = 8000;
const DIFFERS = "It was made with another list of names, so the lesson’s numbers are not the same here.";
const FROM_THE_TOP = { ...NOTHING, step: 0, node: null, view: null, changes: [], plant: null };

/**
 * The page "Your code": a form and, of what it holds, the same walk as that of a lesson.
 * @returns {() => void} unmount
 */
export function mountCodePage() {
  const undo = cleanups();
  undo.add(mountWayBack());
  const store = new Store(firstState(placeOf(new URL(location.href))));
  const links = makeLinkLoader();
  const notice = mountNotice();
  const mode = mountPageMode();
  const address = mountAddress({ addressOf: (place) => addressOf(place, mode.walking), placeOf }, returned);
  const appearance = mountAppearance(store, address);
  const storage = makeDraftStorage((hash) => {
    if (mode.walking) return;
    store.set({ lesson: hash });
    address.replace(store.state);
  }, links.open);
  const form = mountForm({
    changed(draft) {
      storage.keep(draft);
      notice.hide(); // what it offers to undo is no longer the last change
    },
    open,
    walk: () => byId("walk-it").click(),
  });
  const walk = mountWalkController(store, address, notice, {
    question: ({ lesson, exact, changes, plant }) => ({ lesson, exact, changes, plant }),
    request: ({ exact, changes, plant }) => withChanges(withPlant(form.body(exact) ?? "{}", plant), changes),
    arrived: enter,
    settled: () => byId("walk-it").setAttribute("aria-disabled", "false"),
    failed,
  });
  let walked = "";

  /**
   * @param {Partial<import("../walk/store.js").State>} [from] where to begin, if this is another program than before
   */
  async function walkIt(from = FROM_THE_TOP) {
    await filled; // who is quicker than the first draft walks it all the same
    if (form.body(false) === null) return form.toMistake();
    byId("walk-it").setAttribute("aria-disabled", "true");
    const hash = await storage.settle();
    store.set({ ...(hash === walked ? {} : from), lesson: hash });
    walk.load();
  }

  function enter() {
    walked = store.state.lesson;
    entered();
    entered = () => {};
    if (mode.walking) return;
    mode.enter();
    address.push(store.state);
    undoKeys = mountKeyboard({ ...walkKeys(walk, appearance, controls, store), more: { c: backToDesk } });
    byId("step").focus({ preventScroll: true });
    // the views of a walk that is still there may be of another moment and another size
    store.set({});
    window.dispatchEvent(new Event("resize"));
  }

  function leave() {
    if (store.state.projector) appearance.toggleProjector();
    if (!mode.walking) return;
    walk.pause();
    undoKeys();
    mode.leave();
  }

  function backToDesk() {
    leave();
    address.push(store.state);
    form.focus();
  }

  /** @param {ApiError} error @param {(() => void)|null} keep */
  function failed(error, keep) {
    const refused = error.status >= 400 && error.status < 500;
    const { exact } = store.state;
    if (mode.walking && !refused && keep) {
      keep();
      return notice.show(`${error.problem.message} This is the walk from before.`, {
        label: "Try again",
        act: () => walk.ask({ exact }),
      });
    }
    if (mode.walking && !refused) {
      byId("story").hidden = true;
      return showProblem(byId("problem"), error.problem, [{ label: "Try again", act: walk.load }]);
    }
    leave();
    address.replace(store.state);
    form.refuse(error);
  }

  /**
   * @param {import("../page/address-controller.js").Visit} place from Back, Forward, or a link pasted into this very
   *   tab
   */
  async function returned(place) {
    const url = new URL(location.href);
    const mine = (visits += 1);
    if (isPacked(url.hash) && url.hash !== (await storage.settle())) {
      const draft = await links.open(url.hash);
      if (mine !== visits) return;
      if (draft) form.replace(draft);
      else notice.show(links.unopened, null, 6);
    }
    if (!isWalk(url)) return leave();
    walk.visit(place);
    if (place.lesson === walked) enter();
  }

  /** @param {number} line @returns {Promise<boolean>} whether it is written in its small steps now */
  async function open(line) {
    const { draft } = form;
    try {
      const answer = await retry(() => post("/api/open", `{"walk":${form.body(false)},"line":${line}}`));
      const { source } = await answer.json();
      if (form.draft !== draft) return false;
      form.replace({ source: source.replace(/\n+$/, "") });
      if (mode.walking) return true;
      form.focus();
      tellOpened(line);
      return true;
    } catch (error) {
      complain(error);
      return false;
    }
  }

  /** @param {number} line */
  function tellOpened(line) {
    notice.show(`Line ${line} is written in its small steps now.`, { label: "Undo", act: takeBack }, 8);
  }

  /** In the walk itself: it goes on with the first of the small steps. @param {HTMLElement} button */
  async function openWalked({ dataset }) {
    if (!(await open(Number(dataset.open)))) return;
    entered = () => tellOpened(Number(dataset.open));
    await walkIt({ ...FROM_THE_TOP, step: Number(dataset.step) });
    address.push(store.state);
  }

  /** @param {HTMLElement} button */
  async function save(button) {
    const body = form.body(store.state.exact);
    if (body === null) return form.toMistake();
    try {
      notice.show(`${await download(body, button.dataset.format ?? "py")} is in your downloads.`, null, 4);
    } catch (error) {
      complain(error);
    }
  }

  /** @param {unknown} error */
  function complain(error) {
    if (!(error instanceof ApiError)) throw error;
    if (error.problem.where) form.refuse(error);
    else notice.show(`${error.problem.message} ${error.problem.hint ?? ""}`, null, 8);
  }

  async function copyLink() {
    await storage.settle();
    address.flush();
    const { length } = location.href;
    const long = ` It has ${length.toLocaleString("en")} characters, which some programs cut short.`;
    await copyAddressBar(address, notice, `Link copied: it opens this program.${length > LONG_LINK ? long : ""}`, 5);
  }

  /** @param {{title: string, draft: Draft}} start */
  function begin({ title, draft }) {
    if (contentOf(draft) === contentOf(form.draft)) return;
    const blank = !form.draft.source.trim() && !form.draft.tensors.length;
    form.replace({ origin: undefined, ...draft });
    notice.show(`Started from “${title}”.`, blank ? null : { label: "Undo", act: takeBack }, 8);
  }

  /** The program gets the numbers that were changed by hand. */
  async function own() {
    try {
      const { origin } = form.draft;
      const { draft } = await loadProgram(withChanges(form.body(store.state.exact) ?? "{}", store.state.changes));
      form.replace({ ...draft, origin });
      store.set({ changes: [] });
      backToDesk();
      notice.show("The program has these numbers now.", { label: "Undo", act: form.stepBack }, 8);
    } catch (error) {
      complain(error);
    }
  }

  function takeBack() {
    form.stepBack();
    notice.hide();
    if (mode.walking) walkIt({ node: null, cell: null, view: null });
  }

  /**
   * @param {import("../walk/lesson-copy.js").Copy|null} copy
   * @returns {Promise<{title: string, draft: Draft}|null>} the lesson that the address asks a copy of
   */
  async function copied(copy) {
    if (!copy || isPacked(location.hash)) return null;
    try {
      return await loadCopy(copy, isTrained(location.hash) ? (await unpackStep(location.hash))?.request : null);
    } catch (error) {
      complain(error);
      return null;
    }
  }

  /** Fills the form with what the page opens with. */
  async function fill() {
    const asked = copyIn(new URL(location.href));
    const copy = await copied(asked);
    const begun = await storage.begin(copy?.draft ?? null);
    if (begun.draft) form.begin(begun.draft, begun.before);
    else form.begin((await usualDraft()) ?? form.draft);
    return { ...begun, asked, copy };
  }

  /** Tells where the first draft comes from, and walks it if that is what the address shows. */
  async function welcome() {
    const { asked, copy, before, damaged } = await filled;
    if (damaged) notice.show(links.unopened, null, 10);
    const opened = links.differs ? `Opened from the link. ${DIFFERS}` : "Opened from the link.";
    const told = copy ? `This is a copy of “${copy.title}”, to change as you like.` : opened;
    if (before) notice.show(`${told} The draft you had here is one Undo away.`, { label: "Undo", act: takeBack }, 10);
    else if (copy || links.differs) notice.show(told, null, 8);
    if (copy && asked?.line) await open(asked.line);
    if (isWalk(new URL(location.href))) await walkIt({});
  }

  let visits = 0;
  let undoKeys = () => {};
  let entered = () => {}; // what to say once the walk that was asked for is there
  const waiting = mountBusyNotice(notice);
  const controls = mountHeader(store, { ...walk, own });
  undo.on(byId("walk-it"), "click", () => byId("walk-it").getAttribute("aria-disabled") !== "true" && walkIt());
  undo.on(byId("copy-link"), "click", copyLink);
  undo.on(byId("practise-it"), "click", async () => location.assign(`/practise${await storage.settle()}`));
  undo.on(byId("forward"), "click", (event) => {
    const button = event.target.closest("[data-open]");
    if (button) openWalked(button);
  });
  undo.on(byId("to-editor"), "click", backToDesk);
  undo.on(byId("skip"), "click", (event) => {
    event.preventDefault(); // the fragment of this page's address is the program
    if (mode.walking) byId("step").focus();
    else form.focus();
  });
  undo.add(
    mountFormKeyboard({
      at: () => !mode.walking,
      walk: () => walkIt(),
      back: form.stepBack,
      on: form.stepOn,
      mistake: form.toMistake,
    }),
  );
  const starts = mountStarts({ load: async () => [...storage.earlier(), ...(await loadStarts())], choose: begin });
  const menu = mountMenu(byId("export-menu"), save);
  for (const part of [starts, menu, form, controls, appearance, address, waiting, notice, walk]) undo.add(part.unmount);
  undo.add(storage.stop);
  undo.add(() => undoKeys());
  const filled = fill();
  welcome();
  return undo.run;
}

/** @returns {Promise<Draft|null>} what a first visit finds; null while the server does not answer */
async function usualDraft() {
  try {
    const starts = await loadStarts();
    return (starts.find(({ name }) => name === FIRST) ?? starts[0]).draft;
  } catch {
    return null;
  }
}
