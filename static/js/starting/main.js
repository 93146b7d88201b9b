import { mountStartingPage } from "./starting-page-controller.js";

mountStartingPage();
