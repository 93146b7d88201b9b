import { at } from "../../shared/address.js";
/** Which bug: the network's name, and the seed; null before one is begun. */
/** @typedef {{network: string, seed: number|null}} Asked */

const FIRST = "makemore";
const SEEDS = 1_000_000;

/** @param {URL} url @returns {Asked} */
export function askedIn(url) {
  const [network, seed] = [url.searchParams.get("network") ?? FIRST, url.searchParams.get("seed") ?? ""];
  return { network: /^[a-z]+$/.test(network) ? network : FIRST, seed: /^\d{1,9}$/.test(seed) ? Number(seed) : null };
}

/** @param {Asked} asked @returns {string} no look stands in it */
export function addressOf({ network, seed }) {
  return at(seed === null ? "/lab/find" : `/lab/find?network=${network}&seed=${seed}`);
}

/** @param {Asked} asked @returns {Asked} the same network with the next seed */
export function following({ network, seed }) {
  return { network, seed: ((seed ?? 0) + 1) % SEEDS };
}
