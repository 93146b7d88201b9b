import { startPage } from "../shell/start-controller.js";
import { mountComparePage } from "./compare-page-controller.js";

startPage(mountComparePage);
