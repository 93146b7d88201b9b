/** Reads {walk, answers} as JSON and writes what the lens says of each answer: `node tests/js/say.js < asked.json`. */
import { readFileSync } from "node:fs";
import {
  checkOf,
  collapseText,
  lensWords,
  numbersText,
  readAnswer,
  restOf,
  sumText,
  termWords,
} from "../../static/js/lens/lens.js";
import { Walk } from "../../static/js/walk/walk.js";

const ROOM = 1e6;
const { walk: document, answers } = JSON.parse(readFileSync(0, "utf8"));
const walk = new Walk(document);
const said = answers.map((/** @type {any} */ one) => {
  const answer = readAnswer(one);
  const from = Math.min(3, answer.terms.length);
  return {
    numbers: numbersText(answer, ROOM),
    sum: answer.adds && answer.terms.length ? sumText(answer, ROOM) : "",
    collapse: collapseText(walk, answer),
    rest: restOf(answer, from),
    listed: answer.terms.slice(0, from).map(({ product }) => product),
    check: checkOf(answer),
    voice: lensWords(walk, answer, {
      tensor: answer.tensor,
      which: answer.which,
      index: answer.index,
      ...(one.step === undefined ? {} : { step: one.step }),
    }),
    terms: answer.terms.slice(0, 3).map((term) => termWords(walk, answer, term)),
  };
});
process.stdout.write(JSON.stringify(said));
