"""What NumPy draws: tensors where a size is given, and else one number, the same in every run."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from backend.lowering.use import Act, Use
from backend.lowering.values import Unknown, bare


def _ends(use: Use, names: tuple[str, str], otherwise: tuple[float | None, float | None]) -> list[Any]:
    """The two numbers that a draw lies between, or is described by."""
    given = [use.given(place, name, otherwise[place]) for place, name in enumerate(names)]
    return [bare(use.machine.whole(one)) if isinstance(one, Unknown) else bare(one) for one in given]


def _number(use: Use, value: float) -> float:
    use.machine.note("drawn-number", use.node, found=use.node, value=value)
    return value


def _by_shape(kind: str, middle: float) -> Act:
    """`randn(3, 4)`, and `random((3, 4))`: without a shape a number in the middle."""

    def made(use: Use) -> Any:
        shape = [use.kwargs["size"]] if "size" in use.kwargs else use.args
        return use.machine.drawn(kind, list(shape), {}, use.node) if shape else _number(use, middle)

    return made


def _between(use: Use) -> Any:
    low, high = _ends(use, ("low", "high"), (0.0, 1.0))
    if (size := use.given(2, "size")) is None:
        return _number(use, (low + high) / 2)
    spec = {"role": "constant", "init": "rand", "scale": float(high - low), "shift": float(low)}
    return use.machine.draw(spec, size, {}, use.node)


def _normal(use: Use) -> Any:
    mean, std = _ends(use, ("loc", "scale"), (0.0, 1.0))
    size = use.given(2, "size")
    return _number(use, float(mean)) if size is None else use.machine.drawn_normal([mean, std, size], {}, use.node)


def _whole(use: Use) -> Any:
    low, high = _ends(use, ("low", "high"), (0, None))
    low, high = (0, low) if high is None else (low, high)
    size = use.given(2, "size")
    if size is None:
        return _number(use, (int(low) + int(high)) // 2)
    return use.machine.drawn_whole("randint", [low, high, size], {}, use.node)


def _beta(use: Use) -> Any:
    """A share, by which two examples are mixed: without a size the mean."""
    a, b = _ends(use, ("a", "b"), (1.0, 1.0))
    size = use.given(2, "size")
    spec = {"role": "constant", "init": "rand"}
    return _number(use, a / (a + b)) if size is None else use.machine.draw(spec, size, {}, use.node)


def _permuted(use: Use) -> Any:
    return use.machine.drawn_whole("randperm", list(use.args), {}, use.node)


DRAWS: dict[str, Callable[[Use], Any]] = {
    "numpy.random.randn": _by_shape("randn", 0.0), "numpy.random.standard_normal": _by_shape("randn", 0.0),
    "numpy.random.rand": _by_shape("rand", 0.5), "numpy.random.random": _by_shape("rand", 0.5),
    "numpy.random.random_sample": _by_shape("rand", 0.5),
    "numpy.random.uniform": _between, "numpy.random.normal": _normal, "numpy.random.randint": _whole,
    "numpy.random.beta": _beta, "numpy.random.permutation": _permuted,
}  # fmt: skip
