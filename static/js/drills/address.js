import { at } from "../shared/address.js";
/** Which deck: its seed, null before one is begun; the groups, none for all; how many drills. */
/** @typedef {{seed: number|null, groups: string[], most: number}} Asked */

export const SIZES = [10, 20, 40];

/** @param {URL} url @returns {Asked} */
export function askedIn(url) {
  const [seed, most] = [url.searchParams.get("seed") ?? "", Number(url.searchParams.get("most"))];
  const groups = (url.searchParams.get("groups") ?? "").split(",").filter((name) => /^[a-z]+$/.test(name));
  return { seed: /^\d{1,9}$/.test(seed) ? Number(seed) : null, groups, most: SIZES.includes(most) ? most : SIZES[0] };
}

/** @param {Asked} asked @returns {string} no answer stands in it */
export function addressOf({ seed, groups, most }) {
  const query = [
    seed === null ? "" : `seed=${seed}`,
    groups.length ? `groups=${groups.join(",")}` : "",
    most === SIZES[0] ? "" : `most=${most}`,
  ].filter(Boolean);
  return at(`/practise/drills${query.length ? `?${query.join("&")}` : ""}`);
}
