import { mountPlainPage } from "../../shell/shell-controller.js";
import { startPage } from "../../shell/start-controller.js";
import { mountPath } from "../path-controller.js";
import { mountSearch } from "../search-controller.js";

startPage(mountPlainPage);
if (document.getElementById("search-page")) startPage(mountSearch);
if (document.getElementById("path")) startPage(mountPath);
