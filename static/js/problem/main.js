import { mountPlainPage } from "../shell/shell-controller.js";
import { startPage } from "../shell/start-controller.js";

startPage(mountPlainPage);
