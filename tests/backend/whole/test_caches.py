"""What is kept for later is bounded by what it holds: a process that is asked for ever does not grow for ever."""

from __future__ import annotations

import gc
import itertools
import json
import re
import tracemalloc
import weakref
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Any

import pytest
import torch
from cachetools import LRUCache

import backend
from backend.engine.execute import plan
from backend.engine.execute.plan import Plan, plan_for
from backend.engine.interpret import shape_cache
from backend.engine.interpret.evaluate import DefaultDtype
from backend.engine.language import expression as rules
from backend.pipeline import make_plan, new_run
from backend.practice import exercise
from backend.present.drawings import drawings_of
from backend.present.steps import steps_of
from backend.program import runs
from backend.program.request import Material, identity, read
from tests.support.programs import request_of

WEIGHTS = {"x": {"role": "parameter", "shape": [3, 3], "init": "randn"}}


def program(lines: int, number: int = 0) -> dict[str, Any]:
    return {
        "source": f"h = x + {number}\nfor i in range({lines}):\n    h = torch.tanh(h @ x)\nloss = h.sum()",
        "tensors": WEIGHTS,
    }


@pytest.fixture(autouse=True)
def _empty() -> Iterator[None]:
    plan._plans.clear()
    yield
    plan._plans.clear()


@pytest.fixture
def traced_memory() -> Iterator[None]:
    gc.freeze()  # what is there already isn't counted, and need not be gone through at every look
    tracemalloc.start()
    yield
    tracemalloc.stop()


def held() -> int:
    gc.collect()
    return tracemalloc.get_traced_memory()[0]


def looked_at(made: plan.Plan) -> None:
    """With all that is made of it once somebody comes near each of its steps."""
    steps = steps_of(made)
    drawn = drawings_of(made)
    for sequence in (drawn.pictures, drawn.forward_pictures, drawn.picture_cells, drawn.forward_cells, steps.parts):
        assert list(sequence) is not None
    assert steps.questions is not None


PROGRAMS: list[dict[str, Any]] = [
    program(15), request_of("makemore"), request_of("gru-lists"), request_of("multihead"),
    {"source": "for i in range(150):\n    s = 'aaaa'\nloss = x.sum()", "tensors": WEIGHTS},
]  # fmt: skip


@pytest.mark.parametrize("request_body", PROGRAMS, ids=["loop", "lesson", "lists", "heads", "no nodes"])
def test_a_plan_knows_about_how_much_it_holds(request: pytest.FixtureRequest, request_body: dict[str, Any]) -> None:
    material = read(request_body)
    looked_at(make_plan(material))  # what the first one brings into other caches is not its own
    request.getfixturevalue("traced_memory")
    before = held()
    made = make_plan(material)
    looked_at(made)
    size = held() - before
    assert size < made.bytes < 4 * size


@pytest.fixture
def no_collection() -> Iterator[None]:
    gc.disable()
    yield
    gc.enable()


@pytest.mark.parametrize("request_body", PROGRAMS, ids=["loop", "lesson", "lists", "heads", "no nodes"])
@pytest.mark.usefixtures("no_collection")
def test_a_plan_ends_with_its_last_use_and_waits_for_no_collection(request_body: dict[str, Any]) -> None:
    forget()
    backend.walk(request_body | {"steps": "all"})
    backend.steps({"walk": request_body, "steps": [0, 1], "judged": [], "questions": True})
    run = runs._runs[identity(request_body)]
    kept = run.plan
    looked_at(kept)
    parts = [weakref.ref(one) for one in (run, kept, kept.graph, kept.lines[-1], steps_of(kept), drawings_of(kept))]
    forget()
    del kept, run
    assert [type(part()).__name__ for part in parts if part() is not None] == []


@pytest.mark.exhaustive
@pytest.mark.usefixtures("traced_memory")
def test_plans_do_not_add_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plan, "_plans", LRUCache(900_000, getsizeof=lambda kept: kept.bytes))
    sizes = []
    for number in range(16):
        looked_at(plan_for(read(program(4, number)), make_plan))
        sizes.append(held())
    assert len(plan._plans) >= 2
    assert sizes[-1] - sizes[0] < 1_100_000
    assert max(sizes[8:]) < 1.15 * max(sizes[:8])


