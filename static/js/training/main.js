import { mountTrainingPage } from "./training-page-controller.js";

const unmount = mountTrainingPage();
window.addEventListener("pagehide", (event) => {
  // a page kept for Back must still work when it is shown again
  if (!event.persisted) unmount();
});
