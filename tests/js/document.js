/** A small walk written by hand: y = x * w with w copied to two rows, loss = y.sum(). */

/** @param {number[]} values @param {number[]} shape */
export function wire(values, shape) {
  const bytes = new Uint8Array(new Float32Array(values).buffer);
  return { dtype: /** @type {const} */ ("f4"), shape: shape.join(", "), bdata: Buffer.from(bytes).toString("base64") };
}

const verdict = {
  shape: true,
  exact: true,
  approximate: true,
  maxdiff: 0,
  max_ulp: 0,
  relative_error: 0,
  share: 0,
  share64: 0,
  residue: null,
  residue64: null,
  kind: null,
  worst: [0],
  level: "exact",
  because: "same",
};

/** @param {number[]} values */
function sizeOf(values) {
  const norm = Math.hypot(...values);
  return {
    norm,
    rms: norm / Math.sqrt(values.length),
    largest: Math.max(...values.map(Math.abs)),
    at: null,
    per_weight: null,
  };
}

/** @param {number[]} values @param {number[]} shape @param {object} [over] */
function gradient(values, shape, over = {}) {
  const same = wire(values, shape);
  return {
    manual: same,
    autograd: same,
    difference: wire(
      values.map(() => 0),
      shape,
    ),
    scale: null,
    not_finite: null,
    size: sizeOf(values),
    verdict: { ...verdict, ...over },
  };
}

/** @param {string} name @param {object} rest */
function node(name, rest) {
  return {
    name,
    variable: name,
    role: "intermediate",
    line: null,
    source: "",
    dims: [],
    inputs: [],
    group: null,
    view: null,
    targets: null,
    not_finite: null,
    no_gradient: null,
    ...rest,
  };
}

