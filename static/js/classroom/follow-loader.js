import { ApiError, send } from "../shared/api.js";

/** Milliseconds: after so long without a byte a connection is taken for lost, for a phone is told of nothing. */
const SILENT = 40_000;
/** Answers after which nothing comes any more, however often one asks. */
const OVER = new Set([401, 403, 404, 410]);

/**
 * Follows a stream of events for as long as it lasts, and takes it up again when it breaks. `EventSource` would end for
 * good at the first answer that is no stream, and can't say where to go on.
 * @template T @param {() => string} address where the stream goes on
 * @param {{heard: (event: T, number: number) => void, connected: (on: boolean) => void,
 *   over: (error: unknown) => void}} tells `number`: 0 for what has none
 * @returns {{unmount: () => void, again: () => void}} `again`: at once, whatever the connection seems to be
 */
export function follow(address, tells) {
  let ended = false;
  let attempts = 0;
  let current = new AbortController();
  /** @type {ReturnType<typeof setTimeout>|undefined} */
  let timer;

  async function run() {
    const own = (current = new AbortController());
    try {
      const response = await send(address(), { signal: own.signal, headers: { Accept: "text/event-stream" } });
      tells.connected(true);
      attempts = 0;
      await read(response, own, tells.heard);
    } catch (error) {
      if (error instanceof ApiError && OVER.has(error.status)) {
        ended = true;
        tells.over(error);
      }
    }
    if (ended || own !== current) return;
    tells.connected(false);
    attempts += 1;
    timer = setTimeout(() => void run(), Math.min(8000, 500 * attempts) * (0.5 + Math.random()));
  }

  function again() {
    if (ended) return;
    clearTimeout(timer);
    const before = current;
    void run();
    before.abort();
  }
  void run();
  return {
    again,
    unmount() {
      ended = true;
      clearTimeout(timer);
      current.abort();
    },
  };
}

/**
 * @template T @param {Response} response @param {AbortController} connection
 * @param {(event: T, number: number) => void} heard
 */
async function read(response, connection, heard) {
  const reader = /** @type {ReadableStream<Uint8Array>} */ (response.body).getReader();
  const decoder = new TextDecoder();
  let rest = "";
  for (;;) {
    const silence = setTimeout(() => connection.abort(), SILENT);
    const { done, value } = await reader.read().finally(() => clearTimeout(silence));
    if (done) return;
    const { blocks, open } = blocksOf(rest + decoder.decode(value, { stream: true }));
    rest = open;
    for (const { number, data } of blocks) heard(JSON.parse(data), number);
  }
}

/**
 * @param {string} text of server-sent events
 * @returns {{blocks: {number: number, data: string}[], open: string}} those with data, and what has yet to end
 */
export function blocksOf(text) {
  const parts = text.split("\n\n");
  const open = parts.pop() ?? "";
  const blocks = parts.flatMap((part) => {
    const fields = new Map(
      part.split("\n").map((line) => [line.split(": ", 1)[0], line.slice(line.indexOf(": ") + 2)]),
    );
    const data = fields.get("data");
    return data === undefined ? [] : [{ number: Number(fields.get("id") ?? 0), data }];
  });
  return { blocks, open };
}
