"""What the lens says of real answers, held against their numbers: sums, counts, products, copies, and the spoken sentence."""

from __future__ import annotations

import json
import math
import random
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest

from backend.inspect.cell.cell import cell_of
from backend.pipeline import run_of
from tests.support import index_notation_evaluator
from tests.support.asking import whole
from tests.support.programs import request_of
from tests.tools.node import find

SAY = Path(__file__).parents[2] / "js" / "say.js"
PROGRAMS = (
    "makemore",
    "batchnorm-by-hand-then-relu",
    "causal-multihead",
    "gru",
    "infonce",
    "two-layer-net",
    "rms-norm-gated",
)
Said = dict[str, list[tuple[dict[str, Any], dict[str, Any]]]]
SUPERSCRIPTS = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")
# Numbers are shown with three digits, and with two before a power of ten.
DIGITS, POWERS = 6e-3, 6e-2
pytestmark = pytest.mark.filterwarnings("ignore:reduction")


def asked(name: str) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """The walk of a program, and an answer for each value, gradient and contribution."""
    request = request_of(name)
    run, chance = run_of(request), random.Random(name)
    answers = []
    for node in run.plan.graph.named:
        if not node.meta.numel():
            continue
        index = tuple(chance.randrange(size) for size in node.shape)
        answers.append(cell_of(run, str(node.name), "value", index))
        if "d" + node.variable in run.gradients:
            answers.append(cell_of(run, str(node.name), "gradient", index))
    return whole(request), answers


@pytest.fixture(scope="module")
def said() -> Said:
    """What the page says of each answer."""
    node, found = find(), {}
    if node is None:
        pytest.skip("Node is not there")
    for name in PROGRAMS:
        document, answers = asked(name)
        given = json.dumps({"walk": document, "answers": answers})
        done = subprocess.run([node, str(SAY)], input=given, capture_output=True, text=True, check=True, timeout=60)
        found[name] = list(zip(answers, json.loads(done.stdout), strict=True))
    return found


def number(text: str) -> float:
    """A number as the page writes it."""
    return float(
        re.sub(r"·10([⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)", lambda found: "e" + found[1].translate(SUPERSCRIPTS), text).replace("−", "-")
    )


NUMBER = r"−?[\d.]+(?:·10[⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)?"


def value(text: str) -> float:
    """A line of numbers worked out."""
    plain = re.sub(
        r"([\d.]+)·10([⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)", lambda found: f"({found[1]}e{found[2].translate(SUPERSCRIPTS)})", text
    )
    return index_notation_evaluator.filled(plain.replace("−", "-").replace("·", " · "), [])


def near(text: str, answer: dict[str, Any]) -> float:
    """How far off a line of numbers may be: each is rounded, and counts as much as its term."""
    size = sum(abs(float(term["local"]) * float(term["arriving"])) for term in answer["terms"])
    return (POWERS if "·10" in text else DIGITS) * max(size, abs(float(answer["shown"]))) * 2 + 1e-12


@pytest.mark.parametrize("name", PROGRAMS)
def test_the_line_of_numbers_gives_the_number_shown(said: Said, name: str) -> None:
    seen = 0
    for answer, words in said[name]:
        for text in (words["numbers"], words["sum"]):
            text = re.sub(r" \([\d,]+ terms\)$", "", text)
            if text and "…" not in text and answer["count"] <= 16 and math.isfinite(float(answer["shown"])):
                assert abs(value(text) - answer["shown"]) <= near(text, answer), (answer["formula"], text)
                seen += 1
    assert seen >= 5


@pytest.mark.parametrize("name", PROGRAMS)
def test_what_is_counted_is_that_many(said: Said, name: str) -> None:
    for answer, words in said[name]:
        places, copied = words["collapse"]
        if found := re.fullmatch(r"(.+) → 1", places):
            counts = [int(part.split()[0].replace(",", "")) for part in found[1].split(" × ")]
            assert math.prod(counts) == answer["count"], places
        elif places:
            graph = run_of(request_of(name)).plan.by_name
            through = {graph[path["through"]].variable for path in answer["paths"] if path["count"]}
            assert (re.search(r"\d+ (paths|tensors)$", places) is None) == (len(through) <= 3), places
            assert all(one in places for one in through) or len(through) > 3, places
        assert words["rest"]["count"] + len(words["listed"]) == answer["count"]
        if answer["adds"] and answer["count"] and words["rest"]["sum"] is not None:
            together = math.fsum([*words["listed"], words["rest"]["sum"]])
            assert together == pytest.approx(answer["sum"], rel=1e-9, abs=1e-12)
        assert not copied or was_copied(name, answer), (answer["formula"], copied)


def was_copied(name: str, answer: dict[str, Any]) -> bool:
    """Whether the tensor has one cell along every axis over which its gradient is summed."""
    request = request_of(name)
    graph = run_of(request).plan.by_name
    path = next(path for path in answer["paths"] if path["over"])
    own, end = graph[answer["tensor"]].shape, graph[path["through"]].shape
    padded = (1,) * (len(end) - len(own)) + tuple(own)
    return all(padded[along["axis"]] == 1 for along in path["over"])


@pytest.mark.parametrize("name", PROGRAMS)
def test_the_spoken_sentence_tells_the_numbers(said: Said, name: str) -> None:
    for answer, words in said[name]:
        voice = words["voice"]
        head = re.search(rf": (NaN|−?∞|{NUMBER})[.,]", voice)
        assert head is not None, voice
        shape = run_of(request_of(name)).plan.by_name[answer["tensor"]].shape
        axes = voice[: head.start()].split(", ")[1:]
        long = [at for at, size in zip(answer["index"], shape, strict=True) if size != 1]
        assert [int(re.findall(r"\d+", axis)[-1]) for axis in axes] == long, voice
        if not math.isfinite(float(answer["shown"])):
            continue
        assert number(head[1].rstrip(".")) == pytest.approx(answer["shown"], rel=5e-3, abs=1e-12)
        if found := re.search(rf"the sum of ([\d,]+) terms, the largest ({NUMBER}) through", voice):
            assert int(found[1].replace(",", "")) == answer["count"]
            largest = max((float(term["product"]) for term in answer["terms"]), key=abs)
            assert number(found[2]) == pytest.approx(largest, rel=POWERS)
        for text, term in zip(words["terms"], answer["terms"], strict=False):
            if found := re.match(rf"({NUMBER}): ({NUMBER}) × ({NUMBER}),", text):
                product, local, arriving = map(number, found.groups())
                assert product == pytest.approx(local * arriving, rel=2 * POWERS, abs=1e-12), text
                assert product == pytest.approx(term["product"], rel=DIGITS)
        assert words["check"]["fits"], words["check"]
