import { startPage } from "../../shell/start-controller.js";
import { mountRoomPage } from "./room-page-controller.js";

startPage(mountRoomPage);
