import { startPage } from "../../shell/start-controller.js";
import { mountTeacherPage } from "../teacher-page-controller.js";

startPage(mountTeacherPage);
