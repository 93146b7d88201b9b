import { startPage } from "../../shell/start-controller.js";
import { mountStudentPage } from "../student-page-controller.js";

startPage(mountStudentPage);
