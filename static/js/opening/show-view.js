import { mountStage } from "./stage-view.js";
import { byId, cleanups, el, icon } from "../shared/dom/elements.js";
import { prose } from "../shared/prose-view.js";
/** @typedef {import("./opening-loader.js").Story} Story */
/** @typedef {import("./playback.js").Playback} Playback */

/**
 * The moving picture with its sentence, its buttons and its moments.
 * @param {Story} story
 * @param {{to: (moment: number) => void, play: () => void, next: () => void, back: () => void}} acts
 */
export function mountShow(story, acts) {
  const undo = cleanups();
  const stage = undo.part(mountStage(byId("stage"), story));
  const play = byId("play");
  const buttons = story.moments.map(({ name }, i) => {
    const button = el("button", { type: "button", title: name, "aria-label": `${i + 1}. ${name}` }, el("i", {}));
    button.addEventListener("click", () => acts.to(i));
    return button;
  });
  byId("moments").replaceChildren(...buttons.map((button) => el("li", {}, button)));
  undo.on(play, "click", acts.play);
  undo.on(byId("previous"), "click", acts.back);
  undo.on(byId("following"), "click", acts.next);
  byId("bar").hidden = false;
  let [told, playing] = [-1, false];
  wear(false);

  /** @param {boolean} plays */
  function wear(plays) {
    playing = plays;
    play.setAttribute("aria-label", plays ? "Pause" : "Play");
    play.replaceChildren(icon(plays ? "pause" : "play"));
  }

  /** @param {Playback} playback */
  function update(playback) {
    stage.update(playback.time);
    if (playback.playing !== playing) wear(playback.playing);
    byId("opening").classList.toggle("over", playback.ended);
    if (playback.at === told) return;
    told = playback.at;
    byId("caption").replaceChildren(...prose(story.moments[told].says));
    buttons.forEach((button, i) => {
      button.classList.toggle("past", i < told);
      if (i === told) button.setAttribute("aria-current", "step");
      else button.removeAttribute("aria-current");
    });
  }
  return { update, unmount: undo.run };
}
