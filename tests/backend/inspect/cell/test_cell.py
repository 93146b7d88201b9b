"""One number opened: its terms are the true Jacobian's entries times what arrives, and what is wrong does not add up."""

from __future__ import annotations

import math
import random
import zlib
from functools import cache
from typing import Any

import pytest
import torch

from backend.engine.language.errors import Refusal
from backend.engine.ops import OPS
from backend.inspect.cell.cell import cell, cell_of
from backend.inspect.cell.terms import MOST
from backend.inspect.jvp import jvp
from backend.pipeline import run_of
from tests.support import makemore, op_samples
from tests.support.local_jacobian import Plain
from tests.support.programs import REQUESTS, run_for, some
from tests.support.roundings import ulps

FEW_CELLS, MANY_CELLS = 6, 20
ROUNDED_AWAY = 1e-6
# The true gradient of these is zero: what is left is rounding, and has no digits to compare.
TRUE_ZEROS = {"b1", "logit_maxes", "m", "mu"}
WITHIN_2_ULP = 0.995
pytestmark = pytest.mark.filterwarnings("ignore:reduction")


@cache
def plain_of(name: str) -> Plain:
    run = run_for(name)
    given = {node.variable: run.forward.tensors[node.variable] for node in run.plan.graph.inputs}
    return Plain(run.plan.graph.forward_source, given, run.material.constants, run.material.dtype)


def with_gradient(run: Any) -> list:
    return [node for node in run.plan.graph.named if "d" + node.variable in run.gradients and node.meta.numel()]


def cells(node: Any, seed: str, count: int) -> list[tuple[int, ...]]:
    chance = random.Random(zlib.crc32(f"{seed} {node.name}".encode()))
    return [tuple(chance.randrange(size) for size in node.shape) for _ in range(count)]


def true_terms(name: str, node: Any, index: tuple[int, ...]) -> dict:
    """{(through, cell): local} from whole Jacobians of the statements, run by exec."""
    run, found = run_for(name), {}
    if node is run.plan.graph.loss:
        found[node.name, ()] = 1.0
    for chunk in run.plan.graph.chunks:
        if "d" + chunk.node.variable in run.gradients:
            column = plain_of(name).column(chunk.node.variable, node.variable, index)
            if column is not None:
                found |= {(chunk.node.name, tuple(c)): column[tuple(c)].item() for c in column.nonzero().tolist()}
    return found


def is_near(a: float, b: float, size: float) -> bool:
    return a == b or abs(a - b) <= 1e-5 * max(1.0, size)


def local(term: dict) -> float:
    return term["local"] if isinstance(term["local"], float) else float(term["local"].replace("Infinity", "inf"))


@cache
def gradients(name: str, count: int) -> dict:
    """{(tensor, index): answer} for random cells of all gradients of a program."""
    run = run_for(name)
    asked = ((str(node.name), index) for node in with_gradient(run) for index in cells(node, name, count))
    return {(tensor, index): cell_of(run, tensor, "gradient", index) for tensor, index in asked}


@pytest.mark.parametrize("name", some(REQUESTS, 16))
def test_terms_are_the_jacobians_entries_times_what_arrives(name: Any, thorough: bool) -> None:
    run = run_for(name)
    for (tensor, index), answer in gradients(name, MANY_CELLS if thorough else FEW_CELLS).items():
        want = true_terms(name, run.plan.by_name[tensor], index)
        size = max(map(abs, want.values()), default=0.0)
        got = {(term["through"], tuple(term["cell"])): term for term in answer["terms"]}
        assert answer["count"] == len(got)
        # What one of torch's modes rounds to zero the other may not.
        only = {**want, **{key: local(term) for key, term in got.items()}}
        apart = {key for key in want.keys() ^ got.keys() if abs(only[key]) > ROUNDED_AWAY * max(size, 0.1)}
        assert not apart, (tensor, index)
        assert all(is_near(local(got[key]), want[key], size) for key in want.keys() & got.keys()), (tensor, index)
        for (through, where), term in got.items():
            assert term["arriving"] == run.gradients["d" + run.plan.by_name[through].variable][where].item()


