/** @typedef {import("./address.js").Subject} Subject */

const KEY = "gradwalk:trained";

/** @param {Subject} subject whose program this tab remembers, so that the way back to its run need not hold it */
export function keepProgram({ run, hash }) {
  try {
    sessionStorage.setItem(KEY, JSON.stringify([run, hash]));
  } catch {
    // then the run is still found, without its program's name
  }
}

/** @param {Subject} subject @returns {Subject} with the program of its run, where this tab remembers it */
export function keptProgram(subject) {
  try {
    const [run, hash] = JSON.parse(sessionStorage.getItem(KEY) ?? "[]");
    const known = subject.run !== "" && run === subject.run && typeof hash === "string";
    return known && !subject.hash ? { ...subject, hash } : subject;
  } catch {
    return subject;
  }
}
