import { at, pathOf } from "../shared/address.js";
/**
 * Two walks by their links, as an address bar or a message has them, and which moment of both is shown. Links stand in
 * the fragment, which never leaves the browser: they may hold whole programs.
 * @typedef {{left: string, right: string, moment: number, projector: boolean}} Place
 */

/** What of a link is about how a walk is looked at, and not about which walk it is. */
const WALKED = ["seed", "word", "exact", "changes", "plant", "lesson"];
/** What a walk has that its program and tensors do not. */
const BY_HAND = ["changes", "plant"];
/** A lesson by its name alone. */
const NAME = /^[a-z0-9][\w.-]*$/i;

/** @param {URL} url @returns {Place} */
export function placeOf(url) {
  const [sides, query] = [new URLSearchParams(url.hash.slice(1)), url.searchParams];
  const moment = /^\d{1,6}$/.test(query.get("at") ?? "") ? Number(query.get("at")) - 1 : 0;
  return {
    left: sides.get("left") ?? "",
    right: sides.get("right") ?? "",
    moment: Math.max(0, moment),
    projector: query.get("p") === "1",
  };
}

/** @param {Place} place @returns {string} */
export function addressOf({ left, right, moment, projector }) {
  const query = new URLSearchParams();
  if (moment > 0) query.set("at", String(moment + 1));
  if (projector) query.set("p", "1");
  const sides = new URLSearchParams();
  if (left) sides.set("left", left);
  if (right) sides.set("right", right);
  // a slash reads better than %2F in a link that people paste
  const hash = sides.size ? `#${sides.toString().replaceAll("%2F", "/")}` : "";
  return at(`/compare${query.size ? `?${query}` : ""}${hash}`);
}

/**
 * @param {string} text a link, whole or in part, or a lesson's name
 * @returns {string|null} the link with what makes the walk, and nothing else; null where it leads to none
 */
export function walkLink(text) {
  const url = urlOf(text);
  const path = url && pathOf(url);
  if (!url || !path || !/^\/(walk\/[^/]+\/?|code\/?)$/.test(path)) return null;
  const query = new URLSearchParams([...url.searchParams].filter(([name]) => WALKED.includes(name)));
  return `${path.replace(/\/$/, "")}${query.size ? `?${query}` : ""}${url.hash}`;
}

/** @param {string} text @returns {URL|null} */
export function urlOf(text) {
  const told = text.trim();
  try {
    return told ? new URL(NAME.test(told) ? `/walk/${told}` : told, "http://gradwalk") : null;
  } catch {
    return null;
  }
}

/** @param {string} link of a walk @returns {string} the same walk without what was changed or planted by hand */
export function untouched(link) {
  const url = urlOf(link);
  if (!url) return link;
  for (const name of BY_HAND) url.searchParams.delete(name);
  return `${url.pathname}${url.search}${url.hash}`;
}

/** @param {string} link the walk that is looked at @returns {string} where it stands beside what it was, if anything */
export function besideAddress(link) {
  const [walk, before] = [walkLink(link) ?? "", untouched(walkLink(link) ?? "")];
  const sides = walk === before ? { left: walk, right: "" } : { left: before, right: walk };
  return addressOf({ ...sides, moment: 0, projector: false });
}
