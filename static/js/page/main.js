import { startPage } from "../shell/start-controller.js";
import { unpacked } from "./initial-request.js";
import { mountWalkPage } from "./lesson-page-controller.js";

const begin = () => startPage(mountWalkPage);
if (unpacked) unpacked.then(begin);
else begin();
