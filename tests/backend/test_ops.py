"""Every operation in the registry, in every spelling, on every sample: autograd, central differences, shapes."""

from __future__ import annotations

import re

import pytest

from backend.ops import OPS
from backend.ops.base import expression
from tests.backend import plain, samples
from tests.backend.solution import problems, solve

DIFFERENTIABLE = [op for op in OPS if op.differentiable]
PAIRS = [pytest.param(op, text, id=f"{op.__name__} {text}") for op in DIFFERENTIABLE for text in op.samples]
TOLERANCE = 1e-7
# torch warns of its own default for kl_div.
pytestmark = pytest.mark.filterwarnings("ignore:reduction")


def cases(op, text):
    """(expression, program) for every way of writing the sample that torch itself accepts."""
    sample = samples.read(text, op)
    for spelling in op.written:
        for call in samples.written(spelling, sample):
            program = samples.case(call, sample)
            if program:
                yield call, program


@pytest.mark.parametrize(("op", "text"), PAIRS)
def test_agrees_with_autograd(op, text):
    found = list(cases(op, text))
    assert found, "no spelling of this sample can be run in torch"
    # `.float()` means float32 and nothing else.
    precision = (1e-6, "float32") if op.__name__ == "Float" else (TOLERANCE, "float64")
    for call, program in found:
        for exact in (False, True):
            assert not problems(program, exact, *precision), f"{call} (exact={exact})"


@pytest.mark.parametrize(("op", "text"), [pair for pair in PAIRS if pair.values[0].__name__ != "Float"])
def test_agrees_with_central_differences(op, text):
    _, program = next(cases(op, text))
    for exact in (False, True) if op.exact else (False,):
        solution = solve(program, exact)
        for name in plain.wanted(program, plain.tensors(program)):
            error = plain.numeric_error(program, name, solution.gradients[f"d{name}"])
            assert error <= TOLERANCE, f"{name}, exact={exact}"


@pytest.mark.parametrize("op", DIFFERENTIABLE, ids=lambda op: op.__name__)
def test_every_spelling_is_tried(op):
    assert op.samples, "an operation needs samples"
    tried = {spelling for text in op.samples for spelling in op.written if _runs(op, text, spelling)}
    assert tried == set(op.written)


def _runs(op, text, spelling):
    sample = samples.read(text, op)
    return any(samples.case(call, sample) for call in samples.written(spelling, sample))


@pytest.mark.parametrize("op", DIFFERENTIABLE, ids=lambda op: op.__name__)
def test_every_input_with_a_rule_is_tried(op):
    tried = {name for text in op.samples for name in samples.read(text, op).tensors}
    assert tried >= ({"t0", "t1"} if op.variadic else set(op.backward))


@pytest.mark.parametrize(
    ("op", "name"),
    [pytest.param(op, name, id=f"{op.__name__} {name}") for op in DIFFERENTIABLE for name in op.backward],
)
def test_a_wrong_rule_is_caught(op, name, monkeypatch):
    """What arrives is made a thousandth too large in the rule's text: the comparison must notice."""
    found = [program for text in op.samples for _, program in cases(op, text)]
    planted = too_large(op.backward[name])
    derive = op.derive
    if planted == op.backward[name]:
        monkeypatch.setattr(op, "derive", lambda call: {word: too_large(text) for word, text in derive(call).items()})
    if op.together:
        monkeypatch.setattr(op, "together", f"1.001 * {op.together}")
    if not any(map(problems, found)):
        monkeypatch.setitem(op.rules, name, expression(planted))
        monkeypatch.setitem(op.exact_rules, name, expression(planted))
    if not any(map(problems, found)):
        monkeypatch.setitem(op.rules, name, expression(f"torch.ones_like({name})"))
    assert any(map(problems, found))


@pytest.mark.parametrize("op", [op for op in DIFFERENTIABLE if op.together], ids=lambda op: op.__name__)
def test_a_part_alone(op, monkeypatch):
    """A part without the others goes back by the rule itself, which a planted mistake shows."""
    calls = [(call, samples.read(text, op)) for text in op.samples for call, _ in cases(op, text)]
    found = [samples.case(f"{call}[1]", sample) for call, sample in calls]
    assert not any(map(problems, found))
    derive = op.derive
    monkeypatch.setattr(op, "derive", lambda call: {word: too_large(text) for word, text in derive(call).items()})
    assert all(map(problems, found))


def too_large(text):
    return re.sub(r"\bg\b", "(1.001 * g)", text)


def test_an_incomplete_block_is_refused():
    from backend.ops.base import Op, register

    class Nameless(Op):
        """A block without spellings."""

    class Ruleless(Op):
        """A block without rules."""

        written = ("torch.ruleless(x)",)

    class Untried(Op):
        """A block without samples."""

        written = ("torch.untried(x)",)
        backward = {"x": "g"}
        because = {"x": "It passes through."}

    for block, sentence in ((Nameless, "written"), (Ruleless, "backward"), (Untried, "samples")):
        with pytest.raises(TypeError, match=sentence):
            register(block)
        assert block not in OPS
