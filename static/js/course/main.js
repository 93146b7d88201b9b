import { mountPlainHeader } from "../shared/plain-header-controller.js";

mountPlainHeader();
