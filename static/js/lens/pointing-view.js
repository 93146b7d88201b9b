import { el } from "../shared/dom/elements.js";
import { tipPlace } from "./pointing.js";

/** The number beside the pointer. */
export function mountTip() {
  const name = el("b", { class: "tip-name" });
  const number = el("span", { class: "tip-number" });
  const place = el("span", { class: "tip-place" });
  const beside = el("span", { class: "tip-place" });
  const line = el("p", {}, name, number);
  const tip = el("div", { class: "cell-tip", "aria-hidden": "true", hidden: true }, line, beside, place);
  document.body.append(tip);
  let size = { width: 0, height: 0 };
  return {
    /** @param {import("./pointing.js").Tip} words */
    tell(words) {
      name.textContent = words.name;
      number.textContent = words.number && ` = ${words.number}`;
      beside.textContent = words.beside;
      place.textContent = words.place;
      tip.hidden = false;
      size = { width: tip.offsetWidth, height: tip.offsetHeight };
    },
    /** @param {{x: number, y: number}} at in the window */
    move(at) {
      const { left, top } = tipPlace(at, size, { width: innerWidth, height: innerHeight });
      tip.style.transform = `translate(${Math.round(left)}px, ${Math.round(top)}px)`;
    },
    hide() {
      tip.hidden = true;
    },
    unmount: () => tip.remove(),
  };
}
