/** Reads {walk, asked: [{rows, columns, matrix}]} as JSON and writes the numbers that the page works out of each. */
import { readFileSync } from "node:fs";
import { jacobianNumbers } from "../../static/js/formulas/jacobian-answer.js";
import { placesOf } from "../../static/js/jacobian/jacobian.js";

const { walk, asked } = JSON.parse(readFileSync(0, "utf8"));
const numbers = asked.map((/** @type {any} */ { told, matrix }) =>
  jacobianNumbers(
    { name: told.node, cells: placesOf(told.rows) },
    { name: told.input, cells: placesOf(told.columns) },
    matrix,
    walk,
  ),
);
process.stdout.write(JSON.stringify(numbers));
