/** @typedef {import("./types.js").Pace} Pace */

/** @param {string} address of a walk @returns {number} its step, as the page counts */
export function stepOf(address) {
  const step = Number(new URL(address, "http://here").searchParams.get("step") ?? 1);
  return Number.isInteger(step) && step > 0 ? step : 1;
}

/**
 * Where a phone has to go from what it shows.
 * @param {Pace} pace @param {string} address where the class is @param {string} shown empty before anything is
 * @returns {string} empty where it may stay
 */
export function wayOf(pace, address, shown) {
  if (pace === "follow" || !shown) return address;
  return pace === "upto" && beyond(address, shown) ? address : "";
}

/** @param {string} address @param {string} shown */
function beyond(address, shown) {
  return pathOf(shown) !== pathOf(address) || stepOf(shown) > stepOf(address);
}

/** @param {string} address */
function pathOf(address) {
  return new URL(address, "http://here").pathname;
}
