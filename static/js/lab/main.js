import { startPage } from "../shell/start-controller.js";
import { mountExhibitPage } from "./exhibit-page-controller.js";

startPage(mountExhibitPage);
