import { mountPlainPage } from "../../shell/shell-controller.js";
import { startPage } from "../../shell/start-controller.js";
import { showPath } from "../path-controller.js";

startPage(mountPlainPage);
if (document.getElementById("path")) showPath();
