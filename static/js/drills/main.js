import { mountDrillsPage } from "./drills-page-controller.js";

const unmount = mountDrillsPage();
window.addEventListener("pagehide", (event) => {
  // a page kept for Back must still work when it is shown again
  if (!event.persisted) unmount();
});
