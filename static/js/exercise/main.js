import { mountPractisePage } from "./practise-page-controller.js";

const unmount = mountPractisePage();
window.addEventListener("pagehide", (event) => {
  // a page kept for Back must still work when it is shown again
  if (!event.persisted) unmount();
});
