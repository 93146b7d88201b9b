import { startPage } from "../shell/start-controller.js";
import { mountDrillsPage } from "./drills-page-controller.js";

startPage(mountDrillsPage);
