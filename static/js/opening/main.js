import { startPage } from "../shell/start-controller.js";
import { mountOpeningPage } from "./opening-page-controller.js";

startPage(mountOpeningPage);
