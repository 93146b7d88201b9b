import { at } from "../shared/address.js";
/** @typedef {{moment: number|null, word: string}} Place `moment` counts from 0; null where it plays from the start */

/** @param {URL} url @returns {Place} what an address of the opening says */
export function placeOf({ searchParams }) {
  const moment = searchParams.get("moment") ?? "";
  return { moment: /^\d{1,2}$/.test(moment) ? Math.max(0, Number(moment) - 1) : null, word: wordIn(searchParams) };
}

/** @param {Place} place @returns {string} */
export function addressOf({ moment, word }) {
  const query = new URLSearchParams();
  if (moment !== null) query.set("moment", String(moment + 1));
  if (word) query.set("word", word);
  const text = query.toString();
  return at(`/opening${text ? `?${text}` : ""}`);
}

/** @param {URLSearchParams} query */
function wordIn(query) {
  return (query.get("word") ?? "").trim().slice(0, 64);
}
