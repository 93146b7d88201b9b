"""A missing tensor's shape is guessed from its use: the guess runs, and is right or says what remains free."""

from __future__ import annotations

import re
from typing import Any

import pytest

import backend
from backend.program.request import read
from backend.program.starts import starts
from backend.services.guess import Guess, guesses
from backend.services.shape_patterns import broadcasts, covers

STARTS: dict[str, dict[str, Any]] = {start["name"]: start["request"] for start in starts()}
MAKEMORE: dict[str, Any] = backend.program({"lesson": "makemore-mlp"})["request"]


def without(request: dict[str, Any], *names: str) -> dict[str, Guess]:
    """What is known of these tensors where they are left out."""
    rest = {name: spec for name, spec in request["tensors"].items() if name not in names}
    return {guess.name: guess for guess in guesses(read(request | {"tensors": rest}), names)}


def with_guess(request: dict[str, Any], guess: Guess) -> dict[str, Any]:
    """The request with the offered row in the place of the tensor."""
    whole = {"init": "randint", "high": guess.below or 1}
    row = {"shape": guess.shape, **(whole if guess.kind == "whole" else {"init": "rand"})}
    role = "target" if guess.kind == "whole" else "parameter"
    return request | {"tensors": request["tensors"] | {guess.name: {"role": role, **row}}}


def judge(request: dict[str, Any], name: str) -> None:
    """Hold what is said of a tensor against the tensor that was there."""
    true = tuple(read(request).tensors[name].shape)
    guess = without(request, name).get(name)
    assert guess is not None, "nothing is known"
    if guess.shape is not None:
        report = backend.check(with_guess(request, guess))
        assert report["loss"] == backend.check(request)["loss"]
    if guess.because.startswith("Only") or ". Only" in guess.because:
        assert guess.shape == list(true)
        return
    wide = re.search(r"Whatever broadcasts to \((.*?),?\) fits", guess.because)
    if wide:
        assert broadcasts(true, tuple(int(size) if size.isdigit() else None for size in wide[1].split(", ")))
    elif guess.shape is not None:
        assert guess.shape == list(true)
    else:
        assert any(covers(tuple(pattern), true) for pattern in guess.fits)
    assert re.search(r"fits?\b.*(;|too\.)|free|open|any length|may be axes", guess.because), "what remains free"


@pytest.mark.parametrize("title", STARTS)
def test_each_tensor_of_each_start_taken_away_in_turn(title: str) -> None:
    for name in STARTS[title]["tensors"]:
        judge(STARTS[title], name)


def test_each_tensor_of_the_network_taken_away_in_turn(thorough: bool) -> None:
    for name in MAKEMORE["tensors"] if thorough else ("C", "W1", "Yb"):
        judge(MAKEMORE, name)


CLASSIFIER = next(one for name, one in STARTS.items() if "classifier" in name)
SAID = {
    "W1": "Only (6, 10) fits: 6 for `x @ W1` and 10 for `x @ W1 + b1`.",
    "b1": "Whatever broadcasts to (8, 10) fits; (10,) is one number a column.",
    "y": "Whole numbers from 0 to 3. Only (8,) fits: 8 for `F.cross_entropy(logits, y)`.",
}


@pytest.mark.parametrize("name", SAID)
def test_the_sentence_names_the_line_that_decides(name: str) -> None:
    assert without(CLASSIFIER, name)[name].because == SAID[name]


def test_an_index_has_a_range_of_classes() -> None:
    guess = without(MAKEMORE, "Yb")["Yb"]
    assert (guess.kind, guess.shape, guess.below) == ("whole", [32], 27)


X = {"role": "data", "shape": [5, 6], "init": "randn"}
AMBIGUOUS = {
    # an axis that any length fits; an order that the program leaves open; one that counts places
    "loss = (x @ q).mean()": "The program leaves its shape open: (6,) or (6, n) or (n, 6, m) would fit.",
    "loss = (q @ x[0]).mean()": "Its last axis must be 6, for `q @ x[0]`; there may be axes before it.",
    "h = x @ q\nloss = (h @ x.T[0:4]).mean()":
        "The program leaves its shape open: (6, 4) or (n, 6, 4) would fit.",
    "loss = q[range(5), 3].sum()":
        "The program leaves its shape open: (n, m) or (n, m, k) would fit, if long enough for the places that are "
        "picked.",
}  # fmt: skip


@pytest.mark.parametrize("source", AMBIGUOUS)
def test_where_several_shapes_fit_none_is_chosen_without_a_word(source: str) -> None:
    guess = without({"source": source, "tensors": {"x": X, "q": X}}, "q")["q"]
    if "x.T" in source:
        assert (guess.shape, "too" in guess.because) == ([6, 4], True)
    else:
        assert (guess.shape, guess.because) == (None, AMBIGUOUS[source])


def test_with_others_missing_it_is_guessed_from_what_is_there() -> None:
    guess = without(CLASSIFIER, "W1", "b1")
    assert guess["W1"].fits == [[6], [6, None], [None, 6, None]]
    assert "b1" not in guess
    faulty = CLASSIFIER | {"source": CLASSIFIER["source"] + "z = torch.tahn((x\n"}
    assert without(faulty, "W1")["W1"].shape == [6, 10]


def test_a_check_tells_them_with_its_faults_and_with_its_report() -> None:
    rest = {name: spec for name, spec in CLASSIFIER["tensors"].items() if name != "W1"}
    with pytest.raises(backend.Refusal) as caught:
        backend.check(CLASSIFIER | {"tensors": rest})
    (need,) = caught.value.needs
    assert (caught.value.code, need["name"], need["shape"]) == ("name-unknown", "W1", [6, 10])
    report = backend.check(CLASSIFIER | {"tensors": rest, "unfinished": ["W1"]})
    assert report["needs"] == [need]


def test_hostile_programs_are_left_alone() -> None:
    deep = "\n".join(["h = q"] + ["h = h * x + h"] * 390)
    for source in (deep, "for i in range(30):\n    for j in range(30):\n        h = q @ x", "h = q\n" * 390):
        without({"source": source, "tensors": {"x": X, "q": X}}, "q")
    many = {"source": "\n".join(f"z{i} = x @ q{i}" for i in range(300)), "tensors": {"x": X}}
    assert len(guesses(read(many), [f"q{i}" for i in range(300)])) <= 8
