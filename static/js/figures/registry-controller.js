import { drawAxis, drawPredict, drawShapes } from "./choices-figure-controller.js";
import { drawCollapse } from "./collapse-figure-controller.js";
import { drawDrag } from "./drag-figure-controller.js";
import { drawGraph } from "./graph-figure-controller.js";
import { drawJacobian, drawRope } from "./other-figures-controller.js";
import { drawNotebook } from "./notebook-figure-controller.js";
import { drawPiece } from "./piece-figure-controller.js";
import { drawQuiz } from "./quiz-figure-controller.js";
import { drawStep } from "./step-figure-controller.js";
import { drawCell, drawTensor } from "./tensor-figure-controller.js";
import { drawWrite } from "./write-figure-controller.js";
/** @typedef {import("./drawing.js").Draw} Draw */

/** What draws a block of each kind. */
export const FIGURES = /** @type {Readonly<Record<string, Draw>>} */ ({
  step: drawStep,
  tensor: drawTensor,
  cell: drawCell,
  collapse: drawCollapse,
  rope: drawRope,
  jacobian: drawJacobian,
  graph: drawGraph,
  derivation: drawPiece,
  order: drawPiece,
  threeways: drawPiece,
  saturation: drawPiece,
  throughtime: drawPiece,
  drag: drawDrag,
  predict: drawPredict,
  axis: drawAxis,
  shapes: drawShapes,
  quiz: drawQuiz,
  fill: drawQuiz,
  notebook: drawNotebook,
  write: drawWrite,
});