@pytest.mark.parametrize("name", some(REQUESTS, 16))
def test_terms_add_up_to_the_number_shown(name: Any, thorough: bool) -> None:
    """Values, gradients and every single step, in both precisions."""
    for dtype in ("float32", "float64"):
        run = run_for(name, dtype)
        asked: list[tuple[Any, str, int | None]] = [
            (node, "value", None) for node in run.plan.graph.named if node.meta.numel()
        ]
        asked += [(node, "gradient", None) for node in with_gradient(run)]
        asked += [
            (line.target, "contribution", run.plan.first_backward + place)
            for place, line in enumerate(run.plan.lines)
            if not line.inner and line.target.meta.numel()
        ]
        for node, which, step in asked:
            for index in cells(node, name, 3 if thorough else 1):
                answer = cell_of(run, str(node.name), which, index, step)
                assert answer["agrees"], (node.name, which, step, index, answer["shown"], answer["sum"])
                assert answer["adds"] or which == "value"


def test_makemore_is_within_2_ulp_but_for_true_zeros() -> None:
    over = {t for (t, _), answer in gradients("makemore", MANY_CELLS).items() if ulps("makemore", t, answer) > 2}
    assert over <= makemore.TRUE_ZEROS


@pytest.mark.exhaustive
def test_most_cells_are_within_2_ulp() -> None:
    """The others are sums, and differences of large numbers, that float32 rounds more than twice."""
    answers = [(name, t, answer) for name in REQUESTS for (t, _), answer in gradients(name, MANY_CELLS).items()]
    found = [ulps(*one) for one in answers if one[1] not in TRUE_ZEROS and not cancels(one[2])]
    assert sum(one <= 2 for one in found) >= WITHIN_2_ULP * len(found)


def cancels(answer: dict) -> bool:
    """Whether terms cancel so far that the sum, less than a tenth of them, has lost a digit."""
    sizes = [abs(term["product"]) for term in answer["terms"] if isinstance(term["product"], float)]
    return not isinstance(answer["sum"], float) or abs(answer["sum"]) < sum(sizes) / 10


# `.float()` means float32 and nothing else.
DIFFERENTIABLE = [op for op in OPS if op.differentiable and op.__name__ != "Float"]


@pytest.mark.parametrize("op", DIFFERENTIABLE, ids=lambda op: op.__name__)
def test_every_operation_opens(op: Any, thorough: bool) -> None:
    """Samples in their first spelling, or one: forward mode beside the Jacobian that reverse mode gives, in float64."""
    for text in op.samples if thorough else op.samples[:1]:
        sample = op_samples.read(text, op)
        calls = (call for spelling in op.written for call in op_samples.written(spelling, sample))
        case = next((made for made in (op_samples.case(call, sample) for call in calls) if made), None)
        assert case, text
        run = run_of(case | {"dtype": "float64"})
        given = {node.variable: run.forward.tensors[node.variable] for node in run.plan.graph.inputs}
        plain = Plain(run.plan.graph.forward_source, given, {}, torch.float64)
        for node in run.plan.graph.inputs:
            for index in cells(node, text, 4) if node.needs else []:
                answer = cell_of(run, str(node.name), "gradient", index)
                assert answer["agrees"], (text, node.name, index, answer)
                got = {(term["through"], *term["cell"]): term["local"] for term in answer["terms"]}
                want: dict[Any, float] = {}
                for chunk in run.plan.graph.chunks:
                    column = plain.column(chunk.node.variable, node.variable, index)
                    if column is not None and "d" + chunk.node.variable in run.gradients:
                        want |= {(chunk.node.name, *c): column[tuple(c)].item() for c in column.nonzero().tolist()}
                size = max(map(abs, want.values()), default=0.0)
                assert all(abs(want.get(key, 0.0) - got.get(key, 0.0)) <= 1e-7 * max(size, 1) for key in want | got)


# What an answer says.
TWICE: dict[str, Any] = {
    "source": "y = x * x\nz = y - x\nloss = (z * z).sum()",
    "tensors": {"x": {"role": "parameter", "values": [[1.0, 2.0], [3.0, 5.0]]}},
}


def ask(request: Any, **wanted: Any) -> Any:
    return cell({"walk": request, **wanted})


