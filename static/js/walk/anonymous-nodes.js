/** @typedef {import("./types.js").WalkDocument} WalkDocument */
/** @typedef {import("./types.js").WalkNode} WalkNode */
/** @typedef {import("./types.js").SentBackwardStep} BackwardStep */
/** @typedef {import("./types.js").Step} Step */

/**
 * Some backward lines hold the gradient of a part of a chunk that has no name, such as `dh_inner` for the inside of
 * `h = torch.tanh(x @ W)`. Here such a part becomes a node of its own, outside the graph, so that it can be stepped to.
 * @param {WalkDocument} sent @returns {{nodes: Map<string, WalkNode>, steps: Step[]}}
 */
export function withAnonymousNodes(sent) {
  const nodes = new Map(sent.nodes.map((node) => [node.name, node]));
  const steps = sent.steps.map((step) => {
    if (step.direction === "forward") return step;
    if (!step.inner) return /** @type {Step} */ (step);
    const variable = step.inner.replace(/^d/, "");
    const part = nodes.get(variable) ?? innerNode(step, variable, step.through ? nodes.get(step.through) : undefined);
    nodes.set(variable, part);
    return { ...step, node: part.name };
  });
  return { nodes, steps };
}

/**
 * @param {BackwardStep} step @param {string} variable @param {WalkNode|undefined} chunk the line it is a part of
 * @returns {WalkNode}
 */
function innerNode(step, variable, chunk) {
  const shape = step.contribution.shape
    .split(",")
    .filter((size) => size.trim())
    .map(Number);
  const alike = [chunk, ...(step.picture?.operands ?? [])].find((other) => other?.shape?.join() === shape.join());
  return {
    name: variable,
    variable,
    role: "intermediate",
    line: chunk?.line ?? null,
    source: chunk?.source ?? "",
    shape,
    dims: alike?.dims ?? shape.map((_, axis) => `axis ${axis}`),
    inputs: [],
    value: step.contribution,
    gradient: null,
    inner: true,
    group: chunk?.group ?? null,
    view: null,
    not_finite: null,
    no_gradient: null,
    targets: null,
    values_name: null,
  };
}
