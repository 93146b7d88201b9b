import { fileAt, isAlone } from "./address.js";
import { insteadOf, judged } from "./recorded-answers.js";
import { canonical, scopeOf } from "./recorded.js";
/** @typedef {(address: string) => Promise<Response>} Get */

/** @type {Map<string, Promise<Record<string, string>>>} of each lesson: the file of each question */
const indexes = new Map();

/**
 * The answer that was recorded to a request, in a folder with no server behind it.
 * @param {string} path @param {RequestInit["body"]} body @param {Get} get
 * @returns {Promise<Response>} 404 for what nobody recorded
 */
export async function recorded(path, body, get) {
  const question = canonical(path, /** @type {string|null} */ (body ?? null));
  if (isAlone) return inThisFile(question) ?? unrecorded(question);
  const index = await indexOf(scopeOf(path, question), get);
  const asked = body ? JSON.parse(String(body)) : {};
  if (index[question]) return withHints(await answerIn(index[question], get), asked);
  const other = insteadOf(asked);
  const file = other && index[canonical(path, JSON.stringify(other))];
  if (!file) return unrecorded(question);
  return Response.json(judged(asked, await (await answerIn(file, get)).json()));
}

/** @param {Response} answer @param {{hints?: number}} asked @returns {Promise<Response>} as many as were asked for */
async function withHints(answer, asked) {
  if (asked.hints === undefined || !answer.ok) return answer;
  const reply = await answer.json();
  return Response.json({ ...reply, hints: reply.hints.slice(0, asked.hints) });
}

/**
 * @param {string} file `name`, `name:2` for its third answer, `name+other` for the other with what is its own
 * @param {Get} get @returns {Promise<Response>}
 */
async function answerIn(file, get) {
  const [, name, place, like] = /** @type {RegExpExecArray} */ (/^(\w+)(?::(\d+))?(?:\+(\w+))?$/.exec(file));
  const [answer, other] = await Promise.all([get(answerAt(name)), like ? get(answerAt(like)) : null]);
  if (!answer.ok || (other && !other.ok)) return answer.ok && other ? other : answer;
  if (place) return Response.json((await answer.json())[Number(place)]);
  return other ? Response.json({ ...(await other.json()), ...(await answer.json()) }) : answer;
}

/** @param {string} name */
function answerAt(name) {
  return fileAt(`/answers/${name}.json`);
}

/** @param {string} scope @param {Get} get @returns {Promise<Record<string, string>>} */
function indexOf(scope, get) {
  const known = indexes.get(scope) ?? indexFrom(fileAt(`/answers/of/${encodeURIComponent(scope)}.json`), get);
  indexes.set(scope, known);
  known.catch(() => indexes.delete(scope));
  return known;
}

/** @param {string} address @param {Get} get @returns {Promise<Record<string, string>>} */
async function indexFrom(address, get) {
  const answer = await get(address);
  return answer.ok ? answer.json() : {};
}

/** @param {string} question @returns {Response|null} */
function inThisFile(question) {
  const { gradwalkAnswers: answers = {} } = /** @type {{gradwalkAnswers?: Record<string, unknown>}} */ (globalThis);
  return question in answers ? Response.json(answers[question]) : null;
}

/** What a folder can't answer is no fault. @param {string} question */
function unrecorded(question) {
  performance.mark("gradwalk:unrecorded", { detail: question });
  const message = "These pages are a recording: nothing is computed here.";
  const hint = "gradwalk on your own machine answers this: `make run`.";
  return Response.json({ error: { code: "recorded", message, hint } }, { status: 404 });
}
