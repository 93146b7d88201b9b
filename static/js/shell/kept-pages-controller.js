import { fileAt, isAlone, isRecorded } from "../shared/address.js";

/** Where pages are recorded, the browser keeps those that were seen: they open again without a net. */
export function keepForLater() {
  if (!isRecorded || isAlone || !("serviceWorker" in navigator)) return;
  const address = fileAt("/recorded-worker.js");
  const { trustedTypes } = /** @type {{trustedTypes?: any}} */ (window);
  const policy = trustedTypes?.createPolicy("worker", { createScriptURL: (/** @type {string} */ url) => url });
  navigator.serviceWorker.register(policy?.createScriptURL(address) ?? address).catch(() => undefined);
}