/** @returns {any} */
export function smallWalk() {
  const x = wire([1, 2, 3, 4, 5, 6], [2, 3]);
  const w = wire([1, -1, 2], [3]);
  const y = wire([1, -2, 6, 4, -5, 12], [2, 3]);
  const ones = [1, 1, 1, 1, 1, 1];
  return {
    schema: 1,
    id: "small",
    lesson: "small",
    title: "small",
    dtype: "float32",
    exact: false,
    loss: { name: "loss", value: 16 },
    beginning: ["`loss` is computed in 2 steps from `x` and `w`: here it is 16."],
    constants: { n: 2 },
    in_focus: {},
    labels: { class: ["a", "b", "c"], example: ["..a → b", ".ab → c"] },
    groups: [{ name: "Product of two", nodes: ["y"] }],
    nodes: [
      node("x", {
        role: "data",
        shape: [2, 3],
        dims: ["example", "class"],
        value: x,
        gradient: gradient([1, -1, 2, 1, -1, 2], [2, 3]),
      }),
      node("w", { role: "parameter", shape: [3], dims: ["class"], value: w, gradient: gradient([5, 7, 9], [3]) }),
      node("y", {
        line: 1,
        source: "y = x * w",
        shape: [2, 3],
        dims: ["example", "class"],
        inputs: ["x", "w"],
        value: y,
        gradient: gradient(ones, [2, 3]),
        group: "Product of two",
      }),
      node("loss", {
        line: 2,
        source: "loss = y.sum()",
        shape: [],
        inputs: ["y"],
        value: wire([16], []),
        gradient: gradient([1], []),
      }),
    ],
    steps: [
      {
        index: 0,
        direction: "forward",
        node: "y",
        code: "y = x * w",
        line: 1,
        explanation: [{ kind: "local", text: "Cell by cell." }],
        broadcasts: [{ input: "w", axes: [], text: "`w` is copied to 2 examples." }],
        math: "",
        picture: {
          signs: ["", "⊙"],
          operands: [operand("", "x", "x", "value"), operand("", "w", "w", "value")],
          met: null,
          stages: [],
        },
      },
      {
        index: 1,
        direction: "forward",
        node: "loss",
        code: "loss = y.sum()",
        line: 2,
        explanation: [{ kind: "note", text: "All of it." }],
        broadcasts: [],
        math: "",
        picture: {
          signs: [""],
          operands: [operand("", "y", "y", "value")],
          met: null,
          stages: [stage({ how: "fold", words: "Σ", axes: [0, 1].map((axis) => ({ axis })) })],
        },
      },
      back(2, "loss", null, "dloss = torch.ones_like(loss)", 1, [1], [], null),
      back(3, "y", "loss", "dy = torch.ones_like(y) * dloss", 2, ones, [2, 3], {
        ...picture("copy", [operand("arrives", "dloss", "loss", "gradient")]),
        then: "spread",
      }),
      back(
        4,
        "w",
        "y",
        "dw = (x * dy).sum(0)",
        3,
        [5, 7, 9],
        [3],
        {
          ...picture("product", [operand("local", "x", "x", "value"), operand("arrives", "dy", "y", "gradient")]),
          symbol: "⊙",
          axes: [{ axis: 0, name: "example", size: 2 }],
          product: { code: "x * dy", shape: [2, 3], dims: ["example", "class"], tensor: x },
        },
        {
          axes: [{ axis: 0, name: "example", size: 2 }],
          complete: false,
          question: {
            kind: "sum",
            prompt: "Which line gives `dw`?",
            choices: [
              { code: "dy.sum(0)", words: "", shape: [2], why: "" },
              { code: "dy.sum(1)", words: "", shape: [3], why: "The wrong axis. That gives (3,); it must be (2,)." },
            ],
            answer: 0,
          },
        },
      ),
      back(
        5,
        "w",
        "y",
        "dw += 0.0 * w",
        4,
        [0, 0, 0],
        [3],
        {
          ...picture("product", [
            { ...operand("local", "0.0", "", ""), node: null, which: null, shape: [], dims: [], tensor: wire([0], []) },
            operand("arrives", "w", "w", "value"),
          ]),
          symbol: "·",
        },
        { mode: "+=", accumulated: wire([5, 7, 9], [3]) },
      ),
      back(6, "x", "y", "dx = w * dy", 5, [1, -1, 2, 1, -1, 2], [2, 3], {
        ...picture("product", [operand("local", "w", "w", "value"), operand("arrives", "dy", "y", "gradient")]),
        symbol: "⊙",
      }),
    ],
    forward_source: "y = x * w\nloss = y.sum()",
    backward_source:
      "dloss = torch.ones_like(loss)\ndy = torch.ones_like(y) * dloss\n" +
      "dw = (x * dy).sum(0)\ndw += 0.0 * w\ndx = w * dy",
    summary: { gradients: 4, exact: 4, approximate: 4 },
  };
}

/** @param {string} role @param {string} code @param {string} name @param {string} which */
function operand(role, code, name, which) {
  const [shape, dims] = /** @type {Record<string, [number[], string[]]>} */ ({ w: [[3], ["class"]], loss: [[], []] })[
    name
  ] ?? [
    [2, 3],
    ["example", "class"],
  ];
  return { role, code, node: name, which, shape, dims, tensor: null };
}

/** @param {object} own */
export function stage(own) {
  return { how: "apply", words: "", factor: "", cellwise: false, axes: [], runs: [], result: null, ...own };
}

/** @param {string} kind @param {object[]} operands */
function picture(kind, operands) {
  return { kind, then: "", symbol: "", operands, product: null, axes: [] };
}

/**
 * @param {number} index @param {string} name @param {string|null} through @param {string} code @param {number} line
 * @param {number[]} values @param {number[]} shape @param {object|null} drawn @param {object} [over]
 */
function back(index, name, through, code, line, values, shape, drawn, over = {}) {
  return {
    index,
    direction: "backward",
    node: name,
    through,
    mode: "=",
    code,
    line,
    lines: 1,
    forward_line: 1,
    shape,
    norm: Math.hypot(...values),
    contribution: wire(values, shape),
    accumulated: wire(values, shape),
    complete: true,
    rule: "",
    rules: [],
    axes: [],
    explanation: [{ kind: "local", text: "So it is." }],
    math: "",
    picture: drawn,
    question: null,
    candidates: [],
    lost: "",
    ...over,
  };
}
