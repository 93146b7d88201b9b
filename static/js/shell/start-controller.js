import { mountEmbedding } from "./embedding-controller.js";
import { keepForLater } from "./kept-pages-controller.js";

/**
 * Mounts a page, until it leaves for good: one kept for Back must still work when it is shown again.
 * @param {() => import("./types.js").Mounted} mount
 */
export function startPage(mount) {
  const embedding = mountEmbedding();
  const page = mount();
  keepForLater();
  window.addEventListener("pagehide", (event) => {
    if (event.persisted) return;
    page.unmount();
    embedding.unmount();
  });
}
