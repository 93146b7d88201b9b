import { startPage } from "../shell/start-controller.js";
import { mountReferencePage } from "./reference-page-controller.js";

startPage(mountReferencePage);
