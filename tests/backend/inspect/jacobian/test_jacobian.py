"""Local Jacobians beside torch's own of the plain statement, their products beside the walk, and what is said of them."""

from __future__ import annotations

import ast
import json
import sys
from collections.abc import Iterator
from typing import Any

import pytest
import torch

import backend
from backend.engine.encode import KINDS
from backend.engine.language.errors import Refusal
from backend.engine.ops import OPS
from backend.inspect.jacobian.patterns import TESTS, WORDS, pattern_of, words_for
from backend.pipeline import run_of
from tests.support import makemore, torch_reference
from tests.support.asking import NUMPY, array, drawn, program
from tests.support.programs import PATHS, load, some

MOST = 65_536


def ask(walk: Any, node: Any, source: Any, example: Any = None) -> Any:
    return backend.jacobian(
        {"walk": walk, "node": node, "input": source} | ({} if example is None else {"example": example})
    )


def pairs(walk: Any) -> Iterator[Any]:
    """(node, input, example or None) of a program, as far as the matrix is not too large."""
    run = run_of(walk)
    for name, node in run.plan.by_name.items():
        for other in run.plan.inputs_of.get(name, []):
            source = run.plan.by_name[other]
            if "d" + node.variable not in run.gradients or not source.meta.is_floating_point() or is_held(run, source):
                continue
            if node.meta.numel() * source.meta.numel() <= MOST:
                yield name, other, None
            elif node.shape and source.shape and node.shape[0] == source.shape[0] and node.dims[0] == source.dims[0]:
                yield name, other, node.shape[0] - 1


def is_held(run: Any, source: Any) -> bool:
    """Whether a tensor is a weight of some loss, by which torch has no derivative."""
    uses = ((step.op.others, step.parameters) for step in run.plan.graph.nodes if step.op)
    return any(parameters.get(name) is source for others, parameters in uses for name in others)


def plain_jacobian(run: Any, name: Any, other: Any, example: Any) -> Any:
    """torch.autograd.functional.jacobian of the printed statement, run by Python itself."""
    node, source = run.plan.by_name[name], run.plan.by_name[other]
    statements = run.plan.graph.statements
    statement = next(s for s in statements if node.variable in ast.unparse(s.targets[0]).split(", "))
    scope = torch_reference.scope({}, run.forward.values)

    def function(tensor: Any) -> Any:
        inner = scope | {source.variable: tensor}
        with torch_reference.DefaultDtype(run.material.dtype):
            exec(ast.unparse(statement), inner)
        return inner[node.variable]

    whole = torch.autograd.functional.jacobian(function, run.forward.tensors[source.variable].clone())
    if example is not None:
        whole = whole[example].select(len(node.shape) - 1, example)
    return whole.reshape(
        -1, whole[(0,) * whole.ndim].numel() if not whole.ndim else whole.numel() // rows(node, example)
    )


