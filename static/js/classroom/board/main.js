import { startPage } from "../../shell/start-controller.js";
import { mountBoardPage } from "../board-page-controller.js";

startPage(mountBoardPage);
