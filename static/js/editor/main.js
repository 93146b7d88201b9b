import { mountCodePage } from "./editor-page-controller.js";

const unmount = mountCodePage();
window.addEventListener("pagehide", (event) => {
  // a page kept for Back must still work when it is shown again
  if (!event.persisted) unmount();
});
