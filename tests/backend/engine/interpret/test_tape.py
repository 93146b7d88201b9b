"""What a tape's calls give is what its lines give when they are evaluated, bit for bit, on whatever numbers."""

from __future__ import annotations

import operator
from dataclasses import replace
from typing import Any

import pytest
import torch

from backend.engine.execute.plan import Plan
from backend.engine.execute.session import ProgramRun, execute
from backend.engine.interpret.evaluate import Evaluator
from backend.engine.interpret.tape import Tape, Tapes, TapeWriter
from backend.engine.language.errors import Refusal
from backend.engine.language.parse import parse
from backend.engine.language.pytree import tensors_in
from backend.pipeline import make_plan, material_of
from backend.program.request import Material
from tests.support.asking import program
from tests.support.programs import REQUESTS, mostly, request_of

X = [[0.5, -1.0, 2.0], [1.5, 0.25, -0.75]]
KINDS = (torch.float32, torch.float64)


def other_numbers(material: Material) -> Material:
    """The same program on numbers that stand in other places."""
    mixed = {n: t.flip(t.ndim - 1) if t.is_floating_point() and t.ndim else t for n, t in material.tensors.items()}
    return replace(material, tensors=mixed)


def known(material: Material) -> Plan:
    """A plan that has run twice in each precision: its tapes are written, or can't be."""
    plan = make_plan(material)
    for dtype in KINDS * 2:
        execute(plan, replace(material, dtype=dtype))
    return plan


def whole(run: ProgramRun) -> list[Any]:
    """All that a run holds, with a name for each."""
    kept = [(f"line {number}", [one.value, one.accumulated]) for number, one in enumerate(run.contributions)]
    return [*run.forward.values.items(), *run.forward.autograd.items(), *run.backward.scope.items(), *kept]


def differing(one: ProgramRun, other: ProgramRun) -> list[str]:
    """The names of what is not the same in two runs, in every bit."""
    names = [name for name, _ in whole(one)]
    if sorted(names) != sorted(name for name, _ in whole(other)):
        return ["names"]
    pairs = zip(
        sorted(whole(one), key=lambda kept: kept[0]), sorted(whole(other), key=lambda kept: kept[0]), strict=True
    )
    return [name for (name, mine), (_, other) in pairs if not same(list(tensors_in([mine])), list(tensors_in([other])))]


def same(mine: list[torch.Tensor], other: list[torch.Tensor]) -> bool:
    pairs = zip(mine, other, strict=False)
    return len(mine) == len(other) and all(
        a.dtype == b.dtype and torch.equal(a.nan_to_num(7.5), b.nan_to_num(7.5)) for a, b in pairs
    )


