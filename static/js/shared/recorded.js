/** What a page asks more narrowly than it was recorded: the whole walk holds what is near, too. */
const WIDER = new Map([["/api/walk", "/api/walk?steps=all"]]);

/**
 * One spelling of a question, by which its answer is filed.
 * @param {string} path @param {string|null} body a JSON text @returns {string}
 */
export function canonical(path, body) {
  const address = WIDER.get(path) ?? path;
  return body === null ? address : `${address} ${JSON.stringify(plain(JSON.parse(body)))}`;
}

/**
 * @param {any} value of a question @returns {any} its keys in order, without those that say what is usual: false, null
 *   and nothing at all
 */
function plain(value) {
  if (Array.isArray(value)) return value.map(plain);
  if (value === null || typeof value !== "object") return value;
  const told = Object.keys(value)
    .sort()
    .filter((key) => key !== "hints" && !isUsual(value[key]));
  return Object.fromEntries(
    told.map((key) => [key, key === "answer" ? written(value[key], value.target) : plain(value[key])]),
  );
}

/**
 * @param {any} answer @param {string} [target] whose gradient it is
 * @returns {any} as it is read: without its spaces, and with or without its beginning
 */
function written(answer, target) {
  if (typeof answer !== "string") return answer;
  const [line, beginning] = [answer.replace(/\s+/g, ""), `d${(target ?? "").replaceAll("@", "_")}=`];
  return target && line.startsWith(beginning) ? line.slice(beginning.length) : line;
}

/** @param {any} value */
function isUsual(value) {
  return value === null || value === false || (Array.isArray(value) && value.length === 0);
}

/**
 * @param {string} path @param {string} question as `canonical` spells it
 * @returns {string} what it is about: a lesson, or a resource of the interface such as "drills"
 */
export function scopeOf(path, question) {
  const lesson = /"lesson":"([^"]+)"/.exec(question);
  return lesson ? lesson[1] : (/^\/api\/(?:chapters\/)?([\w-]+)/.exec(path)?.[1] ?? "other");
}
