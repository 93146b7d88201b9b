/** @typedef {import("./types.js").WalkDocument} WalkDocument */
/** @typedef {import("./types.js").WalkNode} WalkNode */
/** @typedef {import("./types.js").ForwardStep} ForwardStep */
/** @typedef {import("./types.js").SentBackwardStep} BackwardStep */
/** @typedef {import("./types.js").Wire} Wire */
/** @typedef {import("./types.js").Step} Step */

/**
 * Some backward lines hold the gradient of a part of a chunk that has no name, such as `dh_inner` for the inside of
 * `h = torch.tanh(x @ W)`. Here such a part becomes a node of its own, outside the graph, so that it can be stepped to.
 * @param {WalkDocument} sent completed (see parts.js) @returns {{nodes: Map<string, WalkNode>, steps: Step[]}}
 */
export function withAnonymousNodes(sent) {
  const nodes = new Map(sent.nodes.map((node) => [node.name, /** @type {WalkNode} */ (node)]));
  const steps = /** @type {(ForwardStep|BackwardStep)[]} */ (sent.steps).map((step) => {
    if (step.direction === "forward") return step;
    if (!step.inner) return /** @type {Step} */ (step);
    const variable = step.inner.replace(/^d/, "");
    const part = nodes.get(variable) ?? innerNode(step, variable, step.through ? nodes.get(step.through) : undefined);
    nodes.set(variable, part);
    return /** @type {Step} */ ({ ...step, node: part.name });
  });
  return { nodes, steps };
}

/**
 * @param {Pick<BackwardStep, "shape"|"picture">} step @param {Pick<WalkNode, "shape"|"dims">|undefined} chunk
 * @returns {string[]} the names of its axes: those of what has its shape beside it
 */
export function dimsOf({ shape, picture }, chunk) {
  const alike = [chunk, ...(picture?.operands ?? [])].find((other) => other?.shape.join() === shape.join());
  return alike?.dims ?? shape.map((_, axis) => `axis ${axis}`);
}

/**
 * @param {BackwardStep} step @param {string} variable @param {WalkNode|undefined} chunk the line it is a part of
 * @returns {WalkNode}
 */
function innerNode(step, variable, chunk) {
  return {
    name: variable,
    variable,
    role: "intermediate",
    line: chunk?.line ?? null,
    source: chunk?.source ?? "",
    shape: step.shape,
    dims: dimsOf(step, chunk),
    inputs: [],
    value: /** @type {Wire} */ (step.contribution), // once it has come
    gradient: null,
    inner: true,
    group: chunk?.group ?? null,
    view: null,
    not_finite: null,
    no_gradient: null,
    targets: null,
    same_as: null,
    values_name: null,
  };
}
