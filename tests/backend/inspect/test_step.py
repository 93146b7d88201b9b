"""One step of a walk cell by cell: what it shows is what autograd and plain PyTorch have, and no block is left."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest
import torch

import backend
from backend.engine.encode import LARGEST_WHOLE
from backend.engine.language.errors import Refusal
from tests.support.asking import array, whole

T, SIZE = 40, 60
LONG: dict[str, Any] = {
    "source": f"for t in range({T}):\n    h = torch.tanh(h @ W + x)\nloss = (h * h).sum()",
    "tensors": {
        "h": {"role": "data", "shape": [20, SIZE], "init": "randn"},
        "x": {"role": "data", "shape": [20, SIZE], "init": "randn", "seed": 1},
        "W": {"role": "parameter", "shape": [SIZE, SIZE], "init": "randn", "seed": 2, "scale": 0.1},
    },
}


@pytest.fixture(scope="module")
def walk() -> Any:
    return whole(LONG)


@pytest.fixture(scope="module")
def plain() -> dict[str, torch.Tensor]:
    """W, every h and their gradients by PyTorch alone."""

    def drawn(shape: tuple[int, ...], seed: int, scale: float = 1.0) -> torch.Tensor:
        return torch.randn(shape, generator=torch.Generator().manual_seed(seed)) * scale

    h, x, w = drawn((20, SIZE), 0), drawn((20, SIZE), 1), drawn((SIZE, SIZE), 2, 0.1)
    kept = {"W": w.requires_grad_()}
    for _ in range(T):
        h = torch.tanh(h @ w + x)
        h.retain_grad()
        kept["h"] = h
    (h * h).sum().backward()
    return kept


def ask(index: int, *nodes: str) -> Any:
    return backend.step({"walk": LONG, "index": index, "nodes": list(nodes)})


def test_a_long_walk_sends_blocks_and_its_steps_send_cells(walk: Any, plain: dict[str, torch.Tensor]) -> None:
    last = max(step["index"] for step in walk["steps"] if step["node"] == "W")
    assert "pooled" in walk["steps"][last]["accumulated"]
    sent = ask(last, "W")
    assert "pooled" not in json.dumps(sent)
    torch.testing.assert_close(array(sent["accumulated"]), plain["W"].grad)
    torch.testing.assert_close(array(sent["nodes"]["W"]["autograd"]), plain["W"].grad)
    assert array(sent["nodes"]["W"]["value"]).equal(plain["W"].detach())
    assert array(sent["before"]).add(array(sent["contribution"])).equal(array(sent["accumulated"]))
    difference = array(sent["nodes"]["W"]["manual"]) - array(sent["nodes"]["W"]["autograd"])
    assert difference.equal(array(sent["nodes"]["W"]["difference"]))


def test_the_equation_of_a_step_holds_with_the_cells_that_are_sent(walk: Any) -> None:
    products = 0
    for step in walk["steps"]:
        picture = step["picture"] if step["direction"] == "backward" else None
        if not picture or picture["kind"] != "product" or picture["then"] or picture["axes"] or step["index"] % 7:
            continue
        sent = ask(step["index"], *(operand["node"] for operand in picture["operands"] if operand["node"]))
        factors = [
            array(wire)
            if wire
            else array(sent["nodes"][operand["node"]][{"gradient": "manual"}.get(operand["which"], "value")])
            for operand, wire in zip(picture["operands"], sent["operands"], strict=True)
        ]
        product = factors[0]
        for factor in factors[1:]:
            product = product * factor
        torch.testing.assert_close(product, array(sent["contribution"]))
        products += 1
    assert products > 3


def test_a_forward_step_has_no_gradient_to_send(walk: Any, plain: dict[str, torch.Tensor]) -> None:
    names = [step["node"] for step in walk["steps"] if step["direction"] == "forward"]
    sent = ask(T - 1, names[T - 1])
    torch.testing.assert_close(array(sent["nodes"][names[T - 1]]["value"]), plain["h"].detach())
    assert (sent["contribution"], sent["accumulated"], sent["product"]) == (None, None, None)


def test_a_forward_step_sends_what_its_equation_makes_on_the_way() -> None:
    x = {"role": "parameter", "shape": [4, 3], "init": "randn"}
    sent = backend.step(
        {"walk": {"source": "loss = (x * (x + 1)).sum()", "tensors": {"x": x}}, "index": 0, "nodes": ["x"]}
    )
    value = array(sent["nodes"]["x"]["value"])
    named, other, product = sent["operands"]
    assert named is None
    torch.testing.assert_close([array(other), array(product)], [value + 1, value * (value + 1)])


def test_the_measure_of_a_tile_is_that_of_all_its_cells(walk: Any, plain: dict[str, torch.Tensor]) -> None:
    (node,) = (node for node in walk["nodes"] if node["name"] == "W")
    assert node["value"]["pooled"]["rms"] == pytest.approx(float(plain["W"].detach().square().mean().sqrt()), rel=1e-6)


def test_a_tensor_too_large_to_be_sent_whole_comes_in_finer_blocks() -> None:
    side = math.isqrt(LARGEST_WHOLE) + 1
    tensors = {name: {"role": "parameter", "shape": [side, side], "init": "randn"} for name in "xw"}
    request = {"source": "h = x @ w\nloss = h.mean()", "tensors": tensors}
    (first,) = (node["value"] for node in whole(request)["nodes"] if node["name"] == "x")
    looked_at: Any = backend.step({"walk": request, "index": 0, "nodes": ["x"]})["nodes"]["x"]["value"]
    blocks, finer = (int(one["pooled"]["shape"].split(", ")[0]) for one in (first, looked_at))
    assert blocks < finer < side
    assert (first["pooled"]["coarse"], looked_at["pooled"]["coarse"]) == (True, False)


@pytest.mark.parametrize(("index", "nodes", "code"), [(10**6, [], "step-unknown"), (0, ["V"], "tensor-unknown")])
def test_what_is_not_there_is_refused(index: int, nodes: list[str], code: str) -> None:
    with pytest.raises(Refusal) as refusal:
        ask(index, *nodes)
    assert refusal.value.code == code


LESSON = {"lesson": "makemore-mlp"}
MOVED = [{"tensor": "W2", "index": [[0, 9], 5], "shift": 0.3}, {"tensor": "b1", "scale": 2.0}]
CUT = [{"tensor": "h", "index": [3], "value": 0.0}]


def lists(walk: Any) -> Any:
    return json.loads(backend.walk({**walk, "arrays": "lists"}))


@pytest.mark.parametrize("changes", [MOVED, CUT])
def test_with_changes_a_step_shows_what_a_walk_with_them_would(changes: Any) -> None:
    shown, made = lists(LESSON), lists({**LESSON, "changes": changes})
    there = {node["name"]: node for node in made["nodes"]}
    same = {(s["node"], s.get("through")): s for s in made["steps"] if s["direction"] == "backward"}
    names = ["h", "W2", "W1", "logits"]
    for index in (25, 30, 32, 36, 50):
        step = shown["steps"][index]
        sent = backend.step({"walk": LESSON, "index": index, "nodes": names, "changes": changes, "thumbnails": True})
        assert sent["loss"] == pytest.approx(made["loss"]["value"], rel=1e-6)
        for name in names:
            torch.testing.assert_close(array(sent["nodes"][name]["value"]), torch.tensor(there[name]["value"]))
            gradient = there[name]["gradient"]
            assert (sent["nodes"][name]["manual"] is None) == (gradient is None), name
        counterpart = same.get((step["node"], step["through"]))
        assert (sent["accumulated"] is None) == (counterpart is None)
        if counterpart and sent["accumulated"]:
            torch.testing.assert_close(array(sent["accumulated"]), torch.tensor(counterpart["accumulated"]))
        known = {one["node"] for one in shown["steps"][20 : index + 1]}
        assert set(sent["thumbnails"]) == known
        cut = {name for name, picture in sent["thumbnails"].items() if picture is None}
        assert cut == {name for name in known if there[name]["gradient"] is None}


def test_thumbnails_of_a_forward_step_are_its_values() -> None:
    made = lists({**LESSON, "changes": MOVED})
    sent = backend.step({"walk": LESSON, "index": 3, "nodes": [], "changes": MOVED, "thumbnails": True})
    given = {node["name"] for node in made["nodes"] if node["line"] is None}
    assert set(sent["thumbnails"]) == given | {step["node"] for step in made["steps"][:4]}
    (bias,) = (node["value"] for node in made["nodes"] if node["name"] == "b1")
    torch.testing.assert_close(array(sent["thumbnails"]["b1"]), torch.tensor(bias))
    assert backend.step({"walk": LESSON, "index": 3, "nodes": []})["thumbnails"] == {}


def test_changes_take_the_place_of_the_walk_s_own() -> None:
    walk = {**LESSON, "changes": CUT}
    index = next(step["index"] for step in lists(walk)["steps"] if step["node"] == "W2")
    plain = lists(LESSON)
    sent = backend.step({"walk": walk, "index": index, "nodes": ["h"], "changes": [], "thumbnails": True})
    assert sent["loss"] == pytest.approx(plain["loss"]["value"], rel=1e-6)
    (gradient,) = (node["gradient"]["manual"] for node in plain["nodes"] if node["name"] == "W2")
    torch.testing.assert_close(array(sent["accumulated"]), torch.tensor(gradient))