def test_both_factors_of_a_square_come_in_one_line() -> None:
    answer = ask(TWICE, tensor="x", which="gradient", index=[1, 0])
    assert {(t["through"], t["local"]) for t in answer["terms"]} == {("y", 6.0), ("z", -1.0)}
    ways = [(p["through"], p["count"], p["sum"]) for p in answer["paths"]]
    assert ways == [("z", 1, -12.0), ("y", 1, 72.0)]
    assert answer["formula"] == "dx[i,j] = -dz[i,j] + 2 · x[i,j] · dy[i,j]"
    step = answer["paths"][1]["step"]
    one = ask(TWICE, tensor="x", which="contribution", index=[1, 0], step=step)
    assert (one["shown"], one["sum"], one["count"], one["terms"][0]["local"]) == (72.0, 72.0, 1, 6.0)
    assert one["formula"] == "dx[i,j] += 2 · x[i,j] · dy[i,j]"


def test_two_uses_of_a_tensor_come_in_two_lines() -> None:
    request = TWICE | {"source": "y = x * x.T\nloss = (y * y).sum()"}
    answer = ask(request, tensor="x", which="gradient", index=[1, 0])
    assert [(path["through"], path["count"], path["sum"]) for path in answer["paths"]] == [
        ("y", 1, 24.0),
        ("y", 1, 24.0),
    ]
    assert answer["formula"] == "dx[i,j] = x[j,i] · dy[i,j] + x[j,i] · dy[j,i]"


def test_broadcast_and_matrix_product_run_over_examples() -> None:
    for name, index, stretched in (("W2", [3, 5], False), ("b2", [5], True), ("bngain", [0, 7], True)):
        answer = ask(makemore.LESSON, tensor=name, which="gradient", index=index)
        (path,) = answer["paths"]
        assert path["over"] == [{"axis": 0, "name": "example", "size": 32}]
        assert path["broadcast"] is stretched
        assert answer["count"] == path["count"] == 32


def test_the_loss_is_where_it_starts() -> None:
    answer = ask(makemore.LESSON, tensor="loss", which="gradient", index=[])
    (term,) = answer["terms"]
    assert [term[key] for key in ("through", "cell", "local", "arriving", "product")] == ["loss", [], 1.0, 1.0, 1.0]


def test_stops_and_ways_that_miss_the_loss_bring_nothing() -> None:
    source = "a = x.detach() * 3\nb = x * 2\nc = torch.sign(x)\nunused = x * 7\nloss = (a * b + c).sum()"
    answer = ask(TWICE | {"source": source}, tensor="x", which="gradient", index=[0, 1])
    assert [(t["through"], t["local"]) for t in answer["terms"]] == [("b", 2.0)]
    assert answer["agrees"]


def test_versions_aliases_pairs_and_parts() -> None:
    source = "h = x * 2\nh = h * x\nk = h\nvalues, places = k.max(1)\np = x.split(1)\nloss = (values * p[0] * p[1][0, 1]).sum()"
    run = run_of(TWICE | {"source": source})
    for name in ("x", "h", "h@2", "k", "values"):
        for index in cells(run.plan.by_name.get(name, run.plan.by_name["h@2"]), name, 4):
            assert cell_of(run, name, "gradient", index)["agrees"]
    assert ask(TWICE | {"source": source}, tensor="k", which="gradient", index=[0, 1])["tensor"] == "k"


def test_targets_that_are_one_and_the_facts_of_the_walks_precision() -> None:
    """What is looked at nearby stays a probability; the least number of float32 is not float64's."""
    source = "p = torch.sigmoid(x)\nloss = F.binary_cross_entropy(p, t)"
    given = {"t": {"role": "target", "values": [[1.0, 0.0], [1.0, 1.0]]}}
    answer = ask({"source": source, "tensors": TWICE["tensors"] | given}, tensor="p", which="gradient", index=[0, 0])
    assert answer["agrees"]
    source = "y = x.masked_fill(x > 2, torch.finfo(x.dtype).min)\nloss = y.softmax(1)[0, 0] + x.sum()"
    answer = ask(TWICE | {"source": source}, tensor="y", which="value", index=[1, 0])
    assert (answer["agrees"], answer["shown"]) == (True, torch.finfo(torch.float32).min)


