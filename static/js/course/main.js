import { startPage } from "../shell/start-controller.js";
import { mountChapterPage } from "./chapter-page-controller.js";

startPage(mountChapterPage);
