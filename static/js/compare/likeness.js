import { capital, fixedText, numberText, shapeText, toldApart } from "../shared/format.js";
import { numberIn } from "../shared/json-number.js";
import { counted } from "../shared/plural.js";
/** @typedef {import("./types.js").Likeness} Likeness */
/** @typedef {import("./types.js").SideTensor} SideTensor */
/** @typedef {[string, string]} Labels where a side is, in words: "on the left", "as written" */

/** Lengths nearer to each other than this read as the same. */
const ALIKE = 0.005;
/** Digits that tell apart whatever differs by more than rounding. */
const ALL_DIGITS = 6;

/** @param {Likeness|null} likeness @returns {string} what differs, in as few signs as can be */
export function likenessSigns(likeness) {
  if (!likeness) return "";
  const { kind, ratio, cosine } = likeness;
  const times = ratio === null ? "" : `${numberText(ratio, 3)}×`;
  switch (kind) {
    case "same":
      return "=";
    case "rounding":
      return "≈";
    case "scale":
      return times;
    case "opposite":
      return "sign";
    case "turned":
      return `${times} cos ${cosineText(cosine ?? 0)}`;
    case "zero":
      return "zero";
    case "broken":
      return "not finite";
    case "shape":
      return "shape";
    default:
      return "";
  }
}

/**
 * @param {Likeness|null} likeness @param {string} name of the tensor, as code has it @param {Labels} labels
 * @returns {string} what two tensors have in common, as a sentence in Markdown
 */
export function likenessWords(likeness, name, labels) {
  if (!likeness) return "";
  return [kindWords(likeness, `\`${name}\``, labels), placeWords(likeness)].filter(Boolean).join(" ");
}

/** @param {Likeness} likeness @param {string} name @param {Labels} labels @returns {string} */
function kindWords(likeness, name, labels) {
  const { kind, ratio, cosine } = likeness;
  const there = capital(labels[1]);
  if (isNumber(likeness) && (kind === "scale" || kind === "opposite")) return numberWords(likeness, name, there);
  const long = lengthWords(ratio);
  switch (kind) {
    case "same":
      return `${name} is the same, bit for bit.`;
    case "rounding":
      return `${name} is the same but for rounding.`;
    case "scale":
      return `${there}, ${name} has the same direction and is ${long}.`;
    case "opposite":
      return `${there}, ${name} has the opposite direction and is ${long}.`;
    case "turned":
      return `${there}, ${name} has another direction (cosine ${cosineText(cosine ?? 0)}) and is ${long}.`;
    case "zero":
      return zeroWords(likeness, name, labels);
    case "broken":
      return brokenWords(likeness, name, labels);
    case "shape":
      return `${name} has the shape ${labelled(likeness, labels, ({ shape }) => shapeText(shape))}.`;
    default:
      return `${capital(labels[likeness.left ? 1 : 0])}, there is no ${name}.`;
  }
}

/** @param {number} cosine of two that point elsewhere @returns {string} never that of two that point the same way */
function cosineText(cosine) {
  return toldApart([cosine, 1, -1], 2, fixedText)[0];
}

/** @param {Likeness} likeness @returns {boolean} whether it is of one number, which has a size and no direction */
function isNumber({ left, right }) {
  return left?.cells === 1 && right?.cells === 1;
}

/** @param {Likeness} likeness @param {string} name @param {string} there @returns {string} */
function numberWords({ kind, ratio }, name, there) {
  const near = ratio !== null && Math.abs(ratio - 1) < ALIKE;
  const times = `${numberText(ratio ?? 0, near ? ALL_DIGITS : 3)} times as large`;
  if (kind === "scale") return `${there}, ${name} is ${times}.`;
  return `${there}, ${name} has the opposite sign and is ${near ? "as large" : times}.`;
}

/** @param {number|null} ratio */
function lengthWords(ratio) {
  if (ratio === null) return "of another length";
  return Math.abs(ratio - 1) < ALIKE ? "as long" : `${numberText(ratio, 3)} times as long`;
}

/** @param {Likeness} likeness @param {string} name @param {Labels} labels */
function zeroWords(likeness, name, labels) {
  const { left, right, ratio } = likeness;
  const [one, other] = [left, right].map((side) => numberIn(side?.length ?? 0));
  const small = one < other ? 0 : 1;
  const side = /** @type {SideTensor} */ (small ? right : left);
  const where = capital(labels[small]);
  if (side.zeros === side.cells)
    return `${where}, ${side.cells === 1 ? name : `every cell of ${name}`} is exactly zero.`;
  const size =
    ratio === null
      ? ""
      : `: ${numberText(small ? ratio : 1 / ratio, 2)} times as ${isNumber(likeness) ? "large" : "long"}`;
  return `${where}, ${name} is no more than rounding${size}.`;
}

/** @param {Likeness} likeness @param {string} name @param {Labels} labels */
function brokenWords({ left, right }, name, labels) {
  const told = [left, right].flatMap((side, i) =>
    side?.broken ? [`${capital(labels[i])}, ${brokenCells(side, name)} finite.`] : [],
  );
  return told.join(" ");
}

/** @param {SideTensor} side @param {string} name */
function brokenCells({ broken, cells }, name) {
  if (cells === 1) return `${name} isn’t`;
  return `${broken} of ${counted(cells, "cell")} of ${name} ${broken === 1 ? "isn’t" : "aren’t"}`;
}

/** @param {Likeness} likeness @param {Labels} labels @param {(side: SideTensor) => string} text */
function labelled({ left, right }, labels, text) {
  const both = [left, right].flatMap((side, i) => (side ? [`${text(side)} ${labels[i]}`] : []));
  return both.join(", ");
}

/** @param {Likeness} likeness @returns {string} where they differ, of more than one cell */
function placeWords({ first, differing, left }) {
  if (!first || !left || left.cells === 1) return "";
  const place = `the first at [${first.join(", ")}]`;
  return differing === left.cells ? "" : `${differing} of ${counted(left.cells, "cell")} differ, ${place}.`;
}