VALUES = {
    "x @ W": True, "x @ W + b": True, "x.sum(0)": True, "x.mean(1)": True, "-3 * x": True, "x.T": True, "x[[0, 0, 1]]": True,
    "x / b.exp()[:2]": True, "x - x.mean(0)": True, "x.max(1).values": True, "torch.relu(x)": True, "x.detach() * 2": True,
    "torch.tanh(x)": False, "x.exp()": False, "x * x": False, "1 / x": False, "x + 1": False, "x.norm()": False,
    "x * x / x": True, "x * x / W[:, :2]": False, "F.softmax(x, 1)": False,
}  # fmt: skip
TENSORS = {
    "x": {"role": "parameter", "values": [[0.5, -2.0], [3.0, 0.25]]},
    "W": {"role": "parameter", "shape": [2, 3], "init": "randn", "seed": 4},
    "b": {"role": "parameter", "shape": [3], "init": "randn", "seed": 5},
}


@pytest.mark.parametrize("expression", VALUES)
def test_values_that_are_sums_of_what_they_read(expression: Any) -> None:
    request = {"source": f"y = {expression}\nloss = (y * 2).sum() + (W.sum() + b.sum()) * 0", "tensors": TENSORS}
    run = run_of(request)
    for index in cells(run.plan.by_name["y"], expression, 4):
        answer = cell_of(run, "y", "value", index)
        assert answer["agrees"]
        assert answer["adds"] is VALUES[expression], index
        products = [term["product"] for term in answer["terms"]]
        assert all((product is None) is not answer["adds"] for product in products)
        if answer["adds"]:
            assert math.fsum(products) == pytest.approx(answer["sum"], abs=1e-12)


def test_a_product_adds_up_by_what_is_read_first_and_holds_the_rest() -> None:
    request = {"source": "y = x @ W + b\nloss = y.sum()", "tensors": TENSORS}
    answer = ask(request, tensor="y", which="value", index=[1, 2])
    assert answer["formula"] == "y[i,j] = Σ_k x[i,k] · W[k,j] + b[j]"
    assert [(p["through"], p["count"], p["formula"]) for p in answer["paths"]] == [
        ("x", 2, "x[i,k]"), ("W", 0, "W[k,j]"), ("b", 1, "b[j]"),
    ]  # fmt: skip
    assert [p["broadcast"] for p in answer["paths"]] == [False, False, True]


def test_picks_and_inputs() -> None:
    answer = ask(makemore.LESSON, tensor="emb", which="value", index=[3, 1, 2])
    (term,) = answer["terms"]
    assert (term["through"], term["cell"][1], term["local"]) == ("C", 2, 1.0)
    assert [(p["through"], p["count"]) for p in answer["paths"]] == [("C", 1), ("Xb", 0)]
    answer = ask(makemore.LESSON, tensor="Xb", which="value", index=[3, 1])
    assert (answer["terms"], answer["formula"], answer["shown"]) == ([], "", answer["sum"])


def test_the_largest_terms_come_first_and_the_rest_is_told() -> None:
    request = {
        "source": "y = x * s\nloss = (y * y).mean()",
        "tensors": {
            "x": {"role": "data", "shape": [1024, 1024], "init": "randn", "seed": 1},
            "s": {"role": "parameter", "values": 2.0},
        },
    }
    answer = ask(request, tensor="s", which="gradient", index=[])
    sizes = [abs(term["product"]) for term in answer["terms"]]
    assert len(sizes) == MOST
    assert sizes == sorted(sizes, reverse=True)
    assert answer["rest"]["count"] == answer["count"] - MOST == 2**20 - MOST
    assert math.fsum([*(t["product"] for t in answer["terms"]), answer["rest"]["sum"]]) == pytest.approx(answer["sum"])
    assert answer["agrees"]


LARGE = {
    "source": "h = torch.tanh(x @ W + b)\nlogits = h @ U\nloss = F.cross_entropy(logits, y)",
    "tensors": {
        "x": {"role": "data", "shape": [1024, 1024], "init": "randn", "seed": 1},
        "W": {"role": "parameter", "shape": [1024, 1024], "init": "randn", "scale": 0.03, "seed": 2},
        "b": {"role": "parameter", "shape": [1024], "init": "randn", "seed": 3},
        "U": {"role": "parameter", "shape": [1024, 27], "init": "randn", "scale": 0.03, "seed": 4},
        "y": {"role": "target", "shape": [1024], "init": "randint", "high": 27, "seed": 5},
    },
}


