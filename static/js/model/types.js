/**
 * The shapes of a Walk document as the server sends it; read with `backend/walk.py`.
 *
 * @typedef {{block: number[], shape: string, mean: string, min: string, max: string}} Pooled
 * @typedef {{dtype: "f4"|"f8"|"i4"|"u1", shape: string, bdata: string, pooled?: Pooled}} Wire
 * @typedef {"exact"|"approximate"|"zero"|"wrong"|"shape"} Level
 * @typedef {{shape: boolean, exact: boolean, approximate: boolean, maxdiff: number, max_ulp: number|null,
 *   relative_error: number, worst: number[], level: Level, because: string}} Verdict
 * @typedef {{manual: Wire, autograd: Wire, difference: Wire, verdict: Verdict}} Gradient
 * @typedef {{x: number, y: number, width: number, height: number}} Box
 * @typedef {{name: string, variable: string, role: "parameter"|"data"|"target"|"intermediate",
 *   line: number|null, source: string|null, shape: number[], dims: string[], inputs: string[], value: Wire,
 *   gradient: Gradient|null, inner?: boolean, position: Box, group: string|null, view: string|null,
 *   targets?: number[]|null}} WalkNode
 * @typedef {{from: string, to: string, path: [number, number][], main: boolean}} Edge
 * @typedef {{axis: number, name: string, size: number, keepdim?: boolean, why?: string}} Axis
 * @typedef {{kind: string, text: string}} Sentence
 * @typedef {{input: string, axes: Axis[], text: string}} Broadcast
 * @typedef {{role: string, code: string, node: string|null, which: "value"|"gradient"|null,
 *   shape: number[], dims: string[], tensor: Wire|null}} Operand
 * @typedef {{code: string, shape: number[], dims: string[], tensor: Wire}} Product
 * @typedef {{kind: string, then: string, symbol: string, operands: Operand[], product: Product|null, axes: Axis[]}} Picture
 * @typedef {{kind: string, prompt: string, choices: string[], answer: number}} Question
 * @typedef {{code: string, left: number[], right: number[], result: number[]|null, fits: boolean,
 *   own: boolean, why: string}} Candidate
 * @typedef {{index: number, direction: "forward", node: string, code: string, line: number,
 *   explanation: Sentence[], broadcasts: Broadcast[], opens?: boolean, math: string}} ForwardStep
 * @typedef {{index: number, direction: "backward", node: string, through: string|null, mode: "="|"+="|"-=",
 *   code: string, line: number, lines: number, forward_line: number, contribution: Wire,
 *   accumulated: Wire, complete: boolean, inner?: string|null, rule: string, axes: Axis[], arrives: string|null,
 *   explanation: Sentence[], math: string, picture: Picture|null, question: Question|null, candidates: Candidate[]}} BackwardStep
 * @typedef {ForwardStep|BackwardStep} Step
 * @typedef {{name: string, nodes: string[], box: Box}} Group
 * @typedef {{schema: number, id: string, lesson: string|null, title: string, dtype: string,
 *   exact: boolean, loss: {name: string, value: number}, labels: Record<string, string[]>,
 *   groups: Group[], graph: {width: number, height: number}, nodes: WalkNode[], edges: Edge[],
 *   steps: Step[], forward_source: string, backward_source: string,
 *   summary: {gradients: number, exact: number, approximate: number}}} WalkDocument
 * @typedef {{code: string, message: string, hint?: string, where?: {line?: number, column?: number,
 *   end_column?: number, text?: string}|null}} Problem
 */
export {};
