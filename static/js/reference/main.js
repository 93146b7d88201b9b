import { mountHeader } from "../plain/header.js";
import { mountFinder } from "./finder.js";

mountHeader();
mountFinder();
