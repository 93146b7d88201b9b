/** Reads {walk, asked: [{outline, pick}]} as JSON and writes what the page works out of each: `node tests/js/opened.js`. */
import { readFileSync } from "node:fs";
import { openedAnswer } from "../../static/js/formulas/opened-answer.js";

const { walk, asked } = JSON.parse(readFileSync(0, "utf8"));
process.stdout.write(
  JSON.stringify(asked.map((/** @type {any} */ { outline, pick }) => openedAnswer(outline, pick, walk))),
);
