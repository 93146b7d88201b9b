import { mountHeader } from "./header.js";

mountHeader();