@pytest.mark.parametrize("name", mostly(REQUESTS))
def test_a_tape_gives_what_its_lines_give(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    material = material_of(request_of(name))
    try:
        plan, plain = known(material), make_plan(material)
    except Refusal:
        pytest.skip("it is refused on these numbers")
    others = [replace(other_numbers(material), dtype=dtype) for dtype in KINDS]
    wanted = [execute(plain, other) for other in others]
    if not plan.graph.actual:
        monkeypatch.setattr(Evaluator, "statement", lambda *_: pytest.fail("a line was read again"))
    for other, want in zip(others, wanted, strict=True):
        assert differing(execute(plan, other), want) == []


def of(source: str, **given: Any) -> Material:
    return material_of(program(source, **given))


def test_of_other_shapes_the_lines_are_evaluated() -> None:
    material = of("n = x.shape[1]\nloss = (x * n).sum()", x=X)
    plan = known(material)
    wider = torch.ones(2, 5)
    run = execute(plan, replace(material, tensors={"x": wider}))
    assert float(run.forward.tensors["loss"]) == 50
    assert torch.equal(run.gradients["dx"], torch.full((2, 5), 5.0))


def test_what_fails_on_other_numbers_is_told_as_at_first() -> None:
    material = of("y = x[i]\nloss = (y * y).sum()", x=X, i={"role": "data", "values": [0, 1, 1]})
    plan, outside = known(material), replace(material, tensors={**material.tensors, "i": torch.tensor([0, 1, 2])})
    told = []
    for one in (plan, make_plan(material)):
        with pytest.raises(Refusal) as caught:
            execute(one, outside)
        told.append((caught.value.code, caught.value.message, caught.value.where))
    assert told[0] == told[1]
    assert told[0][2] is not None


def test_memory_that_runs_out_is_no_reason_to_try_again() -> None:
    def full(*_: Any) -> None:
        raise MemoryError

    tape = recorded("y = x + 1", x=torch.ones(2))
    assert tape is not None
    tape.calls = [(full, reader, out) for _, reader, out in tape.calls]
    with pytest.raises(MemoryError):
        tape.run({"x": torch.ones(2)})


def recorded(source: str, **scope: torch.Tensor) -> Tape | None:
    """The tape of some lines, which gives all that they name."""
    writer = TapeWriter(dict(scope), scope)
    writer.run(list(parse(source).statements))
    return writer.tape(value for name, value in writer.scope.items() if name not in scope)


def test_an_index_made_of_numbers_in_tensors_is_not_written_down() -> None:
    scope = {"x": torch.arange(4.0), "k": torch.tensor(2)}
    assert recorded("y = x[[0, 2]]", **scope) is not None
    assert recorded("y = x[[0, k]]", **scope) is None
    assert recorded("y = x[k]", **scope) is not None


def test_a_tensor_that_no_call_has_made_is_not_written_down() -> None:
    writer = TapeWriter({"x": torch.ones(2), "y": torch.ones(2)}, ["x"])
    writer.run(list(parse("z = x + y").statements))
    assert writer.tape([writer.scope["z"]]) is None


def test_what_nobody_reads_any_more_is_let_go() -> None:
    lines = "\n".join(["y = x + 1", *["y = y * 2"] * 20])
    tape = recorded(lines, x=torch.ones(2))
    assert tape is not None
    assert len({out for _, _, out in tape.calls}) <= 3
    assert [one.tolist() for one in tape.run({"x": torch.zeros(2)}) or ()] == [[2.0**20] * 2]


def test_a_tape_is_written_at_the_second_run_and_where_shapes_tell_all() -> None:
    def evaluators(tapes: Tapes) -> list[type]:
        return [type(tapes.evaluator({}, list, torch.float32)) for _ in range(3)]

    assert evaluators(Tapes(may_be=True)) == [Evaluator, TapeWriter, Evaluator]
    assert evaluators(Tapes(may_be=False)) == [Evaluator] * 3


# Lines that ask for the precision they run in: as a number, as a kind by its place, and by its name.
OF_PRECISION = (
    "y = x * torch.finfo(x.dtype).eps",
    "y = x + torch.tensor(0.1).to(x.dtype)",
    "y = x + (x > 0).type(x.dtype)",
    "y = x + (x > 0).to(dtype=x.dtype)",
    "y = x + torch.ones(3, dtype=x.dtype)",
)
OF_EITHER = (
    "y = torch.tanh(x) * 0.1",
    "y = x + torch.full((3,), 0.1)",
    "y = x.masked_fill((x > 0).to(torch.bool), 0.0)",
)


@pytest.mark.parametrize("line", [*OF_PRECISION, *OF_EITHER])
def test_the_other_precision_has_the_same_tape_unless_the_lines_ask_for_theirs(line: str) -> None:
    material = of(f"{line}\nloss = (y * y).sum()", x=X)
    plan, single, double = make_plan(material), *(replace(material, dtype=dtype) for dtype in KINDS)
    for _ in range(2):
        execute(plan, single)
    tapes = plan.graph.tapes
    assert (tapes.run({"x": material.tensors["x"].double()}, torch.float64) is None) == (line in OF_PRECISION)
    assert differing(execute(plan, double), execute(make_plan(material), double)) == []


def test_what_a_line_adds_to_some_cells_is_worked_out_once() -> None:
    material = of("a = x[0] * w\nb = x[1] * w\nloss = (a * b).sum()", x=[[1.0, 2.0], [3.0, 4.0]], w=[0.5, -1.0])
    plan = known(material)
    assert "dx[0] += w * da" in plan.backward_source
    tape, _ = plan.tapes._written[material.dtype]
    assert sum(function is operator.mul for function, *_ in tape.calls) == plan.backward_source.count("*")
