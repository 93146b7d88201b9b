import { mountPlainHeader } from "../shared/plain-header-controller.js";
import { mountFinder } from "./finder-controller.js";
import { mountLive } from "./live-controller.js";

mountPlainHeader();
mountFinder();
mountLive();
