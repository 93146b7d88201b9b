import { startPage } from "../../shell/start-controller.js";
import { mountFindPage } from "./find-page-controller.js";

startPage(mountFindPage);
