"""Whatever a program makes fail is a refusal at its place, and never a fault of the server."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import pytest
import torch

import backend
from backend.engine.interpret import evaluate
from backend.engine.language import guard
from backend.engine.language.errors import Refusal

TENSORS: dict[str, Any] = {
    "x": {"role": "parameter", "shape": [3, 4], "init": "randn"},
    "p": {"role": "parameter", "shape": [3, 4], "init": "rand"},
    "v": {"role": "parameter", "values": [1.0, -2.0, 3.0]},
    "s": {"role": "parameter", "values": 0.5},
    "c": {"role": "data", "values": 1.5},
    "one": {"role": "parameter", "values": [2.0]},
    "e": {"role": "parameter", "shape": [0, 4], "init": "zeros"},
    "four": {"role": "parameter", "shape": [3, 2, 2, 2], "init": "randn"},
    "y": {"role": "target", "values": [0, 1, 2]},
    "k": {"role": "target", "values": [2, 0, 1]},
    "kk": {"role": "target", "values": [3, 2, 1]},
    "empty": {"role": "target", "shape": [0], "init": "zeros"},
    "truth": {"role": "target", "values": True},
    "mask": {"role": "target", "values": [True, False, True]},
}
# Lines that torch, or the engine's own reading of them, once failed at.
LINES = [
    "F.cross_entropy(2, y)", "F.nll_loss(-2, y)", "F.nll_loss(-2, p)", "F.kl_div(c, s, reduction='sum')",
    "F.kl_div(s, s, reduction='sum')", "F.kl_div(s, s, reduction='batchmean')",
    "p[range(3), truth]", "x[truth]", "torch.index_add(v, -1, k, c)", "torch.index_add(x, 0, k, x)",
    "torch.vstack([s, s])", "torch.hstack([s, s])", "torch.vstack([s, v])", "F.embedding(k, four)",
    "F.one_hot(7)", "F.one_hot(empty)", "F.one_hot(empty.long())", "torch.atan2(mask, v)", "torch.atan2(v, mask)",
    "v.pow(mask)", "one.clamp(min=k, max=kk)", "torch.chunk(e, 3, -2)[0]", "torch.chunk(e, 3)[1]", "x.argmax()", "torch.argmin(s)", "s.std(0)", "s.moveaxis(-1, 0)", "F.linear(x, p, one)", "F.nll_loss(p, y, ignore_index='a')", "torch.split('a', 'b')",
    "torch.cdist(-2, e)", "torch.linalg.norm(-2)", "torch.take_along_dim(2, k, 1)", "torch.take_along_dim(v, k, 0)",
    "torch.tensordot(x, one.unsqueeze(0), 1)", "torch.tensordot(x, v.unsqueeze(1), 1)", "(-s).softmax(-1)",
    "F.scaled_dot_product_attention(s, 3, v)", "F.scaled_dot_product_attention(x, 3, x)",
]  # fmt: skip


def outcome(line: str) -> Refusal | None:
    """The refusal of a program with this line; None where it is walked."""
    source = f"a = x * 2\nh = {line}\nloss = (h.float() * 1.0).sum() + a.sum()"
    used = {name: spec for name, spec in TENSORS.items() if name in source}
    try:
        backend.walk({"source": source, "tensors": used, "steps": "all"})
    except Refusal as refusal:
        return refusal
    return None


@pytest.mark.filterwarnings("ignore")  # torch warns of what it is asked here
@pytest.mark.parametrize("line", LINES)
def test_a_line_that_failed_is_walked_or_refused_in_its_own_place(line: str) -> None:
    before = guard.caught.total()
    refusal = outcome(line)
    assert guard.caught.total() == before  # it is foreseen
    if refusal is not None:
        assert refusal.status == 422
        assert refusal.where is not None
        assert refusal.where["line"] in (2, 3)
        assert "text" in refusal.where


@pytest.mark.parametrize(
    "cut", ["w.unbind()", "torch.unbind(w, dim=0)", "w.split(1)", "torch.split(w, 1, dim=0)", "w.chunk(2**20)",
            "torch.tensor_split(w, 2**40)", "w.tensor_split(2**30, -1)", "w.T.unbind(axis=1)", "w.T.split(2, 1)"],
)  # fmt: skip
def test_a_million_parts_are_refused_before_they_are_made(cut: str) -> None:
    wide = {"role": "parameter", "shape": [2**20, 1], "init": "zeros"}
    started = time.process_time()
    with pytest.raises(Refusal) as caught:
        backend.check({"source": f"h = {cut}\nloss = h[0].sum()", "tensors": {"w": wide}})
    assert caught.value.code == "too-many-steps"
    assert time.process_time() - started < 0.5


@pytest.fixture
def planted(monkeypatch: pytest.MonkeyPatch) -> Callable[[Exception], None]:
    """Makes `torch.tanh` raise whatever it is given."""

    def plant(error: Exception) -> None:
        def fail(*_: Any) -> Any:
            raise error

        monkeypatch.setitem(evaluate.functions(), "torch.tanh", (fail, frozenset({"x"})))

    return plant


def walk_of_tanh() -> Any:
    return backend.walk({"source": "a = x * 2\nloss = torch.tanh(a).sum()", "tensors": {"x": TENSORS["x"]}})


def test_what_nobody_foresaw_is_refused_at_its_place_and_counted(
    planted: Callable[[Exception], None], caplog: pytest.LogCaptureFixture
) -> None:
    guard.caught.clear()
    planted(NameError("a secret of the program"))
    for _ in range(5):
        with pytest.raises(Refusal) as caught:
            walk_of_tanh()
        assert (caught.value.code, caught.value.status) == ("operation-fails", 422)
        assert caught.value.where is not None
        assert (caught.value.where["line"], caught.value.where["text"]) == (2, "loss = torch.tanh(a).sum()")
    assert list(guard.caught.values()) == [5]
    assert [record.message.split(", ")[1] for record in caplog.records] == [
        "for the 1th time",
        "for the 2th time",
        "for the 4th time",
    ]
    assert "secret" not in caplog.text


@pytest.mark.parametrize(
    "error",
    [MemoryError(), RuntimeError("DefaultCPUAllocator: can't allocate memory: 99"), RuntimeError("std::bad_alloc")],
)
def test_want_of_memory_is_no_fault_of_a_line(planted: Callable[[Exception], None], error: Exception) -> None:
    planted(error)
    with pytest.raises(type(error)) as caught:
        walk_of_tanh()
    assert caught.value is error


@pytest.mark.parametrize("spec", [{"shape": [2, 3], "init": "randn"}, {"values": [1.0, 2.0]}])
def test_want_of_memory_is_no_fault_of_a_description(spec: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: Any, **__: Any) -> Any:
        raise RuntimeError("DefaultCPUAllocator: can't allocate memory")

    monkeypatch.setattr(torch, "randn", fail)
    monkeypatch.setattr(torch, "tensor", fail)
    with pytest.raises(RuntimeError, match="allocate"):
        backend.check({"source": "loss = x.sum()", "tensors": {"x": {"role": "parameter", **spec}}})