def rows(node: Any, example: Any) -> Any:
    return max(node.meta.numel() // (1 if example is None else node.shape[0]), 1)


@pytest.mark.parametrize("dtype", [pytest.param("float32", marks=pytest.mark.exhaustive), "float64"])
def test_makemore_beside_torchs_own(dtype: Any) -> None:
    walk = makemore.LESSON | {"dtype": dtype}
    run, tried = run_of(walk), 0
    for name, other, example in pairs(walk):
        answer = ask(walk, name, other, example)
        matrix, want = array(answer["jacobian"]), plain_jacobian(run, name, other, example)
        assert matrix.shape == want.shape
        assert torch.allclose(matrix, want, rtol=1e-5 if dtype == "float32" else 1e-12, atol=0)
        assert answer["agrees"]
        assert not answer["across"]
        assert torch.allclose(array(answer["result"]), array(answer["shown"]), rtol=1e-4, atol=1e-7)
        assert len(answer["words"]) > 20
        tried += 1
    assert tried >= 20


@pytest.mark.parametrize("path", some(PATHS, 16))
def test_programs_agree(path: Any) -> None:
    walk = load(path)
    for name, other, example in pairs(walk):
        answer = ask(walk, name, other, example)
        assert answer["agrees"], f"{name} by {other}"
        assert answer["structure"] in {*WORDS, "blocks"}
        json.dumps(answer, allow_nan=False)


def test_softmax_by_its_formula() -> None:
    walk = program("p = F.softmax(x, 1)\nloss = (p * w).sum()", x=drawn(3, 5), w=drawn(3, 5, seed=2))
    answer = ask(walk, "p", "x", 1)
    s = run_of(walk).forward.tensors["p"][1]
    want = torch.diag(s) - torch.outer(s, s)
    assert torch.allclose(array(answer["jacobian"]), want, atol=1e-7)
    assert answer["structure"] == "softmax"
    assert "diag(s) − s sᵀ" in answer["words"]
    assert "Every row sums to zero." in answer["words"]
    assert (answer["rows"]["shape"], answer["columns"]["shape"], answer["examples"]) == ([5], [5], 3)
    whole = ask(walk, "p", "x")
    assert whole["structure"] == "blocks"
    assert "diag(s) − s sᵀ" in whole["words"]
    assert array(whole["jacobian"])[5:10, 5:10].equal(array(answer["jacobian"]))
    assert not array(whole["jacobian"])[:5, 5:].any()


# One line each: an expression of x (and w), the pattern, a part of the words.
KNOWN = [
    ("torch.tanh(x) * 1.5", (4,), "diagonal", "each at its own rate"),
    ("torch.tanh(x)", (4,), "diagonal", "at the rate 1 − `y`²"),
    ("x.clone()", (4,), "identity", "its own cell of `y` moves by ε"),
    ("x / 0.5", (4,), "scaled identity", "all at the rate 2."),
    ("-x", (4,), "scaled identity", "all at the rate −1."),
    ("torch.relu(x) + 1", (6,), "mask", "the others don't move"),
    ("x.sum() + 1", (4,), "ones", "Nudge any cell of `x` by ε and `y` moves by ε."),
    ("x.mean() + 1", (4,), "constant", "Every cell of `x` moves `y`, all at the rate 0.25."),
    ("x.mean()", (4,), "constant", "Mean: every cell of `x` counts 0.25"),
    ("x.amax()", (4,), "one-hot", "One cell of `x` moves `y`, one for one; the others don't count."),
    ("(x * w).sum()", (4,), "weighted sums", "Each cell of `x` moves `y` at a rate of its own."),
    ("(x - 4 * x.mean()).sum()", (4,), "constant", "all at the rate −3."),
    ("x[0] - x[1] + 0 * x[2]", (3,), "weighted sums", "of its own. All these rates sum to zero."),
    (
        "x.max(1).values",
        (3, 4),
        "blocks",
        "Each slice of `y` along axis 0 moves with its own slice of `x` alone. Maximum: each cell of `y`",
    ),
    ("x.sum(1)", (3, 4), "blocks", "alone. Sum: every cell of `x` counts 1."),
    (
        "x.sum(1) + 1",
        (3, 4),
        "blocks",
        "alone. Within one slice, nudge any cell of `x` by ε and every cell of `y` moves",
    ),
    ("-x.expand(3, 4)", (3, 1), "blocks", "alone. Within one slice, every cell of `x` moves every cell of `y`, all at"),
    ("x[:, 0] * 2", (3, 2), "blocks", "Within one slice, one cell of `x` counts, at the rate 2; the other doesn't."),
    ("x.sum(0)", (3, 4), "sums", "in the one sum it belongs to"),
    ("x.sum(0) + 1", (3, 4), "sums", "several move the same one"),
    ("x.mean(0)", (3, 4), "means", "at the rate 0.3333"),
    ("x[:, 1]", (3, 4), "blocks", "Picked"),
    ("x[1:3]", (4,), "one-hot", "Picked"),
    ("x.flip(0)", (4,), "permutation", "changed places"),
    ("x.T", (3, 4), "permutation", "changed places"),
    ("x.expand(3, 4)", (4,), "copies", "may move several"),
    ("x[0] - x[1]", (2,), "weighted sums", "at a rate of its own"),
    ("(x * w).sum(0)", (3, 4), "weighted sums", "each at its own rate"),
    ("x[[0, 2]].sum() * 0.5", (4,), "some", "2 cells of `x` count, each at the rate 0.5; the other 2 don't."),
    ("x[1:2].sum() * 0.5", (4,), "some", "One cell of `x` counts, at the rate 0.5; the other 3 don't."),
    ("torch.cat([x, w])", (4,), "one-hot", "one for one; the others of `y` don't move."),
    ("(x - w).detach() + w", (4,), "zero", "Every rate is zero: nothing that arrives at `y` goes back to `x`."),
    ("x[[1, 0]] * w[:2]", (4,), "selection", "at most one cell of `x`"),
    ("F.softmax(x, 0)", (5,), "softmax", "Every row sums to zero"),
    ("F.log_softmax(x, 0)", (5,), "log-softmax", "Every row sums to zero"),
    ("x - x.mean()", (5,), "centring", "Every row sums to zero"),
    ("x.cumsum(0)", (5,), "triangular", "never with later ones"),
    ("x * x.sum()", (5,), "dense", "each at a rate of its own"),
    ("w * x.square().sum()", (4,), "outer", "through one number"),
    ("x @ (w[:, None] * w)", (4,), "outer", "through one number"),
    ("x @ (w[:, None] + w)", (4,), "symmetric", "both ways"),
    ("F.layer_norm(x, (5,))", (5,), "symmetric", "Every row sums to zero"),
    ("x * 0.0", (4,), "zero", "Every rate is zero: nothing that arrives at `y` goes back to `x`."),
    ("x[:0]", (4,), "empty", "no cells"),
    ("x[:1] * 2.0", (1,), "scaled identity", "`x` moves `y` at the rate 2."),
    ("x + 1", (1,), "identity", "Nudge `x` by ε and `y` moves by ε."),
]


@pytest.mark.parametrize(("expression", "shape", "structure", "words"), KNOWN, ids=[one[0] for one in KNOWN])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_what_is_said_is_so(expression: Any, shape: Any, structure: Any, words: Any, dtype: Any) -> None:
    walk = program(f"y = {expression}\nloss = y.square().sum() + x.sum()", dtype, x=drawn(*shape), w=drawn(4, seed=3))
    answer = ask(walk, "y", "x")
    assert answer["structure"] == structure
    assert words in answer["words"]
    assert answer["agrees"]
    assert "{" not in answer["words"]


def test_examples_go_by_the_name_of_their_axis() -> None:
    walk = program("y = x.max(1).values\nloss = y.sum()", x=drawn(3, 4)) | {"dims": {"x": ["token", "unit"]}}
    assert ask(walk, "y", "x")["words"].startswith("Each token of `y` moves with its own token of `x` alone.")


def test_neighbours_make_a_band() -> None:
    walk = program("y = x * w + F.pad(x[1:], (0, 1))\nloss = y.square().sum()", x=drawn(12), w=drawn(12))
    assert ask(walk, "y", "x")["structure"] == "banded"


def test_every_pattern_is_seen() -> None:
    assert {structure for _, _, structure, _ in KNOWN} >= {*TESTS, "blocks", "empty"} - {"banded"}


def test_rates_that_are_not_finite_are_said_to_be() -> None:
    walk = program("y = x.sqrt()\nloss = y.sum()", x=[0.0, 1.0, 4.0])
    answer = ask(walk, "y", "x")
    assert answer["structure"] == "not finite"
    assert array(answer["jacobian"])[0, 0] == float("inf")
    assert answer["agrees"]


def test_noise_makes_no_pattern() -> None:
    g = torch.Generator().manual_seed(0)
    for _ in range(20):
        matrix = torch.randn(6, 6, generator=g, dtype=torch.float64)
        out = torch.rand(6, generator=g, dtype=torch.float64)
        assert pattern_of(matrix, out, 1e-5, 3).name == "dense"


@pytest.mark.parametrize("name", TESTS)
def test_a_pattern_with_one_entry_changed_is_another(name: Any) -> None:
    """What words say of a matrix must not hold for one that is different in one place."""
    for expression, shape, structure, _ in KNOWN:
        if structure != name or structure in ("zero", "dense", "empty"):
            continue
        walk = program(f"y = {expression}\nloss = y.square().sum() + x.sum()", "float64", x=drawn(*shape), w=drawn(4))
        matrix = array(ask(walk, "y", "x")["jacobian"])
        if min(matrix.shape) < 2:
            continue
        out = run_of(walk).forward.tensors["y"].reshape(-1)
        matrix[-1, 0] += 0.37
        changed = pattern_of(matrix, out, 1e-12)
        loose = {"triangular", "diagonal", "selection", "weighted sums"}
        assert changed.name != name or name in loose


def test_examples_that_read_each_other_are_said_to() -> None:
    walk = program("y = x - x.mean(0)\nloss = (y * w).sum()", x=drawn(4, 3), w=drawn(4, 3, seed=2))
    answer = ask(walk, "y", "x", 2)
    assert answer["across"]
    assert answer["shown"] is None
    assert answer["agrees"]
    assert array(answer["jacobian"]).diagonal().tolist() == pytest.approx([0.75] * 3)
    assert not ask(walk, "y", "x")["across"]
    assert not ask(program("y = x * 2\nloss = y.sum()", x=drawn(4, 3)), "y", "x", 2)["across"]


@pytest.mark.parametrize(
    ("source", "node", "by"),
    [
        ("y = x * 2\nz = y + x\nloss = (z * z).sum()", "z", "x"),
        ("y = x * x\nloss = y.sum()", "y", "x"),
        ("b = x.split(1)[1]\nloss = (b * b).sum()", "b", "x"),
        ("m = x.max(0)\nv = m.values\nloss = v * 2 + x.sum()", "v", "x"),
        ("t = (x * 2, x + 1)\na, b = t\nloss = (t[0] * b).sum()", "b", "x"),
        ("t = (x * 2, x + 1)\na, b = t\nc = t[0] * b\nloss = c.sum()", "c", "a"),
        ("y = x\ny = y * 2\ny = y * y\nloss = y.sum()", "y@3", "y@2"),
        ("h = x\nfor i in range(3):\n    h = torch.tanh(h * x)\nloss = h.sum()", "h@3", "x"),
        ("a = x * 2\nb = a\nc = a * b\nloss = c.sum()", "c", "b"),
        ("y = x * x.detach()\nloss = y.sum()", "y", "x"),
        ("y = torch.where(x > 0, x, x * 0.5)\nloss = y.sum()", "y", "x"),
    ],
)
def test_only_the_named_tensor_moves(source: Any, node: Any, by: Any) -> None:
    answer = ask(program(source, "float64", x=[0.4, -0.3, 0.9]), node, by)
    assert answer["agrees"]
    assert array(answer["result"]).tolist() == pytest.approx(array(answer["shown"]).tolist(), rel=1e-9)


def test_parts_that_one_line_lays_together_are_held_together() -> None:
    walk = program("a, b, c = x.split(1)\nloss = (a * b * c).sum()", x=[0.4, -0.3, 0.9])
    answer = ask(walk, "b", "x")
    assert answer["shown"] is None
    assert answer["agrees"]


@pytest.mark.parametrize("factor", [1.001, 0.0, -1.0])
@pytest.mark.parametrize(
    ("node", "source", "example"), [("h", "hpreact", 3), ("logits", "h", 0), ("counts_sum", "counts", None)]
)
def test_a_planted_error_does_not_agree(node: Any, source: Any, example: Any, factor: Any) -> None:
    walk = makemore.LESSON | {"seed": 5}
    run = run_of(walk)
    assert ask(walk, node, source, example)["agrees"]
    for line, kept in zip(run.plan.lines, run.contributions, strict=True):
        if line.through and line.through.node.name == node and line.target.name == source:
            right, kept.value = kept.value, kept.value * factor
            assert not ask(walk, node, source, example)["agrees"]
            kept.value = right


@pytest.mark.parametrize(
    ("source", "node", "by", "example", "code"),
    [
        ("y = x * w\nloss = y.sum()", "z", "x", None, "tensor-unknown"),
        ("y = x * w\nloss = y.sum()", "y", "v", None, "tensor-unknown"),
        ("y = x * w\nloss = y.sum()", "loss", "x", None, "input-not-read"),
        ("y = x * w\nloss = y.sum()", "x", "x", None, "input-not-read"),
        ("i = x.long()\ny = x * i\nloss = y.sum()", "y", "i", None, "input-whole-numbers"),
        ("y = F.binary_cross_entropy_with_logits(x, w, pos_weight=v)\nloss = y * 2", "y", "v", None, "input-held"),
        ("i = x.long()\ny = x * i\nloss = y.sum()", "i", "x", None, "gradient-none"),
        ("y = x * w\nloss = w.sum()", "y", "x", None, "gradient-unreached"),
        ("y = x * w\nloss = y.sum()", "y", "x", 4, "example-unknown"),
        ("y = x * w\nloss = y.sum()", "y", "x", -1, "example-unknown"),
        ("y = x * w\nloss = y.sum()", "loss", "y", 0, "example-unknown"),
    ],
)
def test_refusals(source: Any, node: Any, by: Any, example: Any, code: Any) -> None:
    with pytest.raises(Refusal) as refusal:
        given = {"x": drawn(4), "w": drawn(4)} | ({"v": drawn(4) | {"role": "target"}} if "v" in source else {})
        ask(program(source, **given) | {"loss": "loss"}, node, by, example)
    assert refusal.value.code == code


def test_a_matrix_too_large_is_refused_before_it_is_computed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.modules["backend.inspect.jacobian.jacobian"], "measured", None)
    walk = program("y = x * 2\nloss = y.sum()", x=drawn(1024, 1024))
    for example, code in ((None, "jacobian-too-large"), (0, "jacobian-too-large"), (2000, "example-unknown")):
        with pytest.raises(Refusal) as refusal:
            ask(walk, "y", "x", example)
        assert refusal.value.code == code


