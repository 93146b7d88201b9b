import { at, pathOf } from "../shared/address.js";
/**
 * What is trained, and in which run: a lesson by its name, or a program in the fragment, packed as Your code packs it;
 * the settings that are not the usual ones, and whether the page is on a projector.
 * @typedef {{lesson: string, hash: string, run: string, settings: Record<string, string>, projector: boolean}}
 *   Subject
 */

const RUN = /^[\w-]{1,64}$/;
const OTHERS = new Set(["run", "p"]);
const SETTING = /^[\w.@+-]{1,80}$/;

/** @param {URL} url @param {string} fallback lesson when the path names none @returns {Subject} */
export function subjectOf(url, fallback) {
  const lesson = /^\/train\/([^/]+)\/?$/.exec(pathOf(url))?.[1];
  const run = url.searchParams.get("run") ?? "";
  const settings = [...url.searchParams].filter(([name, value]) => !OTHERS.has(name) && SETTING.test(value));
  return {
    lesson: lesson ? decodeURIComponent(lesson) : fallback,
    hash: url.hash.startsWith("#p=") ? url.hash : "",
    run: RUN.test(run) ? run : "",
    settings: Object.fromEntries(settings),
    projector: url.searchParams.get("p") === "1",
  };
}

/** @param {Subject} subject @returns {string} with it a reload goes on where the run was */
export function addressOf(subject) {
  return `${runAddress(subject)}${subject.hash}`;
}

/** @param {Subject} subject @returns {string} the same without a program in it, which this tab remembers */
export function runAddress({ lesson, hash, run, settings, projector }) {
  const query = new URLSearchParams({ ...(run ? { run } : {}), ...settings });
  if (projector) query.set("p", "1");
  const words = query.toString().replaceAll("%40", "@");
  return at(`/train${hash ? "" : `/${encodeURIComponent(lesson)}`}${words ? `?${words}` : ""}`);
}
