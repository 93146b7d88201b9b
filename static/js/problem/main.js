import { mountHeader } from "../shared/plain-header-controller.js";

mountHeader();
