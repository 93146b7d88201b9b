import { byId } from "../shared/dom/elements.js";
import { walkKeys } from "../page/common-controller.js";
import { NOTHING } from "../walk/pick.js";
import { isPacked } from "./link.js";
import { isWalk } from "./url.js";
/** @typedef {import("../walk/store.js").State} State */
/**
 * What the page "Your code" is made of.
 * @typedef {{store: import("../walk/store.js").Store, shell: ReturnType<typeof
 *   import("../page/walk-shell-controller.js").mountWalkShell>, address: ReturnType<typeof
 *   import("../page/address-controller.js").mountAddress>, mode: ReturnType<typeof
 *   import("./page-mode-view.js").mountPageMode>, links: ReturnType<typeof
 *   import("./link-loader.js").makeLinkLoader>, storage: ReturnType<typeof
 *   import("./draft-storage-controller.js").makeDraftStorage>, form: ReturnType<typeof
 *   import("./form-controller.js").mountForm>, walk: ReturnType<typeof
 *   import("../page/walk-controller.js").mountWalkController>, header: ReturnType<typeof
 *   import("../page/header-controller.js").mountHeader>}} Desk
 */

const FROM_THE_TOP = { ...NOTHING, step: 0, node: null, view: null, changes: [], plant: null };

/**
 * The form, and the walk of what it holds: which of the two is seen, in the page, on the keyboard and in the address.
 * @param {Desk} desk @param {() => Promise<unknown>} filled once the form holds its first draft
 */
export function mountModes(desk, filled) {
  const { store, shell, address, mode, storage, form, walk, header } = desk;
  const linked = newestLinked(desk);
  let walked = "";
  let entered = () => {}; // what to say once the walk that was asked for is there
  let keys = listenAtDesk(desk, walkIt);

  /** @param {Partial<State>} [from] where to begin, if this is another program than before */
  async function walkIt(from = FROM_THE_TOP) {
    await filled(); // who is quicker than the first draft walks it all the same
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
    keys.unmount();
    keys = shell.listen("code", { ...walkKeys(walk, header), desk: backToDesk });
    byId("step").focus({ preventScroll: true });
    // the views of a walk that is still there may be of another moment and another size
    store.set({});
    window.dispatchEvent(new Event("resize"));
  }

  function leave() {
    shell.projector.leave();
    if (!mode.walking) return;
    walk.pause();
    mode.leave();
    keys.unmount();
    keys = listenAtDesk(desk, walkIt);
  }

  function backToDesk() {
    leave();
    address.push(store.state);
    form.focus();
  }

  /**
   * @param {import("../page/address-controller.js").Visit} place from Back, Forward, or a link pasted into this very
   *   tab
   */
  async function returned(place) {
    const url = new URL(location.href);
    if (!(await linked(url))) return;
    if (!isWalk(url)) return leave();
    walk.visit(place);
    if (place.lesson === walked) enter();
  }

  return {
    walkIt,
    enter,
    leave,
    backToDesk,
    returned,
    /** @param {number} step @param {() => void} then once it is there */
    async walkFrom(step, then) {
      entered = then;
      await walkIt({ ...FROM_THE_TOP, step });
      address.push(store.state);
    },
    unmount: () => keys.unmount(),
  };
}

/** @param {Desk} desk @param {() => void} walkIt */
function listenAtDesk({ shell, form }, walkIt) {
  const own = (/** @type {Event} */ { target }) => /** @type {HTMLElement} */ (target).id === "source";
  return shell.listen("desk", {
    walk: () => walkIt(),
    mistake: form.toMistake,
    // inside the program undo is the browser's own; everywhere else it is the form's
    undo: (event) => !own(event) && form.stepBack(),
    redo: (event) => !own(event) && form.stepOn(),
  });
}

/**
 * Puts the program of a link into the form.
 * @param {Desk} desk @returns {(url: URL) => Promise<boolean>} false where another was asked for meanwhile
 */
function newestLinked({ shell, links, storage, form }) {
  let visits = 0;
  return async ({ hash }) => {
    const mine = (visits += 1);
    if (!isPacked(hash) || hash === (await storage.settle())) return true;
    const draft = await links.open(hash);
    if (mine !== visits) return false;
    if (draft) form.replace(draft);
    else shell.notice.show(links.unopened, null, 6);
    return true;
  };
}
