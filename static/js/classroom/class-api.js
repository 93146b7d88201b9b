import { ApiError, post, send } from "../shared/api.js";
import { classPath } from "./class-path.js";
/** @typedef {import("./types.js").ClassState} ClassState */

/** @param {string} address of what the class begins with @returns {Promise<{id: string, teacher: string}>} */
export async function beginClass(address) {
  await there(address);
  return (await post("/api/class", { address })).json();
}

/** @param {string} address of ours, where a class would otherwise look at the page of an error */
async function there(address) {
  try {
    if (/^\/(?!\/)/.test(address)) await send(address, { headers: { Accept: "text/html" } });
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 404) throw error;
    const problem = { code: "no-page", message: `There is no page at ${address}.`, hint: "Choose a lesson." };
    throw new ApiError(problem, error.status);
  }
}

/** @param {string} code @returns {Promise<string>} the name of the class that one has a seat in now */
export async function joinClass(code) {
  return (await (await post("/api/class/join", { code })).json()).id;
}

/** @param {string} name @param {string} key of the link @returns {Promise<{part: string, board: string}>} */
export async function enterClass(name, key) {
  return (await post(classPath(name, "/enter"), { key })).json();
}

/** @param {string} name @returns {Promise<ClassState>} */
export async function stateOf(name) {
  return (await send(classPath(name, "/state"))).json();
}

/** @param {string} name @param {object} command @returns {Promise<Response>} */
export function tell(name, command) {
  return post(classPath(name, "/tell"), command);
}

/** @param {string} name @param {import("./outbox.js").Sent} answer @returns {Promise<{late: boolean}>} */
export async function sendAnswer(name, answer) {
  return (await post(classPath(name, "/answers"), answer)).json();
}

/** @param {unknown} error @returns {string} what a person is told of it */
export function sentence(error) {
  return error instanceof ApiError ? `${error.problem.message} ${error.problem.hint}` : "This page made a mistake.";
}
