/**
 * What computes behind a page in a notebook's cell, while it runs: the cell's frame hands its page a port. Nobody knows
 * which of the two is there first, so the page says when it is, and the frame's side says so, too.
 */
/** @typedef {{status: number, text: string}} Told */

/** @type {MessagePort|null} */
let port = null;
let asked = 0;
/** @type {Map<number, (told: Told) => void>} */
const waiting = new Map();

/** Listens for the kernel, in a page that another one frames. */
export function meetKernel() {
  if (parent === self) return;
  addEventListener("message", ({ data, source, ports }) => {
    if (source === parent && data === "gradwalk:kernel") connect(ports[0] ?? null);
  });
  parent.postMessage("gradwalk:page", "*");
}

/** @param {MessagePort|null} given none: the kernel is gone */
function connect(given) {
  for (const answer of waiting.values()) answer(gone());
  waiting.clear();
  port = given;
  if (!port) return;
  port.onmessage = ({ data: { number, ...told } }) => {
    waiting.get(number)?.(told);
    waiting.delete(number);
  };
}

/** @param {string} path @param {string|null} body @returns {Promise<Response|null>} null where nothing computes */
export async function fromKernel(path, body) {
  if (!port) return null;
  const number = ++asked;
  const told = new Promise((/** @type {(told: Told) => void} */ answer) => waiting.set(number, answer));
  port.postMessage({ number, path, body });
  const { status, text } = await told;
  return new Response(text, { status, headers: { "Content-Type": "application/json" } });
}

/** @returns {Told} */
function gone() {
  const message = "The notebook's kernel is gone.";
  const hint = "Run the cell again.";
  return { status: 410, text: JSON.stringify({ error: { code: "recorded", message, hint } }) };
}
