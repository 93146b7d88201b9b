import { startPage } from "../shell/start-controller.js";
import { mountPractisePage } from "./practise-page-controller.js";

startPage(mountPractisePage);