def test_a_plan_larger_than_all_together_is_made_and_not_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plan, "MOST_BYTES", 50_000)
    assert isinstance(plan_for(read(program(30)), make_plan), Plan)
    assert len(plan._plans) == 0


def test_plans_that_were_not_looked_at_go_first() -> None:
    requests = [read(program(2, number)) for number in range(3)]
    first, second, third = (plan_for(one, make_plan) for one in requests)
    assert plan_for(requests[0], make_plan) is first
    assert plan_for(requests[2], make_plan) is third
    assert plan_for(requests[1], make_plan) is second


@pytest.mark.usefixtures("traced_memory")
def test_rules_with_numbers_of_a_call_do_not_add_up(monkeypatch: pytest.MonkeyPatch) -> None:
    assert rules._kept.cache_info().maxsize == rules.MOST_KEPT
    monkeypatch.setattr(rules, "_kept", lru_cache(500)(rules.parsed))
    texts = (f"g[{start}:{start + 7}] * {start}" for start in itertools.count())
    sizes = []
    for _ in range(4):
        for text in itertools.islice(texts, 500):
            rules.expression(text)
        sizes.append(held())
    assert sizes[-1] < 1.1 * sizes[0]
    long = f"x[{', '.join(['0'] * 200)}]"
    assert rules.expression(long) is not rules.expression(long)


def test_shapes_that_are_remembered_do_not_add_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shape_cache, "_results", {})
    monkeypatch.setattr(shape_cache, "MOST_WORDS", 1_000)
    wide = {"x": {"role": "parameter", "shape": [4, 500], "init": "zeros"}}
    for end in range(1, 150):
        source = f"a = x.sum()\nh = torch.full((2, 3), {end}) * torch.zeros({end}, 2, 3)\nloss = a + h.sum()"
        backend.check({"source": source, "tensors": wide})
    assert sum(len(use) for use in shape_cache._results) <= 1_000
    assert shape_cache._words <= 1_000


def test_runs_count_their_plans_once() -> None:
    runs._runs.clear()
    other = {"x": WEIGHTS["x"] | {"seed": 7}}
    one, two = new_run(program(20)), new_run(program(20) | {"tensors": other})
    assert one.plan is two.plan
    assert one.plan.bytes > 400_000
    assert runs._bytes() == one.plan.bytes + one.bytes + two.bytes