def test_words_name_the_tensors() -> None:
    walk = program("y = torch.tanh(x)\nloss = y.sum()", x=drawn(4))
    assert ask(walk, "y", "x")["words"].endswith("at the rate 1 − `y`². It is never more than 1.")
    assert words_for(pattern_of(torch.eye(2) * -0.5, torch.zeros(2), 1e-5), "a", "b").endswith("at the rate −0.5.")


def test_the_wire_says_every_kind() -> None:
    assert set(NUMPY) == set(KINDS.values())


# What operations say of their rates, said in numbers: of x, the result y, and w.
SAID = {
    "Tanh": ("torch.tanh(x)", "diagonal", "torch.diag(1 - y**2)"),
    "Sigmoid": ("torch.sigmoid(x)", "diagonal", "torch.diag(y * (1 - y))"),
    "Relu": ("torch.relu(x)", "mask", "torch.diag((x > 0).double())"),
    "Exp": ("x.exp()", "diagonal", "torch.diag(y)"),
    "Log": ("w.log()", "diagonal", "torch.diag(1 / w)"),
    "Sqrt": ("w.sqrt()", "diagonal", "torch.diag(0.5 / y)"),
    "Square": ("x.square()", "diagonal", "torch.diag(2 * x)"),
    "Mul": ("x * w", "diagonal", "torch.diag(w)"),
    "Sum": ("x.sum()", "ones", "torch.ones(1, 4)"),
    "Mean": ("x.mean()", "constant", "torch.full((1, 4), 0.25)"),
    "Max": ("x.max(0).values", "one-hot", "torch.eye(4)[x.argmax()][None]"),
    "Min": ("x.min(0).values", "one-hot", "torch.eye(4)[x.argmin()][None]"),
    "MatMul": ("x @ v", "dense", "v.T"),
    "Softmax": ("x.softmax(0)", "softmax", "torch.diag(y) - torch.outer(y, y)"),
    "LogSoftmax": ("x.log_softmax(0)", "log-softmax", "torch.eye(4) - y.exp().expand(4, 4)"),
}


