import { mountChapterPage } from "./chapter-page-controller.js";

const unmount = mountChapterPage();
window.addEventListener("pagehide", (event) => {
  // a page kept for Back must still work when it is shown again
  if (!event.persisted) unmount();
});
