import { byId } from "../shared/dom/elements.js";
/** @typedef {import("./moments.js").Moment} Moment */

/** @param {{at: number, moments: Moment[]}} beside @param {boolean} playing */
export function drawBesideTransport({ at, moments }, playing) {
  const apart = moments.filter((moment) => moment.apart !== "same").length;
  const [place, all] = [String(at + 1), String(moments.length)];
  byId("count").textContent = `${place.padStart(all.length, "\u2007")} / ${all}`; // as wide at every step
  byId("apart").textContent = apart ? `${apart} of ${moments.length} differ` : "nothing differs";
  byId("back").setAttribute("aria-disabled", String(at === 0));
  byId("next").setAttribute("aria-disabled", String(at === moments.length - 1));
  byId("difference").toggleAttribute("disabled", apart === 0);
  byId("play").setAttribute("aria-label", playing ? "Pause" : "Play");
  byId("play")
    .querySelector("use")
    ?.setAttribute("href", playing ? "#i-pause" : "#i-play");
}