def test_the_oldest_runs_make_room_and_no_more_than_must(monkeypatch: pytest.MonkeyPatch) -> None:
    runs._runs.clear()
    monkeypatch.setattr(runs, "MOST_BYTES", 3 * new_run(program(20)).plan.bytes)
    for turn in range(12):  # two of one plan, then two of another
        before = dict(runs._runs)
        seed = {"x": WEIGHTS["x"] | {"seed": turn}}
        new_run(program(20, number=turn // 2) | {"tensors": seed})
        gone = [key for key in before if key not in runs._runs]
        assert runs._bytes() <= runs.MOST_BYTES
        assert gone == [*before][: len(gone)]
        if gone:
            runs._runs[gone[-1]] = before[gone[-1]]
            assert runs._bytes() > runs.MOST_BYTES
            del runs._runs[gone[-1]]


def narrated(request_body: dict[str, Any]) -> int:
    steps = json.loads(backend.walk(request_body))["steps"]
    return sum(piece["kind"] == "lesson" for step in steps for piece in step["explanation"])


@pytest.mark.parametrize("order", list(itertools.permutations(range(3))))
def test_a_lesson_and_the_same_program_of_one_s_own_are_two_things(order: tuple[int, ...]) -> None:
    own = backend.program({"lesson": "makemore-mlp"})["request"]
    requests = [{"lesson": "makemore-mlp"}, own, own | {"dtype": "float64"}]
    told = {number: narrated(requests[number]) for number in (*order, *order)}
    assert told[0] > 5
    assert told[1] == told[2] == 0


def test_every_field_that_a_plan_depends_on_is_in_its_key() -> None:
    base_request = program(2) | {"constants": {"k": 1}, "dims": {"x": ["a", "b"]}}
    other: list[dict[str, Any]] = [
        {"constants": {"k": 1.0}}, {"constants": {"k": 2}}, {"constants": {}}, {"dims": {}}, {"dims": {"x": ["b", "a"]}},
        {"dtype": "float64"}, {"exact": True}, {"loss": "loss"}, {"source": base_request["source"] + "\n"},
        {"tensors": {"x": WEIGHTS["x"] | {"role": "data"}, "y": WEIGHTS["x"]}},
    ]  # fmt: skip
    materials: list[Material] = [read(base_request | change) for change in ({}, *other)]
    assert len({plan._key(one) for one in materials}) == len(materials)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_a_plan_is_the_same_whatever_the_process_calls_its_usual_precision(dtype: str) -> None:
    made = []
    for usual in (torch.float32, torch.float64):
        with DefaultDtype(usual):
            one = make_plan(read(request_of("focal") | {"dtype": dtype}))
            made.append(
                (
                    [line.code for line in one.lines],
                    list(drawings_of(one).forward_cells),
                    list(drawings_of(one).picture_cells),
                )
            )
    assert made[0] == made[1]
    assert sum(map(bool, made[0][1] + made[0][2])) == 9  # with the one-hot rows that `.float()` makes decimals of


def as_written(request: dict[str, Any], backwards: bool) -> dict[str, Any]:
    """A request whose tensors, dimensions and constants are written in one order or the other."""
    turned = {
        name: dict(reversed(entries.items())) if backwards else entries
        for name, entries in request.items()
        if isinstance(entries, dict)
    }
    return request | turned


OWN: dict[str, Any] = {
    "source": "h = torch.tanh(X @ W + b) * k + m\nloss = (h - Y).pow(2).mean()",
    "tensors": {
        "X": {"role": "data", "shape": [4, 3], "init": "randn", "seed": 1},
        "W": {"role": "parameter", "shape": [3, 2], "init": "randn", "seed": 2},
        "b": {"role": "parameter", "shape": [2], "init": "randn", "seed": 3},
        "Y": {"role": "target", "shape": [4, 2], "init": "randn", "seed": 4},
    },
    "constants": {"k": 2.0, "m": 0.5},
    "dims": {"X": ["example", "feature"], "W": ["feature", "unit"]},
}
ASKED: dict[str, Callable[[dict[str, Any]], Any]] = {
    "walk": backend.walk,
    "whole": lambda walk: backend.walk(walk | {"steps": "all"}),
    "steps": lambda walk: backend.steps({"walk": walk, "steps": range(8), "judged": ["W"], "questions": True}),
    "tasks": lambda walk: backend.practice_tasks({"walk": walk}),
    "check": lambda walk: backend.practice_check({"walk": walk, "target": "W", "answer": "dW = X.T @ dh", "hints": 3}),
    "export": lambda walk: backend.export(walk, "py"),
    "program": lambda walk: backend.program(walk),
    "mistakes": lambda walk: backend.mistakes({"walk": walk, "step": 2}),
    "pieces": lambda walk: backend.pieces({"walk": walk}),
    "cell": lambda walk: backend.cell({"walk": walk, "tensor": "W", "which": "gradient", "index": [0, 1]}),
}


@pytest.mark.parametrize("what", ASKED)
@pytest.mark.parametrize("backwards", [False, True])
def test_nobody_is_answered_in_the_order_of_who_asked_before(what: str, backwards: bool) -> None:
    """The same request has the same answer in every process, whoever asked for the same program in another order."""
    forget()
    ASKED[what](as_written(OWN, not backwards))
    warm = ASKED[what](as_written(OWN, backwards))
    forget()
    assert without_times(warm) == without_times(ASKED[what](as_written(OWN, backwards)))


def forget() -> None:
    """Be as a process that nobody has asked anything yet."""
    for kept in (plan._plans, runs._runs, exercise._kept):
        kept.clear()


def without_times(answer: Any) -> str:
    """An answer as text, without what the clock says in it."""
    text = answer.decode() if isinstance(answer, bytes) else json.dumps(answer)
    return re.sub(r'"milliseconds":\{[^}]*\}', "", text)
