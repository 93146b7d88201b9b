"""Every operation in the registry, in every spelling, on every sample: autograd, central differences, shapes."""

from __future__ import annotations

import ast
import math
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import torch

from backend.engine.language.expression import expression
from backend.engine.ops import OPS, base
from backend.engine.ops.arithmetic import Div, Pow
from backend.engine.ops.base import Call, Op
from backend.engine.ops.groups import GROUPS
from backend.engine.ops.pointwise import Pointwise
from tests.support import op_samples, torch_reference
from tests.support.solve import problems, solve

DIFFERENTIABLE = [op for op in OPS if op.differentiable]
PAIRS = [(op, text) for op in DIFFERENTIABLE for text in op.samples]
PAIR_NAMES = [f"{op.__name__} {text}" for op, text in PAIRS]
TOLERANCE = 1e-7
# A planted error is a thousand times as large; `.float()` may round by less.
NOTICED = 1e-6
# torch warns of its own default for kl_div, and of a copy that it makes for a convolution.
pytestmark = [pytest.mark.filterwarnings("ignore:reduction"), pytest.mark.filterwarnings("ignore:Using padding='same'")]


def cases(op: Any, text: Any) -> Iterator[Any]:
    """(expression, program) for every way of writing the sample that torch itself accepts."""
    sample = op_samples.read(text, op)
    for spelling in op.written:
        for call in op_samples.written(spelling, sample):
            program = op_samples.case(call, sample)
            if program:
                yield call, program


@pytest.mark.parametrize(("op", "text"), PAIRS, ids=PAIR_NAMES)
def test_agrees_with_autograd(op: Any, text: Any, thorough: bool) -> None:
    """Every spelling; exact rules, to which they are all the same, of the first, and of all in `make test-all`."""
    found = list(cases(op, text))
    assert found, "no spelling of this sample can be run in torch"
    for number, (call, program) in enumerate(found):
        for exact in (False, True) if thorough or number == 0 else (False,):
            assert not problems(program, exact, *precision(op)), f"{call} (exact={exact})"


@pytest.mark.parametrize("call", ["x.clamp(0, 1)", "x.clamp(min=0)", "torch.clamp(x, max=1)", "x.clamp_min(0)"])
def test_a_cell_at_the_number_that_bounds_it_gets_what_this_pytorch_gives_it(call: str) -> None:
    """The whole gradient until 2.13, none from 2.14 on."""
    given = {"x": {"role": "parameter", "values": [-1.0, 0.0, 0.5, 1.0, 2.0]}}
    assert not problems({"source": f"y = {call}\nloss = y.sum()", "tensors": given})


def test_a_zero_times_a_logarithm_has_a_slope() -> None:
    """As a count that is none has, in the likelihood of a Poisson distribution."""
    given = {
        name: {"role": "parameter", "values": values} for name, values in {"x": [0.0, 1.0], "y": [1.5, 0.5]}.items()
    }
    assert not problems({"source": "loss = torch.xlogy(x, y).sum()", "tensors": given})


@pytest.mark.parametrize("call", ["x.clamp(a, b)", "x.clamp(min=a)", "x.clamp(max=b)", "x.clamp(a, b).sqrt()"])
def test_a_cell_at_the_tensor_that_bounds_it_shares_as_this_pytorch_has_it(call: str) -> None:
    """The cell has the whole gradient until 2.13, half of it from 2.14 on; bounds that are equal, or cross, too."""
    given = {
        name: {"role": "parameter", "values": values}
        for name, values in {
            "x": [0.5, 1.0, 2.0, 3.0, 4.0, 0.5, 1.0, 2.0, 1.0, 2.0, 3.0],
            "a": [1.0] * 5 + [1.0] * 3 + [3.0] * 3,
            "b": [3.0] * 5 + [1.0] * 3 + [1.0] * 3,
        }.items()
        if name in call.replace("clamp", "").replace("max", "")
    }
    assert not problems({"source": f"y = {call}\nloss = y.sum()", "tensors": given})


def precision(op: Any) -> Any:
    """`.float()` means float32 and nothing else."""
    return (1e-6, "float32") if op.__name__ == "Float" else (TOLERANCE, "float64")


def some_with_every_input(op: Any) -> Iterator[Any]:
    """One sample in three, and the first with each input; the others, which autograd's tests try, are exhaustive."""
    seen: set[str] = set()
    for number, text in enumerate(op.samples):
        inputs = set(op_samples.read(text, op).tensors)
        marks = pytest.mark.exhaustive if number % 3 and inputs <= seen else ()
        seen |= inputs
        yield pytest.param(op, text, id=f"{op.__name__} {text}", marks=marks)


