import { byId, cleanups } from "../shared/dom/elements.js";
import { lazyView } from "../shared/dom/lazy-view.js";
import { mountChangeMenu } from "../changes/change-menu-view.js";
/** @typedef {import("../walk/frame.js").Frame} Frame */
/** @typedef {import("../walk/pick.js").Subject} Subject */
/** @typedef {import("../walk/walk.js").Walk} Walk */
/** @typedef {ReturnType<typeof mountSheets>} Sheets */

/**
 * What lies over a walk once it is asked for, and leaves with it: the menu of changes, and dialogs.
 * @param {Walk} walk
 * @param {{now: () => Frame|null, anchor: HTMLElement, look: (subject: Subject, cell: number[]) => void,
 *   found: (nudge: import("../differences/differences.js").Nudge) => void, go: (index: number) => void,
 *   make: (change: import("../walk/changes.js").Change) => void, missing: () => void,
 *   change: (change: Partial<import("../walk/store.js").State>) => void,
 *   jump: (change: Partial<import("../walk/store.js").State>) => void}} acts `now` is what is drawn, below `anchor`
 *   the menu opens, `missing`: code did not arrive; `change` and `jump` where a sheet has an address
 */
export function mountSheets(walk, acts) {
  const undo = cleanups();
  const menu = mountChangeMenu(byId("walk"), { make: acts.make, downhill: goDownhill });
  const table = sheet(async () => (await import("../zoom/tensor-dialog-controller.js")).mountZoomingDialog(acts.look));
  const nudge = sheet(async () => (await import("../differences/nudge-controller.js")).mountNudgeDialog(acts.found));
  const sizes = sheet(async () => (await import("../ending/sizes-view.js")).mountSizes({ go: acts.go }));
  const downhill = sheet(async () => (await import("../ending/downhill-controller.js")).mountDownhillDialog(acts.make));
  const costs = sheet(async () =>
    (await import("../ending/costs-controller.js")).mountCostsDialog({ go: followed, closed }),
  );
  /** @type {string|null} which sheet with an address is open */
  let shown = null;
  let opened = false; // here, and so in an entry of its own; in a frame no page has one
  undo.add(menu.unmount);
  undo.on(byId("to-costs"), "click", openCosts);

  /** @template {{unmount: () => void}} View @param {() => Promise<View>} mount */
  function sheet(mount) {
    const view = lazyView(mount, acts.missing);
    undo.add(view.unmount);
    return view;
  }

  /** @param {(frame: Frame) => void} act */
  function onFrame(act) {
    const frame = acts.now();
    if (frame) act(frame);
  }

  function goDownhill() {
    downhill.use((view) => onFrame(({ state }) => view.open(walk, state.changes)));
  }

  function openCosts() {
    if (shown) return;
    opened = document.documentElement.dataset.embed === undefined;
    acts.jump({ sheet: "costs" });
  }

  /** @param {number} index a line of the sheet, which makes an entry of its own */
  function followed(index) {
    opened = false;
    acts.go(index);
  }

  /** Somebody has shut the sheet: so does the address, by the way that it came. */
  function closed() {
    shown = null;
    onFrame(({ state }) => state.sheet && (opened ? history.back() : acts.change({ sheet: null })));
    opened = false;
  }

  return {
    menu: () => onFrame((frame) => menu.open(frame, acts.anchor)),
    /** @param {string} which @param {number[]} [cell] */
    table: (which, cell) => table.use((view) => onFrame((frame) => view.show(frame, which, cell))),
    /** @returns {boolean} whether there is a gradient that can be nudged */
    nudge() {
      const frame = acts.now();
      if (!frame?.node.gradient || frame.asking) return false;
      nudge.use((view) => onFrame((frame) => view.show(frame)));
      return true;
    },
    /** @param {number} rate */
    sizes: (rate) => sizes.use((view) => view.open(walk, rate)),
    downhill: goDownhill,
    costs: openCosts,
    /** @param {Frame} frame */
    update({ state }) {
      if (state.sheet === shown) return;
      shown = state.sheet;
      opened &&= shown !== null;
      costs.use((view) => (shown ? view.open(walk) : view.close()));
    },
    unmount: undo.run,
  };
}
