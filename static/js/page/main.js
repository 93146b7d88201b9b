import { mountWalkPage } from "./lesson-page-controller.js";

const unmount = mountWalkPage();
window.addEventListener("pagehide", (event) => {
  // a page kept for Back must still work when it is shown again
  if (!event.persisted) unmount();
});
