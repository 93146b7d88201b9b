import { startPage } from "../shell/start-controller.js";
import { mountStartingPage } from "./starting-page-controller.js";

startPage(mountStartingPage);
