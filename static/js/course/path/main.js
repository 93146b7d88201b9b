import { mountPlainHeader } from "../../shared/plain-header-controller.js";
import { mountPath } from "../path-controller.js";

mountPlainHeader();
if (document.getElementById("path")) mountPath();
