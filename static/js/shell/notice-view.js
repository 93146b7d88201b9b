import { el } from "../shared/dom/elements.js";
import { prose } from "../shared/prose-view.js";

/** One quiet line at the foot of the page: progress that can be cancelled, or something that was done. */
export function mountNoticeLine() {
  const words = el("span", {});
  const button = el("button", { type: "button" });
  const root = el("div", { class: "notice", role: "status", hidden: true }, words, button);
  /** @type {ReturnType<typeof setTimeout>|undefined} */
  let timer;
  document.body.append(root);
  function hide() {
    clearTimeout(timer);
    root.hidden = true;
  }
  return {
    /**
     * @param {string} text @param {{label: string, act: () => void}|null} action
     * @param {number} [seconds] after which it goes by itself
     */
    show: (text, action, seconds = 0) => {
      hide();
      words.replaceChildren(...prose(text));
      button.hidden = action === null;
      button.textContent = action?.label ?? "";
      button.onclick = () => action?.act();
      root.hidden = false;
      if (seconds) timer = setTimeout(hide, seconds * 1000);
    },
    hide,
    unmount: () => root.remove(),
  };
}
