"""What is told of a name is told of what it comes of, and of what a function is given in its place."""

from __future__ import annotations

import ast

import pytest

from backend.engine.filling.uses import Use, uses_in

SHIFTED = "def f(x):\n    xi, xo = x[:, :-1], x[:, 1:]\n    return F.cross_entropy(net(xi).transpose(1, 2), xo)"
LAID_OUT = (
    "def f(t, s):\n    kept = t[..., 1:].contiguous()\n    flat = kept.view(-1)\n    return F.cross_entropy(s, flat)"
)
HELPER = "def g(picture):\n    assert picture.dim() in [4, 5]\n    return picture\ndef f(x):\n    return g(x)"
WEIGHT = "def f(x):\n    w = weight\n    w = w / 2\n    return F.conv2d(x, w)"
TOLD = {"shifted": (SHIFTED, "x", "whole", None, 2), "laid out": (LAID_OUT, "t", "whole", None, 1),
        "helper": (HELPER, "x", None, 4, 0), "weight": (WEIGHT, "weight", None, 4, 0)}  # fmt: skip
# Several values of one name, two parameters of one name, and a picture that is picked from: nothing is told of `x`.
REBOUND = "def f(x, y):\n    z = x\n    z = g(z)\n    return F.conv2d(z, y)"
SHARED = "def g(z):\n    assert z.dim() == 4\ndef h(z):\n    return z\ndef f(x):\n    return h(x)"
PICKED = "def f(x):\n    z = x[0]\n    return F.conv2d(z, z)"


@pytest.mark.parametrize("name", TOLD)
def test_a_use_is_told_of_what_a_name_comes_of(name: str) -> None:
    source, owner, kind, axes, least = TOLD[name]
    use = uses_in(ast.parse(source))[owner]
    assert (use.kind, use.axes) == (kind, axes)
    assert use.least >= least


@pytest.mark.parametrize("source", [REBOUND, SHARED, PICKED])
def test_nothing_is_told_where_a_name_may_be_something_else(source: str) -> None:
    assert uses_in(ast.parse(source)).get("x", Use()).axes is None
