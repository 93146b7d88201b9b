import { mountHeader } from "../shared/plain-header-controller.js";
import { mountFinder } from "./finder-controller.js";

mountHeader();
mountFinder();
