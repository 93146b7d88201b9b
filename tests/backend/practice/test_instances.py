"""Other instances of a program: other sizes where they fit, and numbers of the same kind."""

from __future__ import annotations

import torch

from backend.pipeline import material_of
from backend.practice.check import practice_tasks
from backend.practice.exercise import exercise_of
from backend.practice.instances import LENGTHS, redrawn, resized
from backend.program.starts import starts

MAKEMORE = {"lesson": "makemore-mlp"}


def test_a_program_at_other_sizes_has_every_length_changed_and_none_alike() -> None:
    other = resized(material_of(MAKEMORE), LENGTHS, 1)
    assert other is not None
    assert other.sizes[30] == other.sizes[3] * other.sizes[10], "three letters side by side"
    assert other.material.constants["n"] == other.sizes[32]
    assert len(set(other.sizes.values())) == len(other.sizes)
    assert all(new != old for old, new in other.sizes.items())


def test_every_exercise_has_instances_besides_the_one_that_is_shown() -> None:
    for request in (MAKEMORE, *(start["request"] for start in starts())):
        trials = exercise_of(request).trials
        assert len(trials) == 4, request
        assert trials[0].kind == "shown"


def test_what_can_be_written_is_told_without_them_and_a_long_program_has_fewer() -> None:
    lines = "\n".join(f"h{i + 1} = torch.tanh(h{i} @ W)" for i in range(30))
    drawn = {"role": "parameter", "init": "randn", "seed": 1}
    tensors = {"x": drawn | {"shape": [3, 4], "role": "data"}, "W": drawn | {"shape": [4, 4]}}
    request = {"source": f"h0 = x * 1\n{lines}\nloss = h30.sum()", "tensors": tensors}
    assert len(practice_tasks({"walk": request})["tasks"]) == 33
    exercise = exercise_of(request)
    assert "trials" not in vars(exercise), "other instances cost most of the time, and are for answers"
    before = exercise.bytes
    assert [one.kind for one in exercise.trials] == ["shown", "sizes"]
    assert exercise.bytes > before


def test_numbers_are_drawn_of_the_same_kind() -> None:
    places = torch.tensor([0, 26, 5])
    assert int(redrawn(places, (50,), {27: 11}, 1).max()) < 11
    assert bool((redrawn(torch.rand(9) + 1, (50,), {}, 1) > 0).all())
    shares = redrawn(torch.softmax(torch.randn(4, 5), 1), (6, 7), {}, 1)
    assert torch.allclose(shares.sum(1), torch.ones(6))
    triangle = redrawn(torch.ones(4, 4).tril(), (6, 6), {}, 1)
    assert torch.equal(triangle, torch.ones(6, 6).tril())
    constant = redrawn(torch.zeros(5), (5,), {}, 1)
    assert float(constant.std()) > 0, "zeros would hide a factor"
    assert redrawn(torch.empty(0, 3), (0, 3), {}, 1).shape == (0, 3)  # without a warning about its spread
