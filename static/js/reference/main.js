import { mountPlainHeader } from "../shared/plain-header-controller.js";
import { mountFinder } from "./finder-controller.js";

mountPlainHeader();
mountFinder();
