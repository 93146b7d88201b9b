import { byId, cleanups, el } from "../shared/dom/elements.js";
/** @typedef {{name: string, title: string, about: string, draft: import("./draft.js").Draft}} Start */

/** The starting points, in a sheet. @param {{load: () => Promise<Start[]>, choose: (start: Start) => void}} acts */
export function mountStarts(acts) {
  const undo = cleanups();
  const dialog = /** @type {HTMLDialogElement} */ (byId("starts-dialog"));
  const list = byId("starts-list");
  /** @type {Start[]} */
  let starts = [];

  async function open() {
    if (!starts.length) list.replaceChildren(el("p", { class: "starts-note", role: "status" }, "Fetching them…"));
    dialog.showModal();
    try {
      starts = await acts.load();
    } catch {
      return list.replaceChildren(failure());
    }
    list.replaceChildren(el("ul", { class: "starts" }, ...starts.map((start) => el("li", {}, card(start)))));
    list.querySelector("button")?.focus();
  }

  function failure() {
    const again = el("button", { type: "button", class: "button", "data-again": true }, "Try again");
    return el(
      "div",
      { class: "starts-note", role: "alert" },
      el("p", {}, "The server does not answer. Your own program is still there."),
      again,
    );
  }
  undo.on(byId("starts-open"), "click", open);
  undo.on(dialog, "click", (event) => {
    if (event.target === dialog || event.target.closest("[data-close]")) return dialog.close();
    if (event.target.closest("[data-again]")) {
      dialog.close();
      return open();
    }
    const start = starts.find(({ name }) => name === event.target.closest("[data-start]")?.dataset.start);
    if (!start) return;
    dialog.close();
    acts.choose(start);
  });
  return { unmount: undo.run };
}

/** @param {Start} start */
function card({ name, title, about, draft }) {
  const lines = draft.source.split("\n").filter((line) => line && !line.startsWith("#"));
  return el(
    "button",
    { type: "button", class: "start", "data-start": name },
    el("b", {}, title),
    el("span", { class: "about" }, about),
    el("code", {}, lines[0]),
    el(
      "span",
      { class: "size" },
      `${lines.length} lines, ${draft.tensors.length} ${draft.tensors.length === 1 ? "tensor" : "tensors"}`,
    ),
  );
}
