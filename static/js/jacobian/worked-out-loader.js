import { wholeOf } from "../lens/worked-out-loader.js";
import { holds, placesOf } from "./jacobian.js";
/** @typedef {import("./jacobian.js").Jacobian} Jacobian */
/** @typedef {import("./jacobian.js").Question} Question */
/** @typedef {import("./jacobian.js").TooLarge} TooLarge */
/**
 * A block as it was recorded: with its numbers only where no formula says them.
 * @typedef {Omit<Jacobian, "jacobian"|"arriving"|"result"|"shown"> & {jacobian?: Jacobian["jacobian"],
 *   shown: boolean}} Told
 */

/**
 * A block of a local Jacobian, where no server answers: what was recorded of it, with its numbers.
 * @param {import("../shared/recorded-api.js").Asked} asked of POST /api/jacobian
 * @param {import("../shared/recorded-api.js").Find} find @returns {Promise<object|null>}
 */
export async function blockByFormula({ walk, ...asked }, find) {
  const question = /** @type {Question} */ (asked);
  const { node, input } = question;
  const kept = await find("/api/jacobian", JSON.stringify({ walk, node, input }));
  if (!kept) return null;
  const told = blockIn((await kept.json()).blocks, question);
  if (told.jacobian === null) return told;
  const outline = await find("/api/cell", JSON.stringify({ walk, tensor: node, which: "value" }));
  const whole = await wholeOf(JSON.stringify(walk), find);
  const matrix = told.jacobian ?? (await outline?.json())?.formula;
  if (!whole || !matrix) return null;
  const { jacobianNumbers } = await import("../formulas/jacobian-answer.js");
  const sides = /** @type {const} */ ([
    { name: node, cells: placesOf(told.rows) },
    { name: input, cells: placesOf(told.columns) },
  ]);
  const numbers = jacobianNumbers(...sides, matrix, whole);
  return numbers && { ...told, ...numbers, shown: told.shown ? numbers.result : null };
}

/** @param {(Told|TooLarge)[]} blocks @param {Question} question @returns {Told|TooLarge} the first one for no cell */
function blockIn(blocks, question) {
  const cut = String(question.along ?? blocks[0].along);
  const like = blocks.filter(({ along }) => String(along) === cut);
  return like.find((one) => holds(one, question)) ?? like[0];
}
