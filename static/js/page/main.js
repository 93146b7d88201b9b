import { unpacked } from "./initial-request.js";
import { mountWalkPage } from "./lesson-page-controller.js";

let unmount = () => {};
const begin = () => (unmount = mountWalkPage());
if (unpacked) unpacked.then(begin);
else begin();
window.addEventListener("pagehide", (event) => {
  // a page kept for Back must still work when it is shown again
  if (!event.persisted) unmount();
});
