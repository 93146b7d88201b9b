import { at } from "../shared/address.js";
import { asApiError } from "../shared/api.js";
import { latest } from "../shared/latest.js";
import { byId, cleanups, reducedMotion } from "../shared/dom/elements.js";
import { prose } from "../shared/prose-view.js";
import { remember } from "../shared/dom/remembered.js";
import { mountShell } from "../shell/shell-controller.js";
import { showProblem } from "../shell/problem-view.js";
import { addressOf, placeOf } from "./address.js";
import { fetchStory } from "./opening-loader.js";
import { Playback } from "./playback.js";
import { mountShow } from "./show-view.js";
import { mountStills } from "./stills-view.js";
import { mountTips } from "./tips-view.js";
import { within } from "../shared/within.js";
/** @typedef {import("./opening-loader.js").Story} Story */

const HINT = "Reload it, or go on to the walk.";
/** Whoever was away, in another tab, goes on where the picture was. */
const LONGEST = 0.1;

/** The opening: one example through the network and back, in half a minute. */
export function mountOpeningPage() {
  const undo = cleanups();
  const asked = latest();
  const lesson = document.documentElement.dataset.lesson ?? "";
  const place = placeOf(new URL(location.href));
  const shell = undo.part(mountShell({ lists: ["opening"] }));
  let word = place.word;
  const on = () => at(`/walk/${encodeURIComponent(lesson)}${word ? `?word=${encodeURIComponent(word)}` : ""}`);
  const toWalk = () => location.assign(on());
  let skipped = false;
  const none = () => {};
  let keys = { play: none, next: none, back: none, first: none, last: none, ended: () => skipped };
  remember("opening", "seen");
  undo.on(byId("skip"), "click", skip);
  undo.add(asked.stop);
  undo.part(
    shell.listen("opening", {
      skip,
      play: () => keys.play(),
      next: () => keys.next(),
      back: () => keys.back(),
      first: () => keys.first(),
      last: () => keys.last(),
    }),
  );
  const field = /** @type {HTMLInputElement} */ (byId("word"));
  field.value = word;
  undo.on(byId("word-form"), "submit", (event) => {
    event.preventDefault();
    location.assign(addressOf({ moment: null, word: field.value.trim().toLowerCase() }));
  });
  load();
  return { unmount: undo.run };

  /** To the end, where the ways on are; from there to the walk. */
  function skip() {
    if (keys.ended()) return toWalk();
    skipped = true;
    toEnd();
  }

  function toEnd() {
    keys.last();
    byId("ways").focus();
  }

  function load() {
    byId("problem").hidden = true;
    byId("on").setAttribute("href", on());
    const request = { lesson, ...(word ? { word } : {}), exact: false };
    asked.ask((signal) => fetchStory(request, signal), { arrived: show, failed });
  }

  /** @param {unknown} error */
  function failed(error) {
    const { problem } = asApiError(error, HINT);
    if (word && problem.code.startsWith("word")) {
      byId("word-says").replaceChildren(...prose(`${problem.message} ${problem.hint}`));
      word = "";
      return load();
    }
    byId("show").hidden = true;
    showProblem(byId("problem"), problem, [
      { label: "Try again", act: load },
      { label: "Go on to the walk", act: toWalk },
    ]);
  }

  /** @param {Story} story */
  function show(story) {
    byId("opening").setAttribute("aria-busy", "false");
    byId("show").hidden = reducedMotion();
    undo.part(mountTips(story.scene));
    keys = undo.part(reducedMotion() ? mountStill(story, place) : mountMoving(story, place));
    if (skipped) toEnd();
  }
}

/** Keys go from one picture to the next. @param {Story} story @param {import("./address.js").Place} place */
function mountStill(story, place) {
  const undo = cleanups();
  undo.part(mountStills(byId("stills"), story));
  const last = story.moments.length - 1;
  let at = place.moment ?? -1;
  /** @param {number} moment */
  function to(moment) {
    at = within(moment, last + 1);
    document.getElementById(`moment-${at + 1}`)?.focus();
    history.replaceState(null, "", addressOf({ ...place, moment: at }));
  }
  if (at >= 0) to(at);
  const next = () => to(at + 1);
  return {
    ...{ to, play: next, next, back: () => to(at - 1), first: () => to(0), last: () => to(last) },
    ended: () => at === last,
    unmount: undo.run,
  };
}

/** @param {Story} story @param {import("./address.js").Place} place */
function mountMoving(story, place) {
  const undo = cleanups();
  const playback = new Playback(story.moments);
  const to = (/** @type {number} */ moment) => settled(() => playback.stepTo(moment));
  const acts = {
    to,
    play: () => settled(() => playback.toggle()),
    next: () => to(playback.at + 1),
    back: () => to(playback.at - 1),
    first: () => to(0),
    last: () => to(story.moments.length - 1),
    ended: () => playback.ended,
  };
  const view = undo.part(mountShow(story, acts));
  let frame = 0;
  let last = 0;

  /** @param {() => void} act */
  function settled(act) {
    act();
    const moment = playback.playing ? null : playback.at;
    history.replaceState(null, "", addressOf({ ...place, moment }));
    wake();
  }

  function wake() {
    cancelAnimationFrame(frame);
    last = 0;
    frame = requestAnimationFrame(draw);
  }

  /** @param {number} now */
  function draw(now) {
    playback.advance(last ? Math.min(LONGEST, (now - last) / 1000) : 0);
    last = now;
    view.update(playback);
    if (playback.playing) frame = requestAnimationFrame(draw);
  }

  if (place.moment === null) playback.playFrom(0);
  else playback.stepTo(place.moment);
  undo.add(() => cancelAnimationFrame(frame));
  wake();
  return { ...acts, unmount: undo.run };
}
