import { ApiError, send } from "./api.js";

/** Milliseconds in which a stream tells something at first: the server does so at once. */
const FIRST = 10_000;
/** The same later on, when the server says at least every ten seconds that it is there (app/events/stream.py). */
const SILENT = 20_000;
/** Milliseconds after which a stream that tells something is one that nobody holds back. */
const FLOWING = 12_000;
/** Streams that were silent where a plain question was answered, after which questions are asked in place of one. */
const MOST_MUTE = 2;
/** Milliseconds of asking after which a stream is tried again, beside the questions. */
const TRY_AGAIN = 120_000;
/** Seconds that a question waits for news, and milliseconds between two of them. */
const WAIT = 20;
const BETWEEN = 250;
/** Answers after which nothing comes any more, however often one asks. */
const OVER = new Set([401, 403, 404, 410]);

/** @typedef {"listen"|"probe"|"poll"} Way */
/**
 * @template T
 * @typedef {{heard: (event: T, number: number) => void, connected: (on: boolean) => void,
 *   over: (error: ApiError) => void}} Tells `number`: 0 for what has none
 */

/**
 * Follows a stream of events for as long as it lasts, and takes it up again when it breaks. `EventSource` would end for
 * good at the first answer that is no stream, and can't say where to go on. Behind a proxy that holds streams back it
 * asks for news, and is answered once there is some; now and then it tries whether a stream flows by now.
 * @template T @param {() => string} address where the stream goes on @param {Tells<T>} tells
 * @returns {{unmount: () => void, again: () => void}} `again`: at once, whatever the connection seems to be
 */
export function follow(address, tells) {
  let ended = false;
  let failures = 0;
  let mute = 0;
  let current = new AbortController();
  let way = /** @type {Way} */ ("listen");
  const trial = makeTrial(address, () => {
    way = "listen";
    again();
  });
  /** @type {ReturnType<typeof setTimeout>|undefined} */
  let timer;

  /** @type {Tells<T>} */
  const here = {
    ...tells,
    connected(on) {
      failures = on ? 0 : failures + 1;
      tells.connected(on);
    },
  };

  /** Each answers the way to go on. @type {Record<Way, (own: AbortController) => Promise<Way>>} */
  const ways = {
    listen: async (own) => {
      await listen(address(), own, here, () => (mute = 0));
      return "probe";
    },
    probe: async (own) => {
      await ask(address(), 0, own, here);
      mute += 1;
      trial.later();
      return mute < MOST_MUTE ? "listen" : "poll";
    },
    poll: async (own) => {
      void trial.due();
      await ask(address(), WAIT, own, here);
      return "poll";
    },
  };

  async function run() {
    const own = (current = new AbortController());
    try {
      way = await ways[way](own);
      failures = 0;
    } catch (error) {
      if (ended || own !== current) return;
      if (error instanceof ApiError && OVER.has(error.status)) {
        ended = true;
        return tells.over(error);
      }
      if (way === "probe") way = "listen"; // the network is away
      here.connected(false);
    }
    if (ended || own !== current) return;
    timer = setTimeout(() => void run(), failures ? Math.min(8000, 500 * failures) * (0.5 + Math.random()) : BETWEEN);
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
      trial.stop();
    },
  };
}

/**
 * Hears a stream; returns once it has fallen silent.
 * @template T @param {string} path @param {AbortController} own @param {Tells<T>} tells
 * @param {() => void} flows called when something arrives that nobody has held back
 */
async function listen(path, own, tells, flows) {
  const begun = Date.now();
  const watch = watchOver(own);
  const alive = () => {
    watch.alive();
    if (Date.now() - begun > FLOWING) flows();
  };
  try {
    const response = await send(path, { signal: own.signal, headers: { Accept: "text/event-stream" } });
    tells.connected(true);
    await read(response, alive, tells.heard);
  } catch (error) {
    if (watch.silent()) return;
    throw error;
  } finally {
    watch.stop();
  }
  throw new Error("The stream has ended.");
}

/**
 * Tries now and then whether a stream flows by now; the questions go on until that is known.
 * @param {() => string} address @param {() => void} flowing
 */
function makeTrial(address, flowing) {
  let own = new AbortController();
  let tried = -Infinity;
  const later = () => (tried = Date.now());
  return {
    later,
    async due() {
      if (Date.now() - tried < TRY_AGAIN) return;
      later();
      own = new AbortController();
      if (await flows(address(), own)) flowing();
    },
    stop: () => own.abort(),
  };
}

/** @param {string} path @param {AbortController} own @returns {Promise<boolean>} whether nobody holds a stream back */
async function flows(path, own) {
  let flowing = false;
  const deaf = { heard() {}, connected() {}, over() {} };
  const seen = () => {
    flowing = true;
    own.abort();
  };
  await listen(path, own, deaf, seen).catch(() => undefined);
  return flowing;
}

/**
 * Asks for news, which is answered once there is some.
 * @template T @param {string} path @param {number} seconds to wait for it @param {AbortController} own
 * @param {Tells<T>} tells
 */
async function ask(path, seconds, own, tells) {
  const limit = setTimeout(() => own.abort(), FIRST + 1000 * seconds);
  try {
    const asked = `${path}${path.includes("?") ? "&" : "?"}wait=${seconds}`;
    const { events } = await (await send(asked, { signal: own.signal })).json();
    tells.connected(true);
    for (const { told, number } of events) tells.heard(told, number);
  } finally {
    clearTimeout(limit);
  }
}

/** @param {AbortController} connection ended when it is silent for too long */
function watchOver(connection) {
  let silent = false;
  /** @type {ReturnType<typeof setTimeout>} */
  let timer;
  /** @param {number} milliseconds */
  const within = (milliseconds) => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      silent = true;
      connection.abort();
    }, milliseconds);
  };
  within(FIRST);
  return { alive: () => within(SILENT), silent: () => silent, stop: () => clearTimeout(timer) };
}

/**
 * @template T @param {Response} response @param {() => void} alive called for every piece
 * @param {(event: T, number: number) => void} heard
 */
async function read(response, alive, heard) {
  const reader = /** @type {ReadableStream<Uint8Array>} */ (response.body).getReader();
  const decoder = new TextDecoder();
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    alive();
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
