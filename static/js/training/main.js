import { startPage } from "../shell/start-controller.js";
import { mountTrainingPage } from "./training-page-controller.js";

startPage(mountTrainingPage);