@pytest.mark.parametrize(
    ("tensor", "which", "count"), [("W", "gradient", 1024), ("x", "gradient", 1024), ("h", "value", 2049)]
)
def test_large_matrices_open(tensor: Any, which: Any, count: Any) -> None:
    answer = cell_of(run_of(LARGE), tensor, which, (5, 7))
    assert (answer["count"], answer["agrees"]) == (count, True)


def test_numbers_without_end_travel_as_words() -> None:
    request = {
        "source": "y = torch.sqrt(x)\nz = torch.where(x > 0, y, 0.0)\nloss = z.sum()",
        "tensors": {"x": {"role": "parameter", "values": [0.0, 4.0]}},
    }
    answer = ask(request, tensor="x", which="gradient", index=[0])
    assert (answer["terms"][0]["local"], answer["shown"], answer["sum"], answer["agrees"]) == (
        "Infinity",
        "NaN",
        "NaN",
        True,
    )


REFUSED: dict[str, dict[str, Any]] = {
    "tensor-near": {"tensor": "logit", "which": "value", "index": [0, 0]},
    "tensor-unknown": {"tensor": "qqqqqq", "which": "value", "index": []},
    "cell-outside": {"tensor": "h", "which": "gradient", "index": [32, 0]},
    "gradient-none": {"tensor": "Yb", "which": "gradient", "index": [0]},
    "step-other": {"tensor": "h", "which": "contribution", "index": [0, 0], "step": 3},
}


@pytest.mark.parametrize("code", REFUSED)
def test_what_is_not_there(code: Any) -> None:
    with pytest.raises(Refusal) as caught:
        ask(makemore.LESSON, **REFUSED[code])
    assert (caught.value.code, caught.value.status) == (code, 422)
    assert "{" not in caught.value.message + caught.value.hint


@pytest.mark.parametrize("index", [[], [0], [0, 0, 0], [0, 64]])
def test_an_index_of_another_shape(index: Any) -> None:
    with pytest.raises(Refusal, match=r"shape \(32, 64\)"):
        ask(makemore.LESSON, tensor="h", which="value", index=index)


def test_a_tensor_that_does_not_reach_the_loss() -> None:
    request = TWICE | {"source": "u = x * 2\nloss = x.sum()"}
    with pytest.raises(Refusal, match="No gradient reaches `u`"):
        ask(request, tensor="u", which="gradient", index=[0, 0])


def test_what_a_step_brings_is_told_apart_from_what_was_there() -> None:
    """A line that adds to some cells only: its contribution is zero in all others."""
    request = TWICE | {"source": "y = (x * x).sum() + x[0].sum()\nloss = y * 1"}
    run = run_of(request)
    for line, kept in zip(run.plan.lines, run.contributions, strict=True):
        assert line.mode == "=" or not torch.equal(kept.value, kept.accumulated)
    parts = [k.value for line, k in zip(run.plan.lines, run.contributions, strict=True) if line.variable == "dx"]
    assert torch.equal(torch.stack(parts).sum(0), run.gradients["dx"])


class NoForward(torch.autograd.Function):
    """x³ without a forward-mode formula."""

    @staticmethod
    def forward(ctx: Any, x: Any) -> Any:
        ctx.save_for_backward(x)
        return x**3

    @staticmethod
    def backward(ctx: Any, g: Any) -> Any:
        return 3 * ctx.saved_tensors[0] ** 2 * g


class OnlyBackward(NoForward):
    """The same, and its backward pass can't be differentiated either."""

    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(ctx: Any, g: Any) -> Any:
        return 3 * ctx.saved_tensors[0] ** 2 * g


@pytest.mark.parametrize("function", [NoForward.apply, OnlyBackward.apply, lambda x: x**3])
def test_other_ways_where_torch_has_no_forward_mode(function: Any) -> None:
    x, tangent = torch.tensor([1.0, 2.0, 3.0]), torch.tensor([0.0, 1.0, 0.0])
    assert jvp(function, x, tangent).tolist() == [0.0, 12.0, 0.0]
