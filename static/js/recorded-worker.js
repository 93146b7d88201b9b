// The service worker of a folder of recorded pages: what was seen once is there without a net. A file whose name says
// what it holds never changes; any other is asked for anew, and kept for when nobody answers.
const worker = /** @type {any} */ (self);
const KEPT = "gradwalk";
const FOR_EVER = /\/(?:static|answers)\/[\da-f]{12,}/;

worker.addEventListener("install", () => worker.skipWaiting());
worker.addEventListener("activate", (/** @type {any} */ event) => event.waitUntil(worker.clients.claim()));
worker.addEventListener("fetch", (/** @type {any} */ event) => {
  const { method, url } = event.request;
  if (method === "GET" && new URL(url).origin === location.origin) event.respondWith(answered(event));
});

/** @param {any} event @returns {Promise<Response>} */
async function answered({ request, clientId }) {
  const kept = await caches.open(KEPT);
  // a page that is opened is asked for by the page before it, of which it isn't a part
  const asking = request.mode === "navigate" ? "" : clientId;
  const place = FOR_EVER.test(request.url) ? request.url : await placeOf(request.url, asking);
  const known = await kept.match(place);
  if (known && place === request.url) return known;
  try {
    const fresh = await fetch(request);
    if (fresh.ok && !fresh.redirected) await kept.put(place, fresh.clone());
    return fresh;
  } catch (error) {
    if (known) return known;
    throw error;
  }
}

/**
 * Each page keeps what it was answered itself: one that was seen before the folder was written anew has what it had.
 * @param {string} url @param {string} clientId of the page that asks; none for a page that is opened
 * @returns {Promise<string>}
 */
async function placeOf(url, clientId) {
  const page = clientId ? await worker.clients.get(clientId) : null;
  return `${url.replace(/\?.*/, "")}?of=${page ? new URL(page.url).pathname : ""}`;
}
