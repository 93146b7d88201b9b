import { startPage } from "../shell/start-controller.js";
import { mountCodePage } from "./editor-page-controller.js";

startPage(mountCodePage);