@pytest.mark.parametrize(("op", "text"), [sample for op in DIFFERENTIABLE for sample in some_with_every_input(op)])
def test_agrees_with_central_differences(op: Any, text: Any, thorough: bool) -> None:
    """The differences are taken of one spelling: the others are the same function, as their values say.

    So are the gradients, unless all is tried: those of the others are held against autograd's above.
    """
    if op.__name__ == "Float":  # which has no digits for differences: see `precision`
        return
    if "padding_idx" in text:  # whose row has no gradient because torch says so
        return
    found = list(cases(op, text))
    (_, first), tensors = found[0], torch_reference.tensors(found[0][1])
    slopes = {name: torch_reference.central(first, name) for name in torch_reference.wanted(first, tensors)}
    value = pytest.approx(torch_reference.value_of(first, tensors), rel=1e-12)
    for call, program in found:
        assert torch_reference.value_of(program, tensors) == value, call
    for call, program in found if thorough else found[:1]:
        for exact in (False, True) if op.exact else (False,):
            gradients = solve(program, exact).gradients
            for name, slope in slopes.items():
                assert torch_reference.error_beside(slope, gradients[f"d{name}"]) <= TOLERANCE, (
                    f"{call} by {name}, {exact=}"
                )


def test_every_spelling_is_tried() -> None:
    for op in DIFFERENTIABLE:
        tried = {spelling for text in op.samples for spelling in op.written if _runs(op, text, spelling)}
        assert tried == set(op.written), op


def _runs(op: Any, text: Any, spelling: Any) -> Any:
    sample = op_samples.read(text, op)
    return any(op_samples.case(call, sample) for call in op_samples.written(spelling, sample))


def test_every_input_with_a_rule_is_tried() -> None:
    for op in DIFFERENTIABLE:
        tried = {name for text in op.samples for name in op_samples.read(text, op).tensors}
        assert tried >= ({"t0", "t1"} if op.variadic else set(op.backward)), op


def slope_at_zero(written: str) -> float:
    """The slope of a function of one tensor, by autograd; NaN where zero is outside."""
    x = torch.zeros(2, dtype=torch.float64, requires_grad=True)
    made = eval(written, {"torch": torch, "F": torch.nn.functional, "x": x})
    return float(torch.autograd.grad(made.sum(), x)[0][0])


def test_the_poles_are_where_the_slope_is_infinite() -> None:
    alone = [op for op in DIFFERENTIABLE if issubclass(op, Pointwise) and len(op.signatures[0].parameters) == 1]
    assert len(alone) > 40
    infinite = {op.__name__ for op in alone if math.isinf(slope_at_zero(op.written[0]))}
    assert infinite == {op.__name__ for op in alone if op.poles}
    assert {"Sqrt", "Log", "Reciprocal"} < infinite
    assert Div.poles == {"y"}
    assert math.isinf(slope_at_zero("1 / x"))


@pytest.mark.parametrize("power", [-1.0, -0.5, 0.0, 0.5, 1.0, 1.5, 2.0])
def test_a_power_has_a_pole_below_one(power: float) -> None:
    call = Call({"x": (2,)}, {"n": power}, (2,))
    assert Pow.has_pole("x", call) == math.isinf(slope_at_zero(f"x ** {power}"))


# Planted errors: a thousandth in one rule, or in one helper line.
RULES = [
    pytest.param(op, name, exact, id=f"{op.__name__} {name}{' exact' * exact}")
    for op in DIFFERENTIABLE
    for exact, rules in ((False, op.rules), (True, op.exact_rules))
    for name in rules
]
AIDS = [pytest.param(op, aid, id=f"{op.__name__} {aid}") for op in DIFFERENTIABLE for aid in op.aids]


