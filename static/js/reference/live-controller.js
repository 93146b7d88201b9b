import { byId, cleanups, el } from "../shared/dom/elements.js";

/** The buttons that show an operation at work: what draws it comes with the first of them. */
export function mountLive() {
  const undo = cleanups();
  /** @type {Map<HTMLElement, () => void>} what is open, and how it is put away */
  const open = new Map();
  const say = (/** @type {string} */ words) => (byId("announcer").textContent = words);

  /** @param {HTMLElement} button */
  async function toggle(button) {
    const shut = open.get(button);
    const expanded = shut === undefined;
    button.setAttribute("aria-expanded", String(expanded));
    if (!expanded) {
      open.delete(button);
      return shut();
    }
    const article = /** @type {HTMLElement} */ (button.closest(".operation"));
    const box = el("div", { class: "block live" });
    /** @type {HTMLElement} */ (button.parentElement).after(box);
    let leave = () => {};
    open.set(button, () => {
      leave();
      box.remove();
    });
    const { mountLiveStep } = await import("./live-step-controller.js");
    if (box.isConnected) leave = mountLiveStep(box, article.dataset.name ?? "", say).unmount;
  }

  undo.on(document, "click", (event) => {
    const button = event.target.closest(".live-open");
    if (button) toggle(button);
  });
  undo.add(() => open.forEach((shut) => shut()));
  return { unmount: undo.run };
}
