import { dimsOf } from "./anonymous-nodes.js";
/** @typedef {import("./types.js").BackwardPart} BackwardPart */
/** @typedef {import("./types.js").ForwardPart} ForwardPart */
/** @typedef {import("./types.js").ForwardStep} ForwardStep */
/** @typedef {import("./types.js").SentBackwardStep} SentBackwardStep */
/** @typedef {import("./types.js").StepParts} StepParts */
/** @typedef {import("./types.js").WalkDocument} WalkDocument */
/** @typedef {import("./types.js").Wire} Wire */
/** @typedef {import("./walk.js").Walk} Walk */
/**
 * What of a walk comes only when somebody is near: the parts of steps, autograd's columns, gradients, questions.
 * @typedef {{steps: number[], judged: string[], gradients: boolean, questions: boolean}} Lack
 */

/**
 * What stands in a brief step until the rest of it has come.
 * @type {{forward: ForwardPart, backward: BackwardPart & {question: null, accumulated: null}}}
 */
const NOT_YET = {
  forward: { cells: [], picture: null },
  backward: {
    arrives: null,
    math: "",
    cells: [],
    candidates: [],
    contribution: null,
    picture: null,
    question: null,
    accumulated: null,
  },
};

/** @param {Lack} lack @returns {boolean} */
export function isNothing({ steps, judged, gradients, questions }) {
  return !steps.length && !judged.length && !gradients && !questions;
}

/**
 * @param {Walk} walk @param {number[]} steps that are to be drawn @param {string|null} name of a tensor beside them
 * @param {boolean} asks whether their questions are asked @returns {Lack} what has not come yet of what these show
 */
export function lacking(walk, steps, name, asks) {
  const back = steps.filter((index) => index >= walk.forwardCount);
  const shown = new Set([...back.map((index) => walk.steps[index].node), ...(back.length && name ? [name] : [])]);
  return {
    steps: steps.filter((index) => !walk.known.steps.has(index)),
    judged: [...shown].filter((one) => walk.nodes.get(one)?.gradient && !walk.known.judged.has(one)),
    gradients: back.length > 0 && !walk.known.gradients,
    questions: asks && !walk.known.questions,
  };
}

/** What has come takes its place in the walk. @param {Walk} walk @param {StepParts} sent */
export function receive(walk, sent) {
  if (sent.gradients) receiveGradients(walk, sent.gradients);
  for (const [index, part] of Object.entries(sent.parts)) receivePart(walk, Number(index), part);
  for (const [name, columns] of Object.entries(sent.judged)) {
    walk.known.judged.add(name);
    const gradient = walk.node(name).gradient;
    if (gradient?.manual)
      Object.assign(gradient, columns ?? { autograd: gradient.manual, difference: zeros(gradient.manual) });
  }
  if (!sent.questions) return;
  walk.known.questions = true;
  sent.questions.forEach((question, number) => Object.assign(walk.steps[walk.forwardCount + number], { question }));
}

/** @param {Walk} walk @param {Wire[]} gradients after each backward step */
function receiveGradients(walk, gradients) {
  walk.known.gradients = true;
  gradients.forEach((accumulated, number) => {
    const step = walk.steps[walk.forwardCount + number];
    if (step.direction === "forward") return;
    step.accumulated = accumulated;
    step.contribution ??= accumulated;
    const { gradient } = walk.node(step.node);
    if (gradient) gradient.manual = accumulated;
  });
  for (const { same_as, gradient } of walk.nodes.values())
    if (same_as && gradient) gradient.manual = /** @type {Wire} */ (walk.node(same_as).gradient?.manual);
}

/** @param {Walk} walk @param {number} index @param {ForwardPart|BackwardPart} part */
function receivePart(walk, index, part) {
  const step = walk.steps[index];
  walk.known.steps.add(index);
  Object.assign(step, part);
  if (step.direction === "forward") return;
  step.contribution ??= step.accumulated;
  const node = walk.node(step.node);
  if (!node.inner) return;
  // all that is known of a part without a name
  node.value ??= step.contribution;
  node.dims = dimsOf(step, step.through ? walk.node(step.through) : undefined);
}

/**
 * What was left out of a walk takes its place: where it came whole what equals something that is there, else what
 * stands for what has not come yet.
 * @param {WalkDocument} sent @returns {boolean} whether it came whole
 */
export function completed({ nodes, steps }) {
  const whole = steps.every((step) => "picture" in step);
  if (whole) completeGradients(nodes, /** @type {(ForwardStep|SentBackwardStep)[]} */ (steps));
  else for (const step of steps) Object.assign(step, NOT_YET[step.direction]);
  return whole;
}

/** @param {WalkDocument["nodes"]} nodes @param {(ForwardStep|SentBackwardStep)[]} steps */
function completeGradients(nodes, steps) {
  const last = new Map();
  for (const step of steps) {
    if (step.direction === "forward") continue;
    step.contribution ??= step.accumulated;
    if (step.node) last.set(step.node, step.accumulated);
  }
  for (const { name, same_as, gradient } of nodes) {
    if (!gradient) continue;
    gradient.manual ??= last.get(same_as ?? name);
    if (!gradient.manual) continue;
    gradient.autograd ??= gradient.manual;
    gradient.difference ??= zeros(gradient.manual);
  }
}

/** @param {Wire} wire @returns {Wire} as many zeros */
function zeros(wire) {
  if (!("pooled" in wire)) return { ...wire, bdata: zeroBytes(wire.bdata) };
  const none = zeroBytes(wire.pooled.mean);
  return { ...wire, pooled: { ...wire.pooled, rms: 0, mean: none, min: none, max: none } };
}

/** @param {string} text base64 @returns {string} as many bytes, all of them zero */
function zeroBytes(text) {
  return text.replace(/[^=]/g, "A");
}
