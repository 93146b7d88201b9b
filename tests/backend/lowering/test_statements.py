"""A faulty line that the loss has nothing to do with is left out, and one that may have changed it never is."""

from __future__ import annotations

from typing import Any

import orjson
import pytest

import backend
from backend.engine.language.errors import Refusal

ASIDE = "    v = torch.mode(x, 1)\n"


def test_what_nothing_is_made_of_may_be_faulty() -> None:
    source = f"def f(x):\n{ASIDE}    best = v[0] * 2\n    y = torch.tanh(x)\n    return y.sum()"
    walk: Any = orjson.loads(backend.walk({"source": source, "tensors": {}}))
    assert walk["found"]["source"] == "y = torch.tanh(x)\nloss = y.sum()"
    assert ("aside", 2) in {(note["code"], note["line"]) for note in walk["found"]["notes"]}


MAY_CHANGE = {
    "it returns it": "    return x.sum() + v",
    "a loop": "    y = x.sum()\n    for one in v:\n        y = y + one\n    return y",
    "a comprehension": "    return x.sum() + sum([one.sum() for one in v])",
    "a list that grows": "    parts = [x.sum()]\n    parts += v\n    return sum(parts)",
    "a tensor that others hold": "    y = x * 2\n    z = y\n    y += v\n    return z.sum()",
    "a method in place": "    y = x * 2\n    y.mul_(v)\n    return y.sum()",
    "cells": "    y = x * 2\n    y[0] = v\n    return y.sum()",
    "places": "    y = x * 2\n    y[v] = 0\n    return y.sum()",
    "a branch": "    y = x * 2\n    if v:\n        y = x\n    return y.sum()",
    "a while": "    y = x * 2\n    while v:\n        y = x\n        break\n    return y.sum()",
    "a dictionary": "    d = {'y': x}\n    d.update(v)\n    return d['y'].sum()",
    "any": "    return x.sum() if any([v]) else x.mean()",
}


@pytest.mark.parametrize("name", MAY_CHANGE)
def test_what_may_have_changed_the_loss_is_refused(name: str) -> None:
    with pytest.raises(Refusal) as caught:
        backend.walk({"source": f"def f(x):\n{ASIDE}{MAY_CHANGE[name]}", "tensors": {}})
    assert (caught.value.code, (caught.value.where or {})["line"]) == ("function-unlisted", 2)


# A faulty line that does more than to name what it makes: something else would stay as it was.
DOES_MORE = {
    "an attribute": "class Net(nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.s = 1.0\n"
    "    def forward(self, x):\n        v, self.s = torch.mode(x, 1)\n        return x.sum() * self.s",
    "a function of its own": "class Net(nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.s = 1.0\n"
    "    def more(self):\n        self.s = 2.0\n        return 1\n"
    "    def forward(self, x):\n        v = torch.mode(x, self.more())\n        return x.sum() * self.s",
    "a list that shrinks": "def f(x):\n    parts = [x, x * 2]\n    v = torch.mode(x, parts.pop())\n    return sum(parts).sum()",
    "a name on the way": "def f(x):\n    n = 1\n    v = torch.mode(x, (n := 2))\n    return x.sum() * n",
}


@pytest.mark.parametrize("name", DOES_MORE)
def test_a_faulty_line_that_does_more_is_refused(name: str) -> None:
    with pytest.raises(Refusal) as caught:
        backend.walk({"source": DOES_MORE[name], "tensors": {}})
    assert caught.value.code == "function-unlisted"
