import { fileAt, isAlone } from "./address.js";
import { fromKernel, meetKernel } from "./kernel-api.js";
import { insteadOf, judged } from "./recorded-answers.js";
import { unpacked } from "./recorded-tensors.js";
import { canonical, scopeOf } from "./recorded.js";
/** @typedef {(address: string) => Promise<Response>} Get */
/** @typedef {(path: string, body: string|null) => Promise<Response|null>} Find what was recorded */
/** @typedef {Record<string, any>} Asked */
/** @typedef {(asked: Asked, find: Find) => Promise<object|null>} Work made of other answers; null for what can't be */

const COMMON = 32_768; // bytes of what answers have in common: as in app/site/common.py

/** @type {Map<string, Promise<Record<string, string>>>} of each lesson: the file of each question */
const indexes = new Map();
/** What answers have in common, by its name. @type {Map<string, Response>} */
const beginnings = new Map();
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
    const index = await indexOf(scopeOf(path, question), get);
    return index[question] ? answerIn(index[question], index[""], get) : null;
  };
}

/** @param {Response} answer @param {{hints?: number}} asked @returns {Promise<Response>} as many as were asked for */
async function withHints(answer, asked) {
  if (asked.hints === undefined || !answer.ok) return answer;
  const reply = await answer.json();
  return Response.json({ ...reply, hints: reply.hints.slice(0, asked.hints) });
}

/**
 * @param {string} file `name`, `name:2` for its third answer, `name+other` for the other with what is its own,
 *   `name@under@below` for one whose tensors follow from those of other files, the last of which comes first
 * @param {string} begun the file of what all answers have in common
 * @param {Get} get @returns {Promise<Response>}
 */
async function answerIn(file, begun, get) {
  const [, name, like, under, place] = /** @type {RegExpExecArray} */ (
    /^(\w+)(?:\+(\w+))?((?:@\w+)*)(?::(\d+))?$/.exec(file)
  );
  const grounds = under.split("@").filter(Boolean).reverse();
  const files = [...grounds, name, ...(like ? [like] : [])];
  const answers = await Promise.all([beginning(begun, get), ...files.map(fetched(get))]);
  const failed = answers.find((one) => !one.ok);
  if (failed) return failed;
  const [common, ...contents] = await Promise.all(answers.map((one) => one.arrayBuffer()));
  const plain = await Promise.all(contents.map((content) => inflated(common, content)));
  /** @type {Uint8Array[]} */
  const known = [];
  const ground = plain.splice(0, grounds.length).reduce((before, one) => unpacked(one, before).tensors, known);
  const [told, same] = plain.map((one) => unpacked(one, ground).document);
  return Response.json(place ? told[Number(place)] : { ...same, ...told });
}

/** @param {Get} get @returns {(name: string) => Promise<Response>} */
function fetched(get) {
  return (name) => get(fileAt(`/answers/${name}.bin`));
}

/** @param {string} name @param {Get} get @returns {Promise<Response>} fetched once */
async function beginning(name, get) {
  const answer = await (beginnings.get(name) ?? fetched(get)(name));
  if (answer.ok) beginnings.set(name, answer);
  return answer.clone();
}

/** @param {ArrayBuffer} common @param {ArrayBuffer} content that follows it @returns {Promise<ArrayBuffer>} */
async function inflated(common, content) {
  const bytes = new Blob([common, content]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return (await new Response(bytes).arrayBuffer()).slice(COMMON);
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
  /** @type {Record<string, string|(string|null)[]>} of a file with many answers which question each one answers */
  const listed = answer.ok ? await answer.json() : {};
  const places = Object.entries(listed).flatMap(([key, one]) =>
    typeof one === "string" ? [[key, one]] : one.map((question, i) => [question, `${key}:${i}`]),
  );
  return Object.fromEntries(places);
}

/** @type {Find} */
async function inThisFile(path, body) {
  const { gradwalkAnswers: content } = /** @type {{gradwalkAnswers?: ArrayBuffer}} */ (globalThis);
  held ??= content ? unpacked(content).document : {};
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