@pytest.mark.parametrize(("op", "name", "exact"), RULES)
def test_a_wrong_rule_is_caught(op: Any, name: Any, exact: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """In each sample in which anything arrives at the input; where nothing ever does, any number is too much."""
    rules, found = (op.exact_rules if exact else op.rules), [next(cases(op, text))[1] for text in op.samples]
    reached = [program for program in found if is_used(program, op) and arrives(program, name, op)]
    if ast.unparse(rules[name]) == "placed":  # a statement that writes into cells, whose text `derive` gives
        monkeypatch.setattr(op, "derive", derived_too_large(op.derive))
        monkeypatch.setattr(op, "together", f"1.001 * {op.together}" if op.together else "")
    else:
        planted = f"1.001 * ({ast.unparse(rules[name])})" if reached else f"torch.ones_like({name})"
        monkeypatch.setitem(rules, name, expression(planted))
    for program in reached or found[:1]:
        assert problems(program, exact, NOTICED), program["source"]


@pytest.mark.parametrize("op", [op for op in DIFFERENTIABLE if op.together], ids=lambda op: op.__name__)
def test_a_part_alone(op: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """A part without the others goes back by the rule itself, which a planted mistake shows."""
    calls = [(call, op_samples.read(text, op)) for text in op.samples for call, _ in cases(op, text)]
    tried = [op_samples.case(f"{call}[1]", sample) for call, sample in calls]
    found = [program for program in tried if program]
    assert not any(problems(program) for program in found)
    monkeypatch.setattr(op, "derive", derived_too_large(op.derive))
    assert all(problems(program) for program in found)


def derived_too_large(derive: Any) -> Any:
    return lambda call: {word: re.sub(r"\bg\b", "(1.001 * g)", text) for word, text in derive(call).items()}


def is_used(program: Any, op: Any) -> Any:
    """Whether the operation is in the graph: `x.float()` of float32 is x."""
    return any(node.op is op for node in solve(program).graph.nodes)


def arrives(program: Any, name: Any, op: Any) -> Any:
    """Whether autograd's gradient of an input has a cell that is not zero."""
    names = torch_reference.wanted(program, torch_reference.tensors(program)) if name == op.variadic else [name]
    gradients = {
        one: gradient for one, (_, gradient) in torch_reference.reference(program).items() if gradient is not None
    }
    return any(one in gradients and bool(gradients[one].any()) for one in names)


@pytest.mark.parametrize(("op", "aid"), AIDS)
def test_a_wrong_helper_line_is_caught(op: Any, aid: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """A number a thousandth too large, a mask turned over, the first place for every place."""
    found = [next(cases(op, text))[1] for text in op.samples]
    text = expression(op.aids[aid])
    is_mask = isinstance(text, ast.Compare) or isinstance(getattr(text, "op", None), ast.BitAnd)
    is_place = aid in ("winners", "place")
    sign = "~" if is_mask else "0 * " if is_place else "1.001 * "
    monkeypatch.setitem(op.aids, aid, f"{sign}({op.aids[aid]})")
    assert any(problems(program, tolerance=NOTICED) for program in found)


# Blocks that lack something.
COMPLETE: dict[str, Any] = {
    "__doc__": "Twice the number.",
    "written": ("torch.twice(x)",),
    "backward": {"x": "2.0 * g"},
    "because": {"x": "It arrives twice."},
    "samples": ("(2,3)",),
}
LACKING: dict[str, tuple[dict[str, Any], str]] = {
    "a docstring": ({"__doc__": None}, "needs a docstring"),
    "another block's docstring": ({"__doc__": Op.__doc__}, "needs a docstring"),
    "spellings": ({"written": ()}, "needs `written`"),
    "rules": ({"backward": {}, "because": {}}, "needs `backward`"),
    "a reason": ({"because": {}}, "needs a `because`"),
    "a rule for its reason": ({"because": {"x": "So.", "y": "So."}}, "needs a `because`"),
    "samples": ({"samples": ()}, "needs `samples`"),
    "why it is not exact": ({"exact": {"x": "g + g"}}, "must say `why_not_exact`"),
}


@pytest.fixture
def registry(monkeypatch: pytest.MonkeyPatch) -> Any:
    """The operations, to which a test may add."""
    monkeypatch.setattr(base, "OPS", list(OPS))
    monkeypatch.setattr(base, "REGISTRY", dict(base.REGISTRY))
    return base.OPS


@pytest.mark.parametrize("what", LACKING)
def test_an_incomplete_block_is_refused(what: Any, registry: Any) -> None:
    changed, sentence = LACKING[what]
    before = list(registry)
    with pytest.raises(TypeError, match=sentence) as refused:
        type("Twice", (Op,), COMPLETE | changed)
    assert "Twice" in str(refused.value)
    assert registry == before


def test_only_what_others_share_has_no_spelling() -> None:
    def leaves(block: type[Op]) -> list[type[Op]]:
        below = block.__subclasses__()
        return [leaf for one in below for leaf in leaves(one)] if below else [block]

    ours = [leaf for leaf in leaves(Op) if leaf.__module__.startswith("backend.")]
    assert len(ours) > 200
    assert [leaf.__name__ for leaf in ours if leaf not in OPS] == []


def test_every_module_with_operations_is_in_a_group() -> None:
    folder = Path(base.__file__).parent
    with_blocks = {
        path.stem for path in folder.glob("*.py") if re.search(r"^    written\b.* = ", path.read_text(), re.MULTILINE)
    }
    assert with_blocks == set(GROUPS) | {"base"}


def test_a_complete_block_is_an_operation(registry: Any) -> None:
    block = type("Twice", (Op,), COMPLETE)
    assert registry[-1] is block
    assert base.REGISTRY["torch.twice"] == [(block, block.signatures[0])]
