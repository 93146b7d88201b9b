// The service worker of a folder of recorded pages: what was seen once is there without a net. A file whose name says
// what it holds never changes; any other is asked for anew, and kept for when nobody answers.
const worker = /** @type {any} */ (self);
const KEPT = "gradwalk";
const FOR_EVER = /\/(?:static|answers)\/[\da-f]{12,}/;

worker.addEventListener("install", () => worker.skipWaiting());
worker.addEventListener("activate", (/** @type {any} */ event) => event.waitUntil(worker.clients.claim()));
worker.addEventListener("fetch", (/** @type {any} */ event) => {
  const { method, url } = event.request;
  if (method === "GET" && new URL(url).origin === location.origin) event.respondWith(answered(event.request));
});

/** @param {Request} request @returns {Promise<Response>} */
async function answered(request) {
  const kept = await caches.open(KEPT);
  const known = await kept.match(request, { ignoreSearch: true });
  if (known && FOR_EVER.test(request.url)) return known;
  try {
    const fresh = await fetch(request);
    if (fresh.ok && !fresh.redirected) await kept.put(request.url.replace(/\?.*/, ""), fresh.clone());
    return fresh;
  } catch (error) {
    if (known) return known;
    throw error;
  }
}
