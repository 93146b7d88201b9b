import { stillOf } from "./light.js";
import { mountStage } from "./stage-view.js";
import { cleanups, el } from "../shared/dom/elements.js";
import { prose } from "../shared/prose-view.js";
/** @typedef {import("./opening-loader.js").Story} Story */

/** The opening as a strip of pictures, one for each moment. @param {HTMLElement} root @param {Story} story */
export function mountStills(root, story) {
  const undo = cleanups();
  const places = story.moments.map(({ name, says }, i) => {
    const place = el("div", { class: "opening-stage", role: "img", "aria-label": name });
    const caption = el("p", {}, el("b", {}, `${i + 1}. ${name}. `), ...prose(says));
    root.append(el("li", { id: `moment-${i + 1}`, tabindex: "-1" }, place, caption));
    return place;
  });
  root.hidden = false;
  places.forEach((place, i) => undo.part(mountStage(place, story)).update(stillOf(story.moments, i)));
  undo.add(() => root.replaceChildren());
  return { unmount: undo.run };
}
