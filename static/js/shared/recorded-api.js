import { fileAt, isAlone } from "./address.js";
import { fromKernel, meetKernel } from "./kernel-api.js";
import { insteadOf, judged } from "./recorded-answers.js";
import { filledUp, unpacked } from "./recorded-tensors.js";
import { canonical, scopeOf } from "./recorded.js";
/** @typedef {(address: string) => Promise<Response>} Get */
/** @typedef {(path: string, body: string|null) => Promise<Response|null>} Find what was recorded */
/** @typedef {Record<string, any>} Asked */
/** @typedef {(asked: Asked, find: Find) => Promise<object|null>} Work made of other answers; null for what can't be */

/** @type {Map<string, Promise<Record<string, string>>>} of each lesson: the file of each question */
const indexes = new Map();
/** The answers of the one file, once one was asked for. @type {any} */
let held = null;
if (isAlone) meetKernel();

/**
 * The answer that was recorded to a request, in a folder with no server behind it, or what the page makes of others.
 * @param {string} path @param {RequestInit["body"]} body @param {Get} get
 * @param {Work} [work] what the page has of its own for this path
 * @returns {Promise<Response>} 404 for what nobody recorded
 */
export async function recorded(path, body, get, work) {
  const text = /** @type {string|null} */ (body ?? null);
  const asked = text ? JSON.parse(text) : {};
  const find = isAlone ? inThisFile : inFolder(get);
  const known = await find(path, text);
  if (known) return withHints(known, asked);
  const computed = await fromKernel(path, text);
  if (computed) return computed;
  const made = await (work ? work(asked, find) : fromAnother(path, asked, find));
  return made ? Response.json(made) : unrecorded(canonical(path, text));
}

/** @param {string} path @param {Asked} asked @param {Find} find @returns {Promise<object|null>} an answer judged */
async function fromAnother(path, asked, find) {
  const other = insteadOf(asked);
  const found = other && (await find(path, JSON.stringify(other)));
  return found && judged(asked, await found.json());
}

/** @param {Get} get @returns {Find} */
function inFolder(get) {
  return async (path, body) => {
    const question = canonical(path, body);
    const file = (await indexOf(scopeOf(path, question), get))[question];
    return file ? answerIn(file, get) : null;
  };
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
  const [, name, place, like] = /** @type {RegExpExecArray} */ (/^([\w.]+)(?::(\d+))?(?:\+([\w.]+))?$/.exec(file));
  const [answer, other] = await Promise.all([get(answerAt(name)), like ? get(answerAt(like)) : null]);
  if (!answer.ok || (other && !other.ok)) return answer.ok && other ? other : answer;
  const [told, same] = await Promise.all([contentOf(name, answer), other ? contentOf(like, other) : null]);
  return Response.json(place ? filledUp(told[Number(place)]) : { ...same, ...told });
}

/** @param {string} name @param {Response} answer @returns {Promise<any>} */
async function contentOf(name, answer) {
  if (!isPacked(name) || !answer.body) return answer.json();
  const bytes = answer.body.pipeThrough(new DecompressionStream("gzip"));
  return unpacked(await new Response(bytes).arrayBuffer());
}

/** @param {string} name */
function answerAt(name) {
  return fileAt(`/answers/${isPacked(name) ? name : `${name}.json`}`);
}

/** @param {string} name */
function isPacked(name) {
  return name.endsWith(".bin");
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

/** @type {Find} */
async function inThisFile(path, body) {
  const { gradwalkAnswers: content } = /** @type {{gradwalkAnswers?: ArrayBuffer}} */ (globalThis);
  held ??= content ? unpacked(content) : {};
  const question = canonical(path, body);
  return question in held ? Response.json(held[question]) : null;
}

/** What a folder can't answer is no fault. @param {string} question */
function unrecorded(question) {
  performance.mark("gradwalk:unrecorded", { detail: question });
  const message = "These pages are a recording: nothing is computed here.";
  const hint = "gradwalk on your own machine answers this: `make run`.";
  return Response.json({ error: { code: "recorded", message, hint } }, { status: 404 });
}