def test_every_operation_with_rates_is_tried() -> None:
    assert {op.__name__ for op in OPS if op.rates} == set(SAID)
    assert all(set(op.rates) <= set(TESTS) for op in OPS)


@pytest.mark.parametrize("name", SAID)
def test_what_operations_say_of_their_rates_is_so(name: Any) -> None:
    expression, structure, said = SAID[name]
    by = "w" if "x" not in expression.replace("exp", "") else "x"
    positive = {"role": "parameter", "shape": [4], "init": "rand", "shift": 0.5}
    walk = program(
        f"y = {expression}\nloss = y.sum()", "float64", x=drawn(4, seed=3), w=positive, v=drawn(4, 3, seed=7)
    )
    answer, values = ask(walk, "y", by), run_of(walk).forward.values
    assert answer["structure"] == structure
    own = next(op for op in OPS if op.__name__ == name)
    assert answer["words"].startswith(own.rates[structure].partition("{")[0])
    want = eval(said, {"torch": torch, **values})
    assert torch.allclose(array(answer["jacobian"]), want.double(), rtol=1e-12)


@pytest.mark.parametrize(
    ("source", "node", "by", "single"),
    [
        ("y = x * w\nloss = y.sum()", "y", "x", True),
        ("y = x[None] * v\nloss = y.sum()", "y", "v", False),
        ("y = x * x\nloss = y.sum()", "y", "x", False),
        ("y = torch.tanh(x * w)\nloss = y.sum()", "y", "x", False),
        ("y = v.T * x\nloss = y.sum()", "y", "x", False),
        ("u = v.T\ny = u * x\nloss = y.sum()", "y", "x", True),
    ],
)
def test_an_operation_is_named_where_it_stands_alone(source: Any, node: Any, by: Any, single: Any) -> None:
    walk = program(source, x=drawn(4), w=drawn(4, seed=2), v=drawn(4, 3) if "T" in source else drawn(1, 4))
    assert ask(walk, node, by)["words"].startswith("Product: ") == single
