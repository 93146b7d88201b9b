/** @typedef {import("./address.js").Subject} Subject */

const KEY = "gradwalk:trained";

/** @param {Subject} subject whose program this tab remembers, so that the way back to its runs need not hold it */
export function keepProgram({ runs, hash }) {
  try {
    sessionStorage.setItem(KEY, JSON.stringify([runs.join("."), hash]));
  } catch {
    // then the run is still found, without its program's name
  }
}

/** @param {Subject} subject @returns {Subject} with the program of its runs, where this tab remembers it */
export function keptProgram(subject) {
  try {
    const [runs, hash] = JSON.parse(sessionStorage.getItem(KEY) ?? "[]");
    const known = subject.runs.length > 0 && runs === subject.runs.join(".") && typeof hash === "string";
    return known && !subject.hash ? { ...subject, hash } : subject;
  } catch {
    return subject;
  }
}
